/**
 * Recorded pairs next to Routino: how many lengths are within 5 %, and of each pair that only one of the
 * two programs reaches the tags that are the reason; of those that differ, what lies on the way.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type BaseSection, importBase } from "#osm/index.ts";
import { openPack } from "#osm/imports.ts";
import {
  createWalkSection,
  MARK,
  marksOf,
  openWalk,
  walkedOf,
  Walker,
  type WalkMeta,
} from "#osm/walking.ts";
import { distance_m } from "#kit/geo.ts";

type Tags = ReadonlyMap<string, string>;
type Way = { nodes: number[]; points: number[]; tags: Tags };
type Map7 = { walker: Walker; ways: Way[]; barriers: ReadonlyMap<number, Tags> };
type Pair = Readonly<Record<string, string>>;

const FOOT = { most_m: 4_500, profile: "foot" } as const;
const NEAR = 0.05;
/** Tags that say why a way is walked by one program and not by another. */
const KEYS = [
  "highway",
  "railway",
  "public_transport",
  "route",
  "access",
  "foot",
  "area",
  "barrier",
  "indoor",
];
/** Ways that both walk, without further tags. */
const USUAL = new Set([
  "footway",
  "path",
  "residential",
  "service",
  "steps",
  "living_street",
  "tertiary",
  "secondary",
  "primary",
  "unclassified",
  "track",
]);

export async function compareRoutino(paths: readonly string[]): Promise<number> {
  const lines: string[] = [];
  console.log("| extract | both reach | within 5 % | differ by what lies on the way |");
  console.log("|---|---:|---:|---|");
  let unexplained = 0;
  for (const path of paths) {
    const map = await load(path);
    const name = basename(dirname(path));
    const differing = new Map<string, number>();
    let [near, both] = [0, 0];
    for (const pair of readPairs(dirname(path))) {
      const [from, to] = [pointOf(pair, "from"), pointOf(pair, "to")];
      const way = map.walker.drawWay(from, to, FOOT);
      const routino_m = pair["routino_m"] === "" ? null : Number(pair["routino_m"]);
      if (typeof way === "string" && routino_m !== null) {
        const reason = whatIsClosed(map, from, to);
        if (reason === "") unexplained += 1;
        lines.push(
          `${name} ${pair["id"]}: only Routino (${routino_m} m), ${way}: ${reason || "?"}`,
        );
      }
      if (typeof way === "string") continue;
      const passed = whatIsPassed(map, way.line);
      if (routino_m === null) {
        if (passed === "") unexplained += 1;
        lines.push(
          `${name} ${pair["id"]}: only here (${Math.round(way.meters)} m): ${passed || "?"}`,
        );
        continue;
      }
      both += 1;
      const metres = way.meters - way.from_snap_meters - way.to_snap_meters;
      if (Math.abs(metres - routino_m) <= NEAR * routino_m) near += 1;
      else {
        const what = `${metres < routino_m ? "shorter" : "longer"}: ${passed || "usual ways"}`;
        differing.set(what, (differing.get(what) ?? 0) + 1);
      }
    }
    const list = [...differing].sort((a, b) => b[1] - a[1]).map(([what, n]) => `${n} ${what}`);
    console.log(
      `| ${name} | ${both} | ${((100 * near) / both).toFixed(1)} % | ${list.join("; ")} |`,
    );
  }
  console.log(["", ...lines].join("\n"));
  return unexplained;
}

function readPairs(folder: string): Pair[] {
  const text = gunzipSync(readFileSync(join(folder, "pairs.csv.gz"))).toString();
  const [head, ...rows] = text
    .trim()
    .split("\n")
    .map((row) => row.split(","));
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [head![i]!, cell])));
}

function pointOf(pair: Pair, end: "from" | "to"): { lat: number; lon: number } {
  return { lat: Number(pair[`${end}_lat`]), lon: Number(pair[`${end}_lon`]) };
}

async function load(path: string): Promise<Map7> {
  const ways: Way[] = [];
  const barriers = new Map<number, Tags>();
  const collector: BaseSection = {
    name: "collector",
    keys: {
      node: ["barrier"],
      way: ["highway", "railway", "public_transport", "route"],
      relation: [],
    },
    node: ({ id, tags }) => void ((marksOf(tags) & MARK.closed) !== 0 && barriers.set(id, tags)),
    way({ tags, nodes, points }) {
      const isWay =
        tags.has("highway") || tags.get("route") === "ferry" || walkedOf(tags, "usual") !== null;
      if (isWay) ways.push({ nodes: [...nodes], points: [...points], tags });
    },
    relation: () => undefined,
    *finish() {
      yield;
      return { columns: {}, meta: {}, counts: {} };
    },
  };
  const sections = [createWalkSection(), collector];
  const done = await importBase(path, { id: "routino", region: null, now_ms: 0, sections });
  if (!done.ok) throw new Error(done.problem);
  const { columns, meta } = openPack(done.pack)!;
  const graph = openWalk(columns, meta.sections["walk"] as WalkMeta)!;
  return { walker: new Walker(graph), ways, barriers };
}

