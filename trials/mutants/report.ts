/** The table of a run, and the survivors of each layer. */
import type { Fate, Judged } from "./fates.ts";

const FATES: readonly Fate[] = ["killed", "checked", "survived", "justified"];

/** Share of the faults that `npm test` sees, those left out of which a list says why none can. */
export function shareOf(all: readonly Judged[]): number {
  const counted = all.filter(({ fate }) => fate !== "justified");
  const seen = counted.filter(({ fate }) => fate === "killed" || fate === "checked");
  return seen.length / Math.max(1, counted.length);
}

export function toReport(all: readonly Judged[]): string[] {
  return [
    ...rowsOf("layer", all, ({ layer }) => layer),
    "",
    ...rowsOf("kind", all, ({ kind }) => kind),
    ...survivorsOf(all),
    "",
    toRow("all", all),
  ];
}

function rowsOf(title: string, all: readonly Judged[], of: (one: Judged) => string): string[] {
  const groups = [...Map.groupBy(all, of)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const head = `${title.padEnd(24)} planted ${FATES.map((fate) => fate.padStart(10)).join(" ")}   seen`;
  return [head, ...groups.map(([name, own]) => toRow(name, own))];
}

function toRow(name: string, all: readonly Judged[]): string {
  const counts = FATES.map((fate) => all.filter((each) => each.fate === fate).length);
  const share = `${(shareOf(all) * 100).toFixed(1)} %`;
  const cells = counts.map((count) => String(count).padStart(10)).join(" ");
  return `${name.padEnd(24)} ${String(all.length).padStart(7)} ${cells} ${share.padStart(8)}`;
}

function survivorsOf(all: readonly Judged[]): string[] {
  const left = all.filter(({ fate }) => fate === "survived");
  const layers = [...Map.groupBy(left, ({ layer }) => layer)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return layers.flatMap(([layer, own]) => [
    `\n${layer}`,
    ...own.map(
      ({ file, line, kind, what, source }) => `  ${file}:${line} ${kind}: ${what}
    ${source}`,
    ),
  ]);
}
