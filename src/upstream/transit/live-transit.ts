/**
 * Live data of one timetable (GTFS Realtime): asked for while callers ask, file by file, and read in
 * a thread of its own into one table. Each file is used until it is too old, and fails alone.
 */
import {
  LIVE_TRANSIT_FILES,
  type LiveFeed,
  type LiveFileName,
  type LiveProblem,
  type LiveQuestion,
  type LiveFeedState,
} from "#upstream/transit/live-state.ts";
import { type LiveTable, openLive } from "#transit/live/live-table.ts";
import type { Clock } from "#ports.ts";
import type { Auth } from "#providers/provider.ts";
import { orAbort } from "#upstream/deadline.ts";
import { guard } from "#kit/guard.ts";
import type { Thread } from "#kit/run/thread.ts";
import { type FailedReading, LiveFile, type LiveFileDeps, UNREADABLE_FILE } from "./live-file.ts";
import type { LiveJob, LiveResult } from "./live-job.ts";

export type LiveSettings = {
  trip_updates?: string;
  vehicle_positions?: string;
  alerts?: string;
  auth?: Auth;
  max_age_s: number;
  refresh_s: number;
};

export type LiveDeps = LiveFileDeps & {
  thread: Pick<Thread<LiveJob, LiveResult>, "run">;
  /** Called when the files of a feed were asked for, with what failed first; null: nothing. */
  onAttempt?: (feed_id: string, failed: FailedReading | null) => void;
};

/** The timetable that messages are read against, in shared memory; null: none is loaded. */
export type PackOf = () => { feed_id: string; version: number; bytes: Uint8Array } | null;

/** After the first file that came, the others are waited for no longer; they are read the next time. */
const LATE_MS = 2_000;

/** A reading is followed by a pause of that number of times its cost: a feed has a twentieth of a core. */
const PAUSE_TIMES = 19;
/** And of at most this share of the time for which its data are good. */
const MAX_PAUSE_SHARE = 0.5;

/** A table has the trips of its timetable by their numbers: with another one it means nothing. */
type CurrentTable = {
  /** null: no file can be used. */
  table: LiveTable | null;
  version: number;
  /** When the oldest of its files was made, epoch ms; Infinity: it has none. */
  made_at_ms: number;
};

export class LiveData implements LiveFeed {
  readonly #settings: LiveSettings;
  readonly #packOf: PackOf;
  readonly #deps: LiveDeps;
  readonly #files: readonly LiveFile[];
  /** The one that alerts come in; null: they are not configured. */
  readonly #alerts: LiveFile | null;
  #stored: CurrentTable | null = null;
  /** Under way: what comes of these files is read, and then the table is made. */
  #reading: { of: readonly LiveFile[]; end: Promise<void> } | null = null;
  /** The table could not be made of what was read before; not tried again before `#retry_ms`. */
  #isBroken = false;
  #retry_ms = 0;
  /** Until then nothing is asked for, where each file has something. */
  #pause_until_ms = 0;

  constructor(settings: LiveSettings, packOf: PackOf, deps: LiveDeps) {
    this.#settings = settings;
    this.#packOf = packOf;
    this.#deps = deps;
    this.#files = openFiles(settings, deps);
    const alerts_name = nameOf(settings, settings.alerts);
    this.#alerts = this.#files.find(({ name }) => name === alerts_name) ?? null;
  }

  get max_age_s(): number {
    return this.#settings.max_age_s;
  }

