/** The streets of a town cut into pages, for a base of which pages may be missing. */
import { toEnd } from "#kit/steps.ts";
import { cellAt, isInCell, numbersAround, type PageCell, PageTable } from "#osm/index.ts";
import { createWalkSection, joinWalkMetas, openWalk, Walker, type WalkMeta } from "#osm/walking.ts";
import type { BasePages, MissingPage } from "#ports/base-pages.ts";
import type { OpenBase } from "#upstream/bases/open-bases.ts";
import type { PbfNode, PbfObject } from "../../sandbox/pbf/encode.ts";

export type PagedStreets = BasePages<OpenBase> & {
  /** Numbers of the pages that questions pinned, in their order. */
  pinned: number[];
  /** Numbers of those that are not to be had. */
  missing: Set<number>;
  /** Why they are not. */
  reason: MissingPage["reason"];
  /** Pins that are not disposed. */
  open: number;
};

/** Pages that have streets and nothing else, in cells of a zoom. */
export function pageStreets(objects: readonly PbfObject[], zoom: number): PagedStreets {
  const nodes = new Map<number, PbfNode>();
  for (const each of objects) if (each.type === "node") nodes.set(each.id, each);
  const cells = new Map<string, PageCell>();
  for (const { lat7, lon7 } of nodes.values()) {
    const cell = cellAt(zoom, lat7, lon7);
    cells.set(`${cell.x}/${cell.y}`, cell);
  }
  const rows = [...cells.values()].map((cell) => ({ level: "ground" as const, cell }));
  const sections = rows.map(({ cell }) => sectionOf(objects, nodes, cell));
  const head = joinWalkMetas(sections.map(({ meta }) => meta as WalkMeta));
  const pages = sections.map(({ columns, meta }) => {
    const named = Object.entries(columns).map(([name, of]) => [`walk.${name}`, of]);
    const graph = openWalk(Object.fromEntries(named), meta as WalkMeta, head)!;
    return { walker: new Walker(graph) } as unknown as OpenBase;
  });
  const table = new PageTable(rows.map(({ cell }) => cell));
  const at = ({ lat, lon }: { lat: number; lon: number }): number | null =>
    table.at(Math.round(lat * 1e7), Math.round(lon * 1e7));
  const streets: PagedStreets = {
    ...{ rows, at, pinned: [], missing: new Set(), reason: "damaged", open: 0 },
    around: (circle) => numbersAround(table, (number) => rows[number]!.cell, circle),
    ofTile: () => [],
    pin(numbers) {
      streets.pinned.push(...numbers);
      streets.open += 1;
      const has = (number: number): boolean => !streets.missing.has(number);
      const lost = numbers.filter((number) => !has(number));
      return Promise.resolve({
        pages: numbers
          .filter(has)
          .map((number) => ({ number, cell: rows[number]!.cell, page: pages[number]! })),
        missing: lost.map((number): MissingPage => ({
          ...{ number, cell: rows[number]!.cell, reason: streets.reason },
        })),
        [Symbol.dispose]: () => void (streets.open -= 1),
      });
    },
  };
  return streets;
}

function sectionOf(
  objects: readonly PbfObject[],
  nodes: ReadonlyMap<number, PbfNode>,
  cell: PageCell,
) {
  const section = createWalkSection({ cell });
  const isIn = ({ lat7, lon7 }: PbfNode): boolean => isInCell(cell, lat7, lon7);
  for (const each of objects) {
    const tags = new Map(Object.entries(each.tags ?? {}));
    if (each.type === "node" && isIn(each)) section.node({ ...each, tags });
    if (each.type !== "way") continue;
    const line = each.refs.map((id) => nodes.get(id)!);
    if (!line.some(isIn)) continue;
    section.way({
      ...{ type: "way", id: each.id, tags, closed: each.refs[0] === each.refs.at(-1) },
      nodes: Float64Array.from(each.refs),
      points: Int32Array.from(line.flatMap(({ lat7, lon7 }) => [lat7, lon7])),
    });
  }
  return toEnd(section.finish());
}
