/** Resources of a command: streams, the environment, the network, time. Tests pass their own. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Box } from "#kit/geo.ts";
import type { Env, Variables } from "#config/env.ts";
import type { AdminStorage } from "#storage/open-storage.ts";
import type {
  AddressFormatName,
  BaseCounts,
  BaseMeta,
  OptionalSection,
} from "#osm/base/base-layout.ts";

/** A stream for text; a terminal when `isTTY`. */
export type Output = NodeJS.WritableStream & {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
};

/** `workers`: threads that serve; absent: one. */
export type ServeOptions = {
  sandbox: boolean;
  config?: string;
  env: Env;
  workers?: number | "auto";
};
/** A service that one command runs for itself. */
type OwnService = { url: string; close(): Promise<void> };
export type SandboxOptions = { port?: number; seed?: number; env: Env };

export type CliImportOptions = {
  path: string;
  feed_id: string;
  region: string | null;
  /** Stations outside it are left out, and trips that call at none within; null: none are. */
  box: Box | null;
  sandbox: boolean;
  env: Env;
  signal?: AbortSignal;
  /** Reports the share of bytes read, 0..1. */
  onProgress(share: number): void;
};
export type ImportReport = {
  stations: number;
  stops: number;
  routes: number;
  operators: number;
  modes: readonly string[];
  /** First and last day on which anything runs, YYYY-MM-DD; null: never. */
  runs_from: string | null;
  runs_until: string | null;
  /** Why it says nothing of the moment of its import, by its own clocks (core/failure-words.ts); null: it does. */
  days_problem: string | null;
  /** Stations whose ways are known, and their lifts; null, absent: no ways are. */
  within_stations?: { stations: number; lifts: number } | null;
  rejected: readonly { reason: string; count: number; examples: readonly string[] }[];
};
export type CliImportResult = { ok: true; report: ImportReport } | { ok: false; problem: string };

/** How far the import of an extract is. */
export type ExtractProgress = {
  /** What it does (packages/osm-base/reader/import-progress.ts). */
  pass: string;
  /** From 0 to 1, never backwards. */
  fraction: number;
  bytes: number;
  counts: BaseCounts;
  bytes_per_s: number | null;
  remaining_ms: number | null;
};

export type ExtractOptions = {
  path: string;
  /** Of a list of addresses; null: it is an extract of the open map. */
  format: AddressFormatName | null;
  base_id: string;
  region: string | null;
  /** Sections of an extract that are not made. */
  without: readonly OptionalSection[];
  sandbox: boolean;
  env: Env;
  /** Stops it: then nothing of it is left. */
  signal?: AbortSignal;
  onProgress(progress: ExtractProgress): void;
};
export type ExtractReport = Omit<BaseMeta, "sections"> & {
  file_bytes: number;
  pack_bytes: number;
  elapsed_ms: number;
};
export type ExtractResult = { ok: true; report: ExtractReport } | { ok: false; problem: string };

export type StoreOptions = {
  sandbox: boolean;
  env: Env;
  /** The command only looks: a store that is not there is not made. */
  reads?: boolean;
  /** The command is about what is in the data folder, also where accounts are in a store elsewhere. */
  uses_folder?: boolean;
};

export type Io = {
  /** Input from another program, line by line. */
  in: NodeJS.ReadableStream;
  out: Output;
  err: Output;
  /** Absent: those of the process. */
  variables?: Variables;
  fetch: typeof fetch;
  /** Resolves after `ms`, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls the listener once on Ctrl-C instead of ending; returns how to stop listening. */
  onInterrupt(listener: () => void): () => void;
  now(): number;
  /** Returns this number of bytes of a CSPRNG. */
  draw(size: number): Uint8Array;
  /** Runs the service, or the simulator alone; resolves with the exit code. Given by main. */
  serve(options: ServeOptions): Promise<number>;
  sandbox(options: SandboxOptions): Promise<number>;
  /** Starts a service on free ports, which writes nothing to standard output. Given by main. */
  openOwn(options: ServeOptions): Promise<OwnService | { problem: string }>;
  /** Reads a feed into the store, with or without a running service. Given by main. */
  importGtfs(options: CliImportOptions): Promise<CliImportResult>;
  /** Reads an extract of the open map into a base of the store. Given by main. */
  importBase(options: ExtractOptions): Promise<ExtractResult>;
  /** Opens the store of the mode, with or without a running service. Given by main. */
  openStore(
    options: StoreOptions,
  ): Promise<AdminStorage | { problem: string }> | AdminStorage | { problem: string };
};

/** The part of `Io` that `main` must pass; the rest comes from the process. */
export type GivenIo = Pick<
  Io,
  "serve" | "sandbox" | "openOwn" | "importGtfs" | "importBase" | "openStore"
> &
  Partial<Io>;

export function completeIo(input: GivenIo): Io {
  return {
    in: process.stdin,
    out: process.stdout,
    err: process.stderr,
    fetch: globalThis.fetch,
    sleep: sleepUntilAborted,
    onInterrupt: listenForInterrupt,
    now: Date.now,
    draw: randomBytes,
    ...input,
  };
}

function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).then(
    () => undefined,
    () => undefined,
  );
}

function listenForInterrupt(listener: () => void): () => void {
  process.once("SIGINT", listener);
  return () => process.removeListener("SIGINT", listener);
}