  async refresh({ now_ms, signal }: LiveQuestion): Promise<LiveFeedState> {
    if (this.#packOf() === null) return this.state(now_ms);
    const files = this.#files;
    const isPause = now_ms < this.#pause_until_ms && files.every((file) => file.content(now_ms));
    const of = files.filter((file) => !isPause && (file.ask(now_ms) || file.fresh !== null));
    const isStale = !this.#isCurrent(now_ms) && now_ms >= this.#retry_ms;
    if (of.length > 0 || isStale) this.#reading ??= { of, end: this.#begin(of) };
    // What is still good answers at once; a first reading is worth waiting for.
    const isWorth = !this.#isCurrent(now_ms) || this.#stored?.table == null;
    const reading = this.#reading;
    if (reading !== null && (isWorth || reading.of.some((file) => file.isWanting(now_ms))))
      await guard(
        () => orAbort(reading.end, signal),
        () => undefined,
      );
    return this.state(this.#deps.clock.now());
  }

  state(now_ms: number): LiveFeedState {
    const listed = this.#isCurrent(now_ms) && this.#stored?.table ? this.#stored : null;
    const next_ms = Math.min(...this.#files.map(({ due_ms }) => due_ms));
    const due_ms = Math.max(this.#pause_until_ms, next_ms);
    return {
      problems: this.#isBroken
        ? [{ file: null, ...UNREADABLE_FILE, held_at_ms: null }]
        : listProblems(this.#files, now_ms),
      table: listed?.table ?? null,
      version: listed?.version ?? null,
      made_at_ms: listed?.made_at_ms ?? null,
      has_alerts: this.#alerts && listed !== null && this.#alerts.content(now_ms) !== null,
      good_until_ms: Math.max(now_ms, due_ms),
    };
  }

  /** Whether the table is of the timetable in use, and of no file that is too old by now. */
  #isCurrent(now_ms: number): boolean {
    const stored = this.#stored;
    if (stored === null || stored.version !== this.#packOf()?.version) return false;
    return now_ms - stored.made_at_ms <= this.max_age_s * 1_000;
  }

  #begin(of: readonly LiveFile[]): Promise<void> {
    const onFault = (error: unknown): void => {
      this.#isBroken = true;
      this.#deps.onFault("live data of a timetable", error);
    };
    const readAndNote = async (): Promise<void> => {
      await guard(() => this.#read(of), onFault);
      this.#reading = null;
      noteAttempt(of, this.#packOf(), this.#deps);
    };
    return guard(readAndNote, onFault);
  }

  async #read(of: readonly LiveFile[]): Promise<void> {
    const { clock } = this.#deps;
    await arrived(of, clock);
    const fresh = this.#files.filter((file) => file.fresh !== null);
    if (fresh.length > 0 && !(await this.#build(fresh))) {
      // One that cannot be read must not take the others with it.
      for (const file of fresh) {
        const body = file.fresh!;
        if (fresh.length === 1 || !(await this.#build([file]))) file.reject(body);
      }
    }
    const isDone = this.#isCurrent(clock.now());
    this.#isBroken = !isDone && !(await this.#build([]));
    if (!isDone) this.#retry_ms = clock.now() + this.#settings.refresh_s * 1_000;
  }

  /** Makes the table of what is known, and of these as they came; false: it cannot be made. */
  async #build(fresh: readonly LiveFile[]): Promise<boolean> {
    const { clock, thread } = this.#deps;
    const pack = this.#packOf();
    if (pack === null) return false;
    const used = listBodies(this.#files, fresh, clock.now());
    const { version } = pack;
    if (used.length === 0) {
      this.#stored = { table: null, version, made_at_ms: Infinity };
      return true;
    }
    const result = await thread.run({ pack, messages: used.map(({ body }) => body) });
    const table = result?.ok ? openLive(result.bytes) : null;
    if (!result?.ok || table === null) return false;
    const made = used.map(({ file, body }, i) => file.accept(body, result.made_ms[i] ?? null));
    this.#stored = { table, version, made_at_ms: Math.min(...made) };
    this.#pause_until_ms = clock.now() + pauseAfter_ms(result.cost_ms, this.max_age_s);
    return true;
  }
}

/** What is known of each file, and of the fresh ones as they came. */
function listBodies(files: readonly LiveFile[], fresh: readonly LiveFile[], now_ms: number) {
  return files.flatMap((file) => {
    const body = fresh.includes(file) ? file.fresh : file.content(now_ms);
    return body === null ? [] : [{ file, body }];
  });
}

function pauseAfter_ms(cost_ms: number, max_age_s: number): number {
  return Math.min(PAUSE_TIMES * cost_ms, MAX_PAUSE_SHARE * max_age_s * 1_000);
}

/** Reports what failed first of the files that were asked for. */
function noteAttempt(
  of: readonly LiveFile[],
  pack: ReturnType<PackOf>,
  { clock, onAttempt }: LiveDeps,
): void {
  const now_ms = clock.now();
  const [failed = null] = of.flatMap((file) => file.problem(now_ms) ?? []);
  if (pack !== null && of.length > 0) onAttempt?.(pack.feed_id, failed);
}

/** The first name of an address: that of its file. */
function nameOf(settings: LiveSettings, url: string | undefined): LiveFileName | undefined {
  return url === undefined ? url : LIVE_TRANSIT_FILES.find((name) => settings[name] === url);
}

/** Each address once: one may serve all. */
function openFiles(settings: LiveSettings, deps: LiveDeps): LiveFile[] {
  const { auth, max_age_s, refresh_s } = settings;
  const urls = new Map<string, LiveFileName>();
  for (const name of LIVE_TRANSIT_FILES) {
    const url = settings[name];
    if (url !== undefined && !urls.has(url)) urls.set(url, name);
  }
  const request = { ...(auth && { auth }), max_age_s, refresh_s };
  return Array.from(urls, ([url, name]) => new LiveFile(name, { url, ...request }, deps));
}

/** Resolves when all that is asked for has come or failed, or some time after the first of it. */
async function arrived(files: readonly LiveFile[], clock: Clock): Promise<void> {
  const queries = files.flatMap((file) => file.asking ?? []);
  if (queries.length === 0) return;
  await Promise.race(queries);
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.schedule(clock.now() + LATE_MS, resolve);
  await Promise.race([Promise.all(queries), late]);
  cancel();
}

/** File by file; where all have one, it is that of the live data. */
function listProblems(files: readonly LiveFile[], now_ms: number): LiveProblem[] {
  const problems = files.flatMap((file): LiveProblem[] => {
    const problem = file.problem(now_ms);
    const held_at_ms = file.content(now_ms)?.made_at_ms ?? null;
    return problem === null ? [] : [{ file: file.name, ...problem, held_at_ms }];
  });
  const [first] = problems;
  if (first === undefined || problems.length < files.length) return problems;
  const stored = problems.map(({ held_at_ms }) => held_at_ms).filter((each) => each !== null);
  const isHeld = stored.length === problems.length;
  return [{ ...first, file: null, held_at_ms: isHeld ? Math.min(...stored) : null }];
}
