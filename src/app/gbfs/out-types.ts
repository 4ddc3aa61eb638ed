/** What the face of published GBFS asks for (docs/gbfs.md), and what it gets. No types of HTTP here. */
import type { OutTerms } from "#stations/gbfs-out/out-system.ts";
import type { OutVersion } from "#stations/gbfs-out/out-envelope.ts";

export type OutRequest = {
  version: OutVersion;
  /** null: the manifest. */
  system_id: string | null;
  /** Name as the version has it, without `.json`. */
  file: string;
  /** Scheme and host by which the caller reached this service. */
  origin: string;
  /** Of the address of a caller without a key; null: with a key. */
  block: string | null;
  /** Epoch ms. */
  deadline_ms: number;
};

export type PublishedFile = {
  kind: "file";
  /** Of the bytes, without quotes: another one where anything of them is. */
  version: string;
  bytes: Uint8Array;
  /** Seconds it may be kept; null: not at all. */
  max_age_s: number | null;
};

/**
 * `full`: too many files wait for their turn. `unread`: nothing of the system could be read in time.
 * `unknown_file`: the system publishes no such file. `closed`: its terms do not let it be handed on.
 */
export type NoFile = {
  kind: "full" | "unread" | "unknown_system" | "unknown_file" | "closed";
};

export type GbfsFiles = {
  read(request: OutRequest): Promise<PublishedFile | NoFile>;
};

/** Terms of a source, and whether what it has may be stored and handed on. */
export type SourceOutTerms = OutTerms & { name: string; store: "all" | "ids" | "none" };
