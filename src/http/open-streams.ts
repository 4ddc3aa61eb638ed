/** Streams of events that go on, and what those came to that are over: the metrics read them. */
import type { ByeReason } from "#api/live.ts";
import type { Metrics } from "./metrics.ts";

/** Why a stream ended: the reason of its last event; `done`: it has none; `left`: by the caller, or its connection. */
export type StreamEnd = ByeReason | "done" | "left";

type Open = { readonly route: string; readonly bytes: number };
type Past = { bytes: number; ends: Partial<Record<StreamEnd, number>> };

export class OpenStreams {
  readonly #open = new Set<Open>();
  readonly #past = new Map<string, Past>();

  get count(): number {
    return this.#open.size;
  }

  add(stream: Open): void {
    this.#open.add(stream);
    if (!this.#past.has(stream.route)) this.#past.set(stream.route, { bytes: 0, ends: {} });
  }

  remove(stream: Open, end: StreamEnd): void {
    const past = this.#past.get(stream.route);
    if (past === undefined || !this.#open.delete(stream)) return;
    past.bytes += stream.bytes;
    past.ends[end] = (past.ends[end] ?? 0) + 1;
  }

  watch(metrics: Pick<Metrics, "watch">): void {
    metrics.watch("svc_streams", () => [
      ...[...this.#past.keys()].map((route) => one(route, 0)),
      ...[...this.#open].map(({ route }) => one(route, 1)),
    ]);
    metrics.watch("svc_stream_bytes_total", () => [
      ...[...this.#past].map(([route, { bytes }]) => one(route, bytes)),
      ...[...this.#open].map(({ route, bytes }) => one(route, bytes)),
    ]);
    metrics.watch("svc_stream_ends_total", () =>
      [...this.#past].flatMap(([route, { ends }]) =>
        Object.entries(ends).map(([reason, value]) => ({ labels: { route, reason }, value })),
      ),
    );
  }
}

/** Samples of one series are added up (http/metric-family). */
function one(route: string, value: number) {
  return { labels: { route }, value };
}
