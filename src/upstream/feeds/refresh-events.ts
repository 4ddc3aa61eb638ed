/** Events of one system, for logs and metrics (`FeedEvent`), and what its readings found wrong. */
import type { TrailEntry } from "#kit/trail.ts";
import type { RefreshResult } from "#ports.ts";
import type { FeedFile, FileReport } from "#stations/feed.ts";
import type { FeedDeps, FeedEvent } from "#upstream/feeds/feed-types.ts";

/** Without a new publication for this long, stations that only the status knows are no delay. */
const NEVER_RENEWED_MS = 86_400_000;
const UNKNOWN_STATION = "status_without_station";

/** A file that was read, and the static pack that it was laid out against. */
type FileRead = {
  report: FileReport | undefined;
  statics?: object | undefined;
  now_ms: number;
};

export class FeedEvents {
  readonly #source_id: string;
  readonly #onEvent: ((event: FeedEvent) => void) | undefined;
  /** Why rows of each file were dropped, as last said. */
  readonly #dropped = new Map<FeedFile, string>();
  readonly #onReading: FeedDeps["onReading"];
  /** The static pack in use, and since when. */
  #statics: { pack: object | undefined; since_ms: number } = { pack: undefined, since_ms: 0 };
  /** Which files the discovery lists several times, as last said. */
  #repeated = "";

  constructor(source_id: string, { onEvent, onReading }: Pick<FeedDeps, "onEvent" | "onReading">) {
    this.#source_id = source_id;
    this.#onEvent = onEvent;
    this.#onReading = onReading;
  }

  ended(kind: "refresh" | "survey", result: RefreshResult, elapsed_ms: number): void {
    const reason = result.status === "ok" ? null : result.reason;
    const source_id = this.#source_id;
    this.#onEvent?.({ source_id, kind, outcome: result.status, reason, elapsed_ms });
  }

  fault(reason: string, error?: unknown): void {
    this.#onEvent?.({
      source_id: this.#source_id,
      kind: "fault",
      outcome: "error",
      reason,
      elapsed_ms: 0,
      ...(error === undefined ? {} : { error }),
    });
  }

  /** Files that the discovery lists several times: said once, and again when they are others. */
  repeated(files: readonly string[]): void {
    const twice = { reason: "file_listed_twice", count: files.length, examples: [...files] };
    const repaired = files.length > 0 ? [twice] : [];
    this.#onReading?.(this.#source_id, { part: "discovery", repaired });
    const list = files.join(" ");
    if (this.#repeated === list) return;
    this.#repeated = list;
    if (files.length === 0) return;
    this.#onEvent?.({
      source_id: this.#source_id,
      kind: "repeated",
      outcome: "ok",
      reason: null,
      elapsed_ms: 0,
      files,
    });
  }

  /** A file was read. Rows that were left out: said once, and again when the reasons are others. */
  read(file: FeedFile, read: FileRead): void {
    const { report, statics, now_ms } = read;
    if (!report?.ok) return;
    const { seen, trail, contradictions = [] } = report;
    if (statics && statics !== this.#statics.pack)
      this.#statics = { pack: statics, since_ms: now_ms };
    this.#onReading?.(this.#source_id, {
      ...trail,
      part: file,
      contradictions: [...contradictions, ...this.#neverRenewed(trail.dropped, now_ms)],
    });
    if (trail.dropped.length === 0) return;
    const reasons = trail.dropped.map(({ reason }) => reason).join(" ");
    if (this.#dropped.get(file) === reasons) return;
    this.#dropped.set(file, reasons);
    this.#onEvent?.({
      source_id: this.#source_id,
      kind: "dropped",
      outcome: "ok",
      reason: null,
      elapsed_ms: 0,
      file,
      seen,
      dropped: trail.dropped,
    });
  }

  /** States of stations that the static file does not have, though it has not changed for a day. */
  #neverRenewed(dropped: readonly TrailEntry[], now_ms: number): TrailEntry[] {
    const orphans = dropped.find(({ reason }) => reason === UNKNOWN_STATION);
    const { pack, since_ms } = this.#statics;
    if (!orphans || pack === undefined || now_ms - since_ms < NEVER_RENEWED_MS) return [];
    return [{ ...orphans, reason: "stations_never_renewed" }];
  }
}
