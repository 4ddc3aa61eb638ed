/** How the catalogues are, as series of /metrics, and what of them is worth a line of the log. */
import { explainFailure } from "#core/failure-words.ts";
import type { Metrics } from "#http/metrics.ts";
import type { CatalogueEvent, CatalogueHealth } from "#upstream/catalogue-reader.ts";

type Watched = { id: string; health(): CatalogueHealth };

export function watchCatalogues(
  metrics: Pick<Metrics, "watch">,
  catalogues: readonly Watched[],
  now: () => number,
): void {
  metrics.watch("svc_catalogue_up", () =>
    catalogues.map(({ id, health }) => ({
      labels: { catalogue: id },
      value: health().status === "ok" ? 1 : 0,
    })),
  );
  metrics.watch("svc_catalogue_age_seconds", () =>
    catalogues.flatMap(({ id, health }) => {
      const { last_success_at_ms: at_ms } = health();
      if (at_ms === null) return [];
      return [{ labels: { catalogue: id }, value: Math.max(0, now() - at_ms) / 1000 }];
    }),
  );
}

type Say = (fields: object, message: string) => void;

/** The address and the cause where it could not be read; else what was left out of it, and why. */
export function noteCatalogue(log: { info: Say; warn: Say }): (event: CatalogueEvent) => void {
  return ({ status, reason, last_success_at_ms, kept, dropped, ...event }) => {
    const read_at = last_success_at_ms === null ? null : new Date(last_success_at_ms).toISOString();
    if (status === "ok") {
      const what = kept ? "catalogue of an earlier start" : "catalogue";
      return log.info({ ...event, reason, read_at, dropped }, what);
    }
    const { word, message } = explainFailure({ status, reason: reason ?? "unexpected" });
    log.warn(
      { ...event, reason, read_at, word, cause: message },
      "the catalogue could not be read",
    );
  };
}