function describe(tags: Tags): string {
  const list = KEYS.filter((key) => tags.has(key)).map((key) => `${key}=${tags.get(key)}`);
  const isUsual = list.length === 1 && USUAL.has(tags.get("highway") ?? "");
  return isUsual ? "" : list.join(" ");
}

/** Tags of the ways of a line that are none of the usual ones. */
function whatIsPassed({ ways }: Map7, line: readonly (readonly [number, number])[]): string {
  const keyOf = (lat7: number, lon7: number): string => `${lat7},${lon7}`;
  const points = line
    .slice(1, -1)
    .map(([lon, lat]) => keyOf(Math.round(lat * 1e7), Math.round(lon * 1e7)));
  const pairs = new Set(
    points.flatMap((key, i) =>
      i === 0 ? [] : [`${points[i - 1]} ${key}`, `${key} ${points[i - 1]}`],
    ),
  );
  const found = new Set<string>();
  for (const { points: all, tags } of ways)
    for (let i = 2; i < all.length; i += 2) {
      const key = `${keyOf(all[i - 2]!, all[i - 1]!)} ${keyOf(all[i]!, all[i + 1]!)}`;
      if (pairs.delete(key)) {
        found.add(describe(tags));
        pairs.delete(key.split(" ").toReversed().join(" "));
      }
    }
  // The ends lie within an edge; two pairs of them are no way of the map.
  if (pairs.size > 4) found.add("a square that is crossed");
  found.delete("");
  return [...found].sort().join(", ");
}

/** Metres that a closed way counts for each of its own: the way around is taken where there is one. */
const CLOSED = 50;

/** Tags of what is closed on the way over all ways of the map that has least of it. */
function whatIsClosed(
  { ways, barriers }: Map7,
  from: { lat: number; lon: number },
  to: { lat: number; lon: number },
): string {
  const places = new Map<number, { lat: number; lon: number }>();
  const links = new Map<number, { to: number; cost: number; way: Way }[]>();
  for (const way of ways) {
    const factor = walkedOf(way.tags, "usual") === null ? CLOSED : 1;
    way.nodes.forEach((node, i) => {
      places.set(node, { lat: way.points[2 * i]! / 1e7, lon: way.points[2 * i + 1]! / 1e7 });
      const before = way.nodes[i - 1];
      if (before === undefined) return;
      const [a, b] = [places.get(before)!, places.get(node)!];
      const cost = factor * distance_m(a.lat, a.lon, b.lat, b.lon);
      for (const [one, other] of [
        [before, node],
        [node, before],
      ] as const)
        links.set(one, [...(links.get(one) ?? []), { to: other, cost, way }]);
    });
  }
  const nearest = (at: { lat: number; lon: number }): number =>
    [...places].reduce(
      (best, [node, { lat, lon }]) => {
        const away_m = distance_m(at.lat, at.lon, lat, lon);
        return away_m < best.away_m ? { node, away_m } : best;
      },
      { node: 0, away_m: Infinity },
    ).node;
  const [start, end] = [nearest(from), nearest(to)];
  const costs = new Map([[start, 0]]);
  const by = new Map<number, { node: number; way: Way }>();
  const open = new Set([start]);
  while (open.size > 0) {
    const node = [...open].reduce((least, each) =>
      costs.get(each)! < costs.get(least)! ? each : least,
    );
    open.delete(node);
    if (node === end) break;
    const barrier = barriers.has(node) ? 1_000 : 0;
    for (const { to: next, cost, way } of links.get(node) ?? []) {
      const sum = costs.get(node)! + cost + barrier;
      if (sum >= (costs.get(next) ?? Infinity)) continue;
      costs.set(next, sum);
      by.set(next, { node, way });
      open.add(next);
    }
  }
  const found = new Set<string>();
  for (let at = end; at !== start;) {
    const step = by.get(at);
    if (step === undefined) return "no way of the extract joins them";
    if (barriers.has(at)) found.add(describe(barriers.get(at)!));
    if (walkedOf(step.way.tags, "usual") === null) found.add(describe(step.way.tags));
    at = step.node;
  }
  return [...found].sort().join(", ");
}
