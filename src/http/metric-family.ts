/**
 * One metric with its series, and its text as collectors read it (Prometheus text format 0.0.4). Code
 * on a busy path looks its series up once and then adds to a number; a value that is kept elsewhere
 * anyway is read at the scrape.
 */
import type { MetricRow } from "./metric-table.ts";

/** A series; its holder writes to it. */
export type Cell = { count: number };
export type Labels = Readonly<Record<string, string>>;
/** `suffix`: of the name, as the parts of a histogram have one. */
export type Sample = { labels: Labels; value: number; suffix?: string };
/** A number: of the one series that has no labels. */
export type Reading = number | readonly Sample[];

type Series = { samples(labels: Labels): Sample[] };

export class Count implements Cell, Series {
  count = 0;

  samples(labels: Labels): Sample[] {
    return [{ labels, value: this.count }];
  }
}

/** How often values were within each bound, all of them, and their sum. */
export class Histogram implements Series {
  readonly #bounds: readonly number[];
  readonly #buckets: Float64Array;
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#buckets = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.#buckets[bucket]!++;
  }

  samples(labels: Labels): Sample[] {
    let below = 0;
    const bounded = Array.from(this.#buckets, (count, index) => {
      below += count;
      const le = String(this.#bounds[index] ?? "+Inf");
      return { labels: { le, ...labels }, value: below, suffix: "_bucket" };
    });
    const sum = { labels, value: this.#sum, suffix: "_sum" };
    return [...bounded, sum, { labels, value: this.#count, suffix: "_count" }];
  }
}

export class Family<S extends Series> {
  readonly #name: string;
  readonly #row: MetricRow;
  readonly #make: () => S;
  readonly #kept = new Map<string, { labels: Labels; series: S }>();
  #read: () => Reading = () => [];

  constructor(name: string, row: MetricRow, make: () => S) {
    this.#name = name;
    this.#row = row;
    this.#make = make;
    // A counter that is not there before it counts looks, to a rate, as if it had never moved.
    if (row.type === "counter") for (const labels of combinations(row)) this.cell(labels);
  }

  /** Returns the series of these labels, made if need be. An unlisted value counts as `other`. */
  cell(labels: Labels): S {
    const listed = toListed(labels, this.#row);
    const key = JSON.stringify(listed);
    const entry = this.#kept.get(key) ?? { labels: listed, series: this.#make() };
    this.#kept.set(key, entry);
    return entry.series;
  }

  /**
   * Sets the function that reads the values, replacing an earlier one. A series that is watched
   * takes the place of the cell with the same labels.
   */
  watch(read: () => Reading): void {
    this.#read = read;
  }

  /** Writes each series once; samples that are the same series once listed are added up. */
  text(): string {
    const reading = this.#read();
    const watched = new Map<string, Sample>();
    for (const { labels, value } of typeof reading === "number" ? toOne(reading) : reading) {
      const listed = toListed(labels, this.#row);
      const key = JSON.stringify(listed);
      watched.set(key, { labels: listed, value: (watched.get(key)?.value ?? 0) + value });
    }
    const counted = [...this.#kept].filter(([key]) => !watched.has(key));
    const samples = counted.flatMap(([, { labels, series }]) => series.samples(labels));
    const { help, type } = this.#row;
    return [
      `# HELP ${this.#name} ${help}`,
      `# TYPE ${this.#name} ${type}`,
      ...[...samples, ...watched.values()].map((sample) => toLine(this.#name, sample)),
    ].join("\n");
  }
}

function toOne(value: number): Sample[] {
  return [{ labels: {}, value }];
}

/** Makes a sample of each value, whose name is the value of the label. */
export function byLabel(
  label: string,
  values: Readonly<Record<string, number>>,
  others: Labels = {},
): Sample[] {
  const entries = Object.entries(values);
  return entries.map(([name, value]) => ({ labels: { ...others, [label]: name }, value }));
}

function toLine(name: string, { labels, value, suffix = "" }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`);
  const braced = pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
  return `${name}${suffix}${braced} ${toNumber(value)}`;
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function toNumber(value: number): string {
  return Number.isFinite(value) || Number.isNaN(value) ? `${value}` : value > 0 ? "+Inf" : "-Inf";
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
