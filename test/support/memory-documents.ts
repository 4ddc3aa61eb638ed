/** A store of documents in memory, for tests of its users. */
import type { DocumentStore, KeptDocuments } from "#core/kept-documents.ts";

export function createMemoryDocuments(
  remaining: Map<string, KeptDocuments> = new Map(),
): DocumentStore {
  return {
    read: (name) => Promise.resolve(remaining.get(name) ?? null),
    write: (name, documents) => Promise.resolve(Boolean(remaining.set(name, documents))),
    confirm(name, read_at_ms) {
      const entry = remaining.get(name);
      if (entry) remaining.set(name, { ...entry, read_at_ms });
      return Promise.resolve(entry !== undefined);
    },
  };
}
