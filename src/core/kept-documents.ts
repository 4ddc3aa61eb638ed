/** Documents of sources that are read whole, as the store keeps them for the next start. */

/** Of a document that came alone, for the next conditional request; null: the source states none. */
export type Validators = { etag: string | null; last_modified: string | null };

/** Documents in their order, and what asks whether there is a newer one where it is one alone. */
type KeptContent = Validators & { bodies: readonly Uint8Array[] };

export type KeptDocuments = KeptContent & {
  /** What they were read from; documents of another origin are void. */
  origin: string;
  /** When the source last said that they are what it has, epoch ms. */
  read_at_ms: number;
  /** What they are read with, such as tariffs; absent: nothing. */
  companions?: KeptContent;
};

/** The last good documents of each source, by its name. */
export type DocumentStore = {
  /** null: none is kept, or what is kept is damaged. Never rejects. */
  read(name: string): Promise<KeptDocuments | null>;
  /** Takes the place of what is kept, whole or not at all; false: it could not be written. */
  write(name: string, documents: KeptDocuments): Promise<boolean>;
  /** What is kept is what the source has at that time, too. */
  confirm(name: string, read_at_ms: number): Promise<boolean>;
};

/** Limit on their total length, in bytes; longer ones are read again after a restart. */
export const MAX_KEPT_BYTES = 128 * 1024 * 1024;
