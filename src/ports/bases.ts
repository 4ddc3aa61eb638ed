/** The store of imported bases (packages/osm-base/base): one of the replaceable things (ports.ts). */
import type { ByteRanges } from "#kit/byte-ranges.ts";

/** What the store says of a base without reading it. */
export type BaseFile = {
  id: string;
  /** Changes with every import. */
  version: string;
  bytes: number;
};

/** A base that is being written: it is not listed before it is committed. */
export type BaseDraft = {
  /** A folder of its own, for files that are needed until then, on the same disk. */
  folder: string;
  /** Positional; of any order. */
  write(at: number, bytes: Uint8Array): Promise<void>;
  /** It takes the place of the base before, synced. */
  commit(): Promise<void>;
  /** Removes all that is left of it, unless it was committed: then the folder alone. */
  remove(): Promise<void>;
};

/**
 * Packed bases, each whole or not at all: a base that is replaced serves on until the new one lies in
 * its place. Methods reject with the error of the file system, of which the caller makes one line.
 */
export type BaseStore = {
  list(): Promise<BaseFile[]>;
  /** To be read in ranges, and closed. null: there is none. */
  open(id: string): Promise<ByteRanges | null>;
  /** In shared memory; null: there is none. */
  read(id: string): Promise<Uint8Array | null>;
  put(id: string, pack: Uint8Array): Promise<void>;
  /** A base that is written piece by piece. Drafts of writers that have ended are removed. */
  begin(id: string): Promise<BaseDraft>;
  /** false: there was none. */
  remove(id: string): Promise<boolean>;
};
