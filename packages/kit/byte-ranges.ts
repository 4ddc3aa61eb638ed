/** Bytes that lie elsewhere, in a file or an object store, and are read in ranges. */
export type ByteRanges = {
  /** Of all. */
  bytes: number;
  /** Changes with the content: ranges of two versions are not of one thing. */
  version: string;
  /**
   * A copy of these bytes, in shared memory, as many as requested. Rejects with a `problem`, in words
   * for an operator, where they cannot be read or the content has changed meanwhile.
   */
  read(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
};
