/** Imported timetables and bases that answer nothing until someone imports them again, as a series of /metrics. */
import type { Metrics } from "#http/metrics.ts";

/** Why an import is of no use (docs/operations.md, VicinityImportUnusable). */
export const UNUSABLE = ["earlier_version", "later_version", "damaged", "ended"] as const;
type Unusable = (typeof UNUSABLE)[number];

export const IMPORT_KINDS = ["timetable", "base"] as const;

/** Each lists, for every import of its kind that is of no use, why. */
export type ImportFacts = Readonly<
  Record<(typeof IMPORT_KINDS)[number], () => readonly Unusable[]>
>;

type Imports = {
  transit: { listUnusable(now_ms: number): readonly Unusable[] };
  bases: { listUnread(): readonly { reason: Unusable }[] };
};

/** Of the imports of a deployment at this moment. */
export function importFacts({ transit, bases }: Imports, now: () => number): ImportFacts {
  return {
    timetable: () => transit.listUnusable(now()),
    base: () => bases.listUnread().map(({ reason }) => reason),
  };
}

export function watchImports(metrics: Pick<Metrics, "watch">, facts: ImportFacts): void {
  metrics.watch("svc_imports_unusable", () =>
    IMPORT_KINDS.flatMap((kind) => {
      const match = facts[kind]();
      return UNUSABLE.map((reason) => ({
        labels: { kind, reason },
        value: match.filter((each) => each === reason).length,
      }));
    }),
  );
}
