/** What a thread that serves is started with, and the messages between it and the main one (docs/workers.md). */
import type { SandboxFacts } from "../../../sandbox/main.ts";
import type { Config } from "#config/load.ts";
import type { Env } from "#config/env.ts";
import type { Call, Reply } from "#kit/calls.ts";
import type { Feeds, RefreshResult } from "#ports.ts";
import type { SourceHistory } from "#app/source-history.ts";
import type { SourceQuality } from "#app/source-quality.ts";
import type { SandboxKey } from "#storage/sandbox-keys.ts";
import type { SharedTables } from "#storage/threads/shared-tables.ts";
import type { StoreCalls } from "#storage/threads/thread-storage.ts";
import type { Shown } from "#app/threads/publication.ts";

export type ServingTask = {
  /** Number of the thread, from 1. */
  thread: number;
  config: Config;
  env: Env;
  version: string;
  commit: string | null;
  tables: SharedTables;
  /** Of the datasets. */
  secret: Uint8Array;
  /** null: live. */
  sandbox: SandboxFacts | null;
  keys: readonly SandboxKey[];
  /** How far the service's time is ahead of the system's, ms: it is moved by tests and the sandbox. */
  ahead_ms: number;
};

/** How a source did. */
type Noted = { kind: "noted"; note: Parameters<SourceHistory["note"]> };
/** What was found wrong in a reading. */
type Read = { kind: "read"; note: Parameters<SourceQuality["note"]> };
/** What the main thread reports; calls and their answers besides. */
export type Notice = Shown | Noted | Read;
export type ToThread = Notice | Call | Reply;
/** Functions of the main thread. */
export type MainCalls = StoreCalls & {
  wake(source_ids: readonly string[]): void;
  prioritise(country: string): void;
  refresh(...query: Parameters<Feeds["refresh"]>): Promise<RefreshResult>;
  /** How a source that the thread has asked did, and what was found wrong in it: all threads are notified. */
  noteSource: SourceHistory["note"];
  noteReading: SourceQuality["note"];
};
export const MAIN_CALLS = [
  ...(["wake", "prioritise", "refresh", "noteSource", "noteReading"] as const),
  ...(["countEvents", "putDataset", "keepDatasetOn", "addSpend", "claim", "endClaim"] as const),
] as const satisfies readonly (keyof MainCalls)[];

/** Functions of a thread that serves. */
export type ThreadCalls = {
  /** Text of its metrics. */
  metrics(): string;
  /** Moves its usage to the ledger. */
  moveUsage(): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Serves by these plans from now on. */
  replacePlans(plans: Config["plans"]): void;
  reopenLog(): void;
  drain(delay_ms: number): Promise<void>;
  /** Ends all of it; then the thread ends. */
  close(): Promise<void>;
};
export const THREAD_CALLS = [
  ...(["metrics", "moveUsage", "advance", "replacePlans", "reopenLog", "drain", "close"] as const),
] as const satisfies readonly (keyof ThreadCalls)[];
