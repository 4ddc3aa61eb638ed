/** The content of /metrics, read as Prometheus reads it. */
import assert from "node:assert/strict";

type Series = { name: string; labels: Readonly<Record<string, string>>; value: number };
export type Exposition = {
  series: Series[];
  /** Of the lines `# TYPE`, so that a metric without a series is known too. */
  types: ReadonlyMap<string, string>;
};

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/i;

export function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const series: Series[] = [];
  for (const line of text.split("\n")) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type) types.set(type[1]!, type[2]!);
    if (line === "" || line.startsWith("#")) continue;
    const [, name, labels = "", value] = LINE.exec(line) ?? assert.fail(line);
    const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)];
    series.push({
      name: name!,
      value: Number(value),
      labels: Object.fromEntries(pairs.map(([, key, each]) => [key!, each!])),
    });
  }
  return { series, types };
}

/** The sum over the series that have these labels; null: there is none. */
export function sumOf(
  { series }: Exposition,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | null {
  const matches = series.filter(
    (each) =>
      each.name === name &&
      Object.entries(labels).every(([key, value]) => each.labels[key] === value),
  );
  return matches.length === 0 ? null : matches.reduce((sum, { value }) => sum + value, 0);
}
