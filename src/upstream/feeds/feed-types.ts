/** Input and results of the feed runtime. */
import type { Mode } from "#stations/entities.ts";
import type { SourceReading } from "#core/quality/findings.ts";
import type { Box } from "#kit/geo.ts";
import type { NoteFault } from "#kit/guard.ts";
import type { Trail } from "#kit/trail.ts";
import type { Failure, SourceStatus } from "#kit/outcome.ts";
import type {
  Clock,
  FeedExchange,
  FeedStore,
  Feeds,
  Random,
  RateLimiter,
  ShardSink,
} from "#ports.ts";
import type { Auth } from "#providers/provider.ts";
import type { FeedFile, FeedProtocol, IngestJob, IngestResult } from "#stations/feed.ts";
import type { NoteWork } from "#upstream/feeds/work.ts";
import type { RunRequest } from "#upstream/run.ts";

/** One configured system. */
export type FeedSystem = {
  id: string;
  /** How it publishes; absent: as the runtime's own protocol says. */
  protocol?: FeedProtocol;
  /** Where it must be looked for before it has been read; absent: a survey finds out. */
  near?: Box;
  /** Of the discovery document, as configured. */
  url: string;
  name: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string | null;
  /** As its catalogue names the place. */
  location?: string;
  auth: Auth;
  mode_hint: Mode | null;
  network: { id: string; name: string | null } | null;
  /** Host policy of reliability 4.5 rule 4; null: any public host. */
  same_site_as: string[] | null;
};

export type FeedDeps = {
  systems: readonly FeedSystem[];
  protocol: FeedProtocol;
  run: RunRequest;
  clock: Clock;
  random: Random;
  sink: ShardSink;
  store: FeedStore;
  /** Consumes the bodies: their memory may have moved to another thread afterwards. */
  ingest: (job: IngestJob) => Promise<IngestResult>;
  /** Of one file. */
  timeout_ms: number;
  /** A system without a request near it for this long is not polled. */
  idle_s: number;
  survey: { enabled: boolean; concurrency: number };
  /** Where the replicas of a fleet exchange what they read; null or absent: alone. */
  exchange?: FeedExchange | null;
  /** Counts what publishers allow an hour for all of a fleet; null or absent: counted here. */
  limiter?: RateLimiter | null;
  onEvent?: ((event: FeedEvent) => void) | undefined;
  /** Receives what each reading of a file found wrong. */
  onReading?: ((source_id: string, reading: SourceReading) => void) | undefined;
  /** Receives what a task of the runtime throws that belongs to no system. */
  onFault: NoteFault;
  /** Work done in one go on the thread that serves requests. */
  onWork?: NoteWork | undefined;
};

/** One system as the feed runtime reports it, for `GET /v1/sources` and the metrics. */
export type FeedInfo = {
  id: string;
  /** Its terms hold where the system states none (providers/registry). */
  provider: string;
  name: string;
  /** Every name under which it is published: in each language, and as its catalogue has it. */
  names: readonly string[];
  /** Its last outcome while polled; `idle` when surveyed and asleep; `not_surveyed` before. */
  state: SourceStatus | "idle" | "not_surveyed";
  licence: string | null;
  licence_url: string | null;
  attribution: string | null;
  attribution_url: string | null;
  /** Of its brand, `#rrggbb`. */
  color: string | null;
  entity_count: number | null;
  box: Box | null;
  /** Its parts where it has distant ones, the largest first; null: it has not been read whole. */
  areas: readonly Box[] | null;
  /** Why it is not well; null: nothing is known to be wrong. */
  failure: Failure | null;
  /** It could not be surveyed, and nothing suggests where it is. */
  lost: boolean;
  last_success_at_ms: number | null;
  /** Share of failed attempts of the last five minutes; null: none was made. */
  error_rate_5m: number | null;
};

/** Event for logs and metrics: a refresh or a survey that has ended, or a fault of our own. */
export type FeedEvent = {
  /**
   * `fault`: a bug or a full disk, not the upstream's doing; `error` is its cause. `dropped`: rows of a
   * file were left out, reported once for each file and set of reasons. `repeated`: the discovery lists
   * files several times.
   */
  kind: "refresh" | "survey" | "fault" | "dropped" | "repeated";
  source_id: string;
  outcome: SourceStatus;
  reason: string | null;
  elapsed_ms: number;
  error?: unknown;
  /** Of `dropped`: the file, the number of its rows, and what was left out of them, with examples. */
  file?: FeedFile;
  seen?: number;
  dropped?: Trail["dropped"];
  /** Of `repeated`. */
  files?: readonly string[];
};

/** Countries whose systems, and those of no stated country, are surveyed alone until then. */
export type FirstCountries = { countries: readonly string[]; until: Promise<void> };

export type FeedRuntime = Feeds & {
  /** More systems (a catalogue that has been read); known ones stay, and move where their URL is new. */
  add(systems: readonly FeedSystem[]): void;
  /** Reports where the remembered systems are, and begins the survey: of all systems, or of these first. */
  start(first?: FirstCountries | null): void;
  /**
   * Reads what the fleet has published, of all systems that were added; at most for 10 s, then with
   * what has come. Nothing without an exchange. Best before `start`, and again after a catalogue.
   */
  join(): Promise<void>;
  /**
   * Resolves when every system without a known place has been tried once, failures included; given
   * countries, those there and those of no stated country.
   */
  surveyed(countries?: readonly string[]): Promise<void>;
  snapshot(): FeedInfo[];
  /** One system of the snapshot; null: there is none of this id. */
  find(source_id: string): FeedInfo | null;
  /** Resolves when nothing is in flight. */
  settle(): Promise<void>;
  /** Stops polling, ends the requests in flight and waits for them. */
  close(): Promise<void>;
};
