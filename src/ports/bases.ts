/** The store of imported bases (packages/osm-base/base): one of the replaceable things (ports.ts). */

/** What the store says of a base without reading it. */
export type BaseFile = {
  id: string;
  /** Changes with every import. */
  version: string;
  bytes: number;
};

/**
 * Packed bases, each whole or not at all: a base that is replaced serves on until the new one lies in
 * its place. Methods reject with the error of the file system, of which the caller makes one line.
 */
export type BaseStore = {
  list(): Promise<BaseFile[]>;
  /** In shared memory; null: there is none. */
  read(id: string): Promise<Uint8Array | null>;
  put(id: string, pack: Uint8Array): Promise<void>;
  /** false: there was none. */
  remove(id: string): Promise<boolean>;
};
