/**
 * The same extract as one graph and cut into pages: ways, their lines and what is reached on foot, from
 * points on corners of streets, next to them, and anywhere.
 */
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { toEnd } from "#kit/steps.ts";
import { type BaseSection, cellAt, importBase, type PageCell } from "#osm/index.ts";
import { openPack } from "#osm/imports.ts";
import {
  createWalkSection,
  joinWalkMetas,
  openWalk,
  SearchMemories,
  snap,
  Walker,
  type WalkGraph,
  type WalkMeta,
} from "#osm/walking.ts";
import { between } from "../../sandbox/rng.ts";

type Point = { lat: number; lon: number };
type Differ = { ways: number; lines: number; outlines: number };

/** As a question has them at most (LIMITS.walk). */
const MOST_M = 4_500;
/** Targets of one start, half of them within a kilometre. */
const TARGETS = 10;
const PROFILES = ["foot", "step_free"] as const;
const KILOMETRE7 = 90_000;
const LEAST_EDGES = 1_000;

/** Prints a table of each extract; resolves to the number of differences. */
export async function comparePages(
  paths: readonly string[],
  { pairs, zoom, seed }: { pairs: number; zoom: number; seed: number },
): Promise<number> {
  console.log(
    "| extract | pages | gates | pairs | with a way | differ: ways | lines | outlines | times one |",
  );
  console.log("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
  let findings = 0;
  for (const path of paths) {
    const { whole, pages } = await load(path, zoom);
    // Of trams alone nothing is walked.
    if (whole.edges < LEAST_EDGES) continue;
    const gates = pages.reduce((sum, { columns }) => sum + (columns.gates?.length ?? 0), 0);
    const starts = Math.ceil(pairs / paths.length / TARGETS / PROFILES.length);
    const { reached, count, differ, times } = compare(whole, pages, { starts, seed });
    const { ways, lines, outlines } = differ;
    findings += ways + lines + outlines + (reached === 0 ? 1 : 0);
    console.log(
      `| ${basename(path, ".osm.pbf")} | ${pages.length} | ${gates} | ${count} | ${reached} | ${ways} | ${lines} | ${outlines} | ${times.toFixed(1)} |`,
    );
  }
  return findings;
}

async function load(path: string, zoom: number): Promise<{ whole: WalkGraph; pages: WalkGraph[] }> {
  const whole = createWalkSection();
  const cut = createCut(zoom);
  const section: BaseSection = {
    ...whole,
    node(feature) {
      whole.node(feature);
      cut.add("node", feature);
    },
    way(feature) {
      whole.way(feature);
      cut.add("way", feature);
    },
    relation(feature) {
      whole.relation(feature);
      cut.add("relation", feature);
    },
  };
  const done = await importBase(path, {
    ...{ id: "pages", region: null, now_ms: 0 },
    sections: [section],
  });
  if (!done.ok) throw new Error(done.problem);
  const { columns, meta } = openPack(done.pack)!;
  const graph = openWalk(columns, meta.sections["walk"] as WalkMeta)!;
  return { whole: graph, pages: cut.finish() };
}

/** Hands features to the pages in whose cells a point of theirs lies, as the import of pages does. */
function createCut(zoom: number) {
  const pages = new Map<string, BaseSection>();
  const sectionsAt = (points: Int32Array): Set<BaseSection> => {
    const found = new Set<BaseSection>();
    for (let i = 0; i < points.length; i += 2) {
      const cell: PageCell = cellAt(zoom, points[i]!, points[i + 1]!);
      const key = `${cell.x}/${cell.y}`;
      let page = pages.get(key);
      if (page === undefined) pages.set(key, (page = createWalkSection({ cell })));
      found.add(page);
    }
    return found;
  };
  type Features = {
    node: Parameters<BaseSection["node"]>[0];
    way: Parameters<BaseSection["way"]>[0];
    relation: Parameters<BaseSection["relation"]>[0];
  };
  return {
    add<T extends keyof Features>(type: T, feature: Features[T]): void {
      const points =
        "lat7" in feature
          ? Int32Array.of(feature.lat7, feature.lon7)
          : "points" in feature
            ? feature.points
            : Int32Array.from(feature.rings.flatMap((ring) => [...ring.points]));
      for (const page of sectionsAt(points)) (page[type] as (given: Features[T]) => void)(feature);
    },
    finish(): WalkGraph[] {
      const done = [...pages.values()].map((page) => toEnd(page.finish()));
      const head = joinWalkMetas(done.map(({ meta }) => meta as WalkMeta));
      return done.map(({ columns, meta }) => {
        const named = Object.entries(columns).map(([name, of]) => [`walk.${name}`, of]);
        return openWalk(Object.fromEntries(named), meta as WalkMeta, head)!;
      });
    },
  };
}

function compare(
  whole: WalkGraph,
  graphs: readonly WalkGraph[],
  { starts, seed }: { starts: number; seed: number },
) {
  const one = new Walker(whole);
  const walkers = graphs.map((graph) => new Walker(graph));
  const paged = new Walker(walkers, new SearchMemories());
  const differ: Differ = { ways: 0, lines: 0, outlines: 0 };
  let [reached, count, one_us, paged_us] = [0, 0, 0, 0];
  for (let i = 0; i < starts; i++) {
    const [start, ...points] = drawPoints(whole, [seed, i]);
    for (const profile of PROFILES) {
      const wish = { most_m: MOST_M, profile };
      const [wanted, us] = timed(() => one.walkTo(start!, points, wish));
      const [found, us_of_pages] = timed(() => paged.walkTo(start!, points, wish));
      one_us += us;
      paged_us += us_of_pages;
      found.forEach((way, at) => {
        count += 1;
        if (typeof way === "object") reached += 1;
        if (!isDeepStrictEqual(way, wanted[at])) differ.ways += 1;
      });
      const end = points[0]!;
      const [drawn, line] = [one, paged].map((walker) => walker.drawWay(start!, end, wish));
      if (!isDeepStrictEqual(drawn, line)) differ.lines += 1;
      const reach = { most_m: between(300, 1_200, seed, i), profile };
      const [outline, other] = [one, paged].map((walker) => walker.outline(start!, reach));
      if (!isDeepStrictEqual(outline, other)) differ.outlines += 1;
    }
  }
  return { reached, count, differ, times: paged_us / one_us };
}

/** With the microseconds of processor time. */
function timed<T>(work: () => T): [T, number] {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [result, user + system];
}

/** The first is the start. A third each: on corners, next to streets, and anywhere near. */
function drawPoints(graph: WalkGraph, seed: readonly number[]): Point[] {
  const [lat7, lon7] = graph.pointOf(between(0, graph.vertices - 1, ...seed));
  return Array.from({ length: 1 + TARGETS }, (_, i): Point => {
    const off = (most7: number, salt: number): number => between(-most7, most7, ...seed, i, salt);
    const far7 = i % 2 === 0 ? KILOMETRE7 : 3 * KILOMETRE7;
    const near =
      i === 0 ? { lat7, lon7 } : { lat7: lat7 + off(far7, 1), lon7: lon7 + off(far7, 2) };
    const street = snap(graph, near, { most_m: 300, profile: "foot" });
    const kind = between(0, 2, ...seed, i, 3);
    if (kind === 0 || street === null) return toPoint(near.lat7, near.lon7);
    const [corner7, east7] = graph.pointOf(street.from);
    return kind === 1
      ? toPoint(corner7, east7)
      : toPoint(corner7 + off(3_000, 4), east7 + off(3_000, 5));
  });
}

function toPoint(lat7: number, lon7: number): Point {
  return { lat: lat7 / 1e7, lon: lon7 / 1e7 };
}
