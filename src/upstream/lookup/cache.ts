/**
 * Answers of lookups, in memory, bounded by bytes. How old one may be is the policy's matter
 * (policy.ts): the cache only forgets what nobody may see any more.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "#ports.ts";

export type Entry = {
  value: unknown;
  /** How many things the source sent. */
  raw: number;
  fetched_at_ms: number;
  /** What the source itself said of it, where that counts. */
  validity?: Validity;
  /** From when on nobody may see it. */
  gone_at_ms: number;
};

/** `fresh_ms`: how long it is good, by the source's own word; null: it has none. */
export type Validity = { fresh_ms: number | null; last_modified: string | null; bytes: number };

export type LookupCache = {
  get(key: string): Entry | null;
  put(key: string, entry: Entry, bytes: number): void;
  /** Bytes held. */
  size(): number;
};

const MAX_BYTES = 64 * 1024 * 1024;
/** Of an entry that holds nothing, and of what a parsed body takes beyond its text. */
const ENTRY_BYTES = 256;
const PARSED_FACTOR = 3;

export function createLookupCache(clock: Clock, max_bytes: number = MAX_BYTES): LookupCache {
  const entries = new LRUCache<string, Entry>({ maxSize: max_bytes });
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return null;
      if (clock.now() < entry.gone_at_ms) return entry;
      entries.delete(key);
      return null;
    },
    put(key, entry, bytes) {
      entries.set(key, entry, { size: ENTRY_BYTES + key.length * 2 + bytes * PARSED_FACTOR });
    },
    size: () => entries.calculatedSize,
  };
}
