/** A store of documents in memory, for tests of its users. */
import type { DocumentStore, KeptDocuments } from "#core/kept-documents.ts";

export function createMemoryDocuments(kept: Map<string, KeptDocuments> = new Map()): DocumentStore {
  return {
    read: (name) => Promise.resolve(kept.get(name) ?? null),
    write: (name, documents) => Promise.resolve(Boolean(kept.set(name, documents))),
    confirm(name, read_at_ms) {
      const known = kept.get(name);
      if (known) kept.set(name, { ...known, read_at_ms });
      return Promise.resolve(known !== undefined);
    },
  };
}
