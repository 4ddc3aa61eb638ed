/** A sample of what can be planted that is spread evenly over layers, kinds of faults and files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDice, type Dice } from "../dice.ts";
import { KINDS, type Mutant, type MutantKind } from "./mutate.ts";

export type Planted = {
  /** Of layers.json, or the folder of a package. */
  layer: string;
  file: string;
  line: number;
  /** The line as it is, without its margin. */
  source: string;
  mutant: Mutant;
};

/** A simulator is no part of the service. */
const LEFT_OUT: ReadonlySet<string> = new Set(["sandbox"]);

type LayerOf = (file: string) => string | null;

/** The layer of a file; null: of none that is judged. */
export function createLayerOf(root: string): LayerOf {
  const text = readFileSync(join(root, "layers.json"), "utf8");
  const { layers } = JSON.parse(text) as { layers: Record<string, { paths: string[] }> };
  const paths = Object.entries(layers).flatMap(([layer, row]) =>
    row.paths.map((path) => [path, layer] as const),
  );
  return (file) => {
    const [, layer] = paths.find(([path]) => file.startsWith(path)) ?? [];
    if (layer !== undefined) return LEFT_OUT.has(layer) ? null : layer;
    return /^packages\/[^/]+(?=\/)/.exec(file)?.[0] ?? null;
  };
}

type Wish = { count: number; seed: number; kinds: readonly MutantKind[] };

/** Layers in turn, in each of them kinds in turn, of each kind files in turn: the same for one seed. */
export function drawPlants(all: readonly Planted[], { count, seed, kinds }: Wish): Planted[] {
  const dice = createDice(seed);
  const layers = [...Map.groupBy(all, ({ layer }) => layer)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) =>
      takeTurns(
        KINDS.filter((kind) => kinds.includes(kind)).map((kind) =>
          byFile(
            own.filter(({ mutant }) => mutant.kind === kind),
            dice,
          ),
        ),
      ),
    );
  return takeTurns(layers).slice(0, count);
}

function byFile(all: readonly Planted[], dice: Dice): Planted[] {
  const files = [...Map.groupBy(all, ({ file }) => file).values()];
  return takeTurns(dice.shuffle(files).map((own) => dice.shuffle(own)));
}

/** The first of each list, then the second of each, until all are empty. */
function takeTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => (at < list.length ? [list[at]!] : [])),
  ).flat();
}
