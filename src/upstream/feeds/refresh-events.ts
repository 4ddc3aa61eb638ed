/** Events of one system, for logs and metrics (`FeedEvent`). */
import type { RefreshResult } from "#ports.ts";
import type { FeedFile, FileReport } from "#stations/feed.ts";
import type { FeedEvent } from "#upstream/feeds/feed-types.ts";

export class FeedEvents {
  readonly #source_id: string;
  readonly #onEvent: ((event: FeedEvent) => void) | undefined;
  /** Why rows of each file were dropped, as last said. */
  readonly #dropped = new Map<FeedFile, string>();
  /** Which files the discovery lists several times, as last said. */
  #repeated = "";

  constructor(source_id: string, onEvent: ((event: FeedEvent) => void) | undefined) {
    this.#source_id = source_id;
    this.#onEvent = onEvent;
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

  /** Rows that were left out of a file: said once, and again when the reasons are others. */
  dropped(file: FeedFile, report: FileReport | undefined): void {
    if (!report?.ok || report.trail.dropped.length === 0) return;
    const { seen, trail } = report;
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
}
