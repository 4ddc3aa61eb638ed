/** What calls to sources, and readings of registers and catalogues, leave in log, metrics, traces and history. */
import type { Logger } from "pino";
import type { Tracing } from "#core/trace.ts";
import type { Metrics } from "#http/metrics.ts";
import type { SourceReading } from "#core/quality/findings.ts";
import type { SourceStatus } from "#kit/outcome.ts";
import type { Trail } from "#kit/trail.ts";
import type { CatalogueEvent } from "#upstream/catalogue-reader.ts";
import type { Attempt } from "#upstream/lookup/lookup-caller.ts";
import type { RegistryEvent } from "#upstream/registries.ts";
import { noteCatalogue } from "./catalogue-meter.ts";

/** Takes the end of an attempt of a source. */
type History = {
  note(source_id: string, ended: { status: SourceStatus; reason: string | null }): void;
};

/** Takes what a reading found wrong. */
type Quality = { note(source_id: string, reading: SourceReading): void };

type Deps = {
  log: Logger;
  metrics: Pick<Metrics, "lookedUp">;
  tracing: Tracing | null;
  history: History;
  quality: Quality;
  health: { note(attempt: Pick<Attempt, "provider" | "status" | "reason">): void };
  /** Under which id `/v1/sources` lists a provider. */
  toListedId(provider: string): string;
};

export function noteLookups(deps: Deps): (attempt: Attempt) => void {
  const { log, metrics, tracing, history, quality, health, toListedId } = deps;
  return ({ trail, sent, ...attempt }) => {
    const source_id = toListedId(attempt.provider);
    const { lookup_id: operation, ...traced } = attempt;
    tracing?.called({ ...traced, operation, sent: sent() });
    health.note(attempt);
    history.note(source_id, attempt);
    if (attempt.status === "ok") quality.note(source_id, withoutExamples(operation, trail()));
    metrics.lookedUp(attempt.provider, attempt.status, attempt.elapsed_ms / 1000);
    if (attempt.status !== "ok" && attempt.reason !== "aborted") log.warn(attempt, "lookup");
    else if (log.isLevelEnabled("debug")) log.debug({ ...attempt, ...trail() }, "lookup");
  };
}

/** Examples of an answer would show where its caller asked. */
function withoutExamples(part: string, { dropped, repaired }: Trail): SourceReading {
  const bare = (entries: Trail["dropped"]): Trail["dropped"] =>
    entries.map((entry) => ({ ...entry, examples: [] }));
  return { part, dropped: bare(dropped), repaired: bare(repaired) };
}

export function noteRegistries(
  log: Logger,
  { history, quality }: Pick<Deps, "history" | "quality">,
): (event: RegistryEvent, source_id: string) => void {
  return (event, source_id) => {
    const { kept, outcome, reason, reasons: dropped = [], repaired = [] } = event;
    if (!kept) history.note(source_id, { status: outcome, reason });
    if (outcome === "ok" && reason !== UNCHANGED)
      quality.note(source_id, { part: null, dropped, repaired });
    if (event.outcome === "ok") log.info(event, "registry");
    else log.warn(event, "registry");
  };
}

/** Nothing was read. */
const UNCHANGED = "not_modified";

/** What was kept of a catalogue is no reading. */
export function noteCatalogues(log: Logger, history: History): (event: CatalogueEvent) => void {
  const say = noteCatalogue(log);
  return (event) => {
    const { catalogue, status, reason, kept } = event;
    if (!kept) history.note(catalogue, { status, reason });
    say(event);
  };
}
