/** What the feed runtime is given and gives back. */
import type { Box, Mode } from "#core/entities.ts";
import type { SourceStatus } from "#core/outcome.ts";
import type {
  Clock,
  FeedExchange,
  FeedInfo,
  FeedStore,
  Feeds,
  Random,
  RateLimiter,
  ShardSink,
} from "#ports.ts";
import type { Auth, FeedProtocol, IngestJob, IngestResult } from "#providers/provider.ts";
import type { Run } from "#upstream/run.ts";

/** One configured system. */
export type FeedSystem = {
  id: string;
  /** How it publishes; absent: as the runtime's own protocol says. */
  protocol?: FeedProtocol;
  /** Where it must be looked for before it has been read; absent: a survey tells. */
  near?: Box;
  /** Of the discovery document, as configured. */
  url: string;
  name: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string | null;
  auth: Auth;
  mode_hint: Mode | null;
  network: { id: string; name: string | null } | null;
  /** Host policy of reliability 4.5 rule 4; null: any public host. */
  same_site_as: string[] | null;
};

export type FeedDeps = {
  systems: readonly FeedSystem[];
  protocol: FeedProtocol;
  run: Run;
  clock: Clock;
  random: Random;
  sink: ShardSink;
  store: FeedStore;
  /** Consumes the bodies: their memory may have moved to another thread afterwards. */
  ingest: (job: IngestJob) => Promise<IngestResult>;
  /** Of one file. */
  timeout_ms: number;
  /** A system nobody has asked near for so long is not polled. */
  idle_s: number;
  survey: { enabled: boolean; concurrency: number };
  /** Where the replicas of a fleet exchange what they read; null or absent: alone. */
  exchange?: FeedExchange | null;
  /** Counts what publishers allow an hour for all of a fleet; null or absent: counted here. */
  limiter?: RateLimiter | null;
  onEvent?: ((event: FeedEvent) => void) | undefined;
};

/** For logs and metrics: a flight or a survey that is over, or a fault of our own. */
export type FeedEvent = {
  /** `fault`: a bug or a full disk, not the upstream's doing; `error` tells. */
  kind: "flight" | "survey" | "fault";
  source_id: string;
  outcome: SourceStatus;
  reason: string | null;
  elapsed_ms: number;
  error?: unknown;
};

export type FeedRuntime = Feeds & {
  /** More systems (a catalogue that has been read); known ones stay, under a new URL anew. */
  add(systems: readonly FeedSystem[]): void;
  /** Says where the remembered systems are, and begins the survey. */
  start(): void;
  /**
   * Reads what the fleet has published, of all systems that were added; at most for 10 s, then with
   * what has come. Nothing without an exchange. Best before `start`, and again after a catalogue.
   */
  join(): Promise<void>;
  /** Resolves when every system without a known place has been tried once, failures included. */
  surveyed(): Promise<void>;
  snapshot(): FeedInfo[];
  /** One system of the snapshot; null: there is none of this id. */
  find(source_id: string): FeedInfo | null;
  /** Resolves when nothing is in the air. */
  settle(): Promise<void>;
  /** Stops polling, ends the flights in the air and waits for them. */
  close(): Promise<void>;
};
