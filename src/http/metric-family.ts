/**
 * One metric with its series. Code on a busy path looks its series up once and then adds to a
 * number; a value that is kept elsewhere anyway is read at the scrape. prom-client only asks for
 * the values.
 */
import type { Metric } from "prom-client";
import type { MetricRow } from "./metric-table.ts";

/** A series; its holder writes to it. */
export type Cell = { count: number };
export type Labels = Readonly<Record<string, string>>;
export type Sample = { labels: Labels; value: number };

export type Family = {
  /** Returns the series of these labels, made if need be. An unlisted value counts as `other`. */
  cell(labels: Labels): Cell;
  /**
   * Sets the function that reads the values, replacing an earlier one. A series that is watched
   * takes the place of the cell with the same labels.
   */
  watch(read: () => readonly Sample[]): void;
  metric: Metric;
};

type Kept = { labels: Labels; cell: Cell };

export function createFamily(name: string, row: MetricRow): Family {
  const kept = new Map<string, Kept>();
  let read: () => readonly Sample[] = () => [];
  const cell = (labels: Labels): Cell => {
    const listed = toListed(labels, row);
    const key = JSON.stringify(listed);
    const known = kept.get(key) ?? { labels: listed, cell: { count: 0 } };
    kept.set(key, known);
    return known.cell;
  };
  // A counter that is not there before it counts looks, to a rate, as if it had never moved.
  if (row.type === "counter") for (const labels of combinations(row)) cell(labels);
  const get = () => ({
    name,
    help: row.help,
    type: row.type,
    aggregator: "sum",
    values: toSeries(kept, read(), row),
  });
  const reset = (): void => {
    for (const { cell: each } of kept.values()) each.count = 0;
  };
  return {
    cell,
    watch: (next) => void (read = next),
    metric: { name, help: row.help, get, reset } as unknown as Metric,
  };
}

/** Returns each series once; samples that are the same series once listed are added up. */
function toSeries(
  kept: ReadonlyMap<string, Kept>,
  watched: readonly Sample[],
  row: MetricRow,
): Sample[] {
  const sums = new Map<string, Sample>();
  for (const { labels, value } of watched) {
    const listed = toListed(labels, row);
    const key = JSON.stringify(listed);
    sums.set(key, { labels: listed, value: (sums.get(key)?.value ?? 0) + value });
  }
  const counted = [...kept].filter(([key]) => !sums.has(key));
  return [
    ...counted.map(([, { labels, cell }]) => ({ labels, value: cell.count })),
    ...sums.values(),
  ];
}

/** Puts labels in the order of the table. */
function toListed(labels: Labels, { labels: rows }: MetricRow): Labels {
  return Object.fromEntries(
    Object.entries(rows).map(([name, values]) => {
      const value = labels[name] ?? "other";
      return [name, values === "deployment" || values.includes(value) ? value : "other"];
    }),
  );
}

/** None where a label is of the deployment, or there is no label. */
function combinations({ labels }: MetricRow): Labels[] {
  const rows = Object.entries(labels);
  if (rows.length === 0 || rows.some(([, values]) => values === "deployment")) return [];
  return rows.reduce<Labels[]>(
    (all, [name, values]) =>
      all.flatMap((each) =>
        (values as readonly string[]).map((value) => ({ ...each, [name]: value })),
      ),
    [{}],
  );
}
