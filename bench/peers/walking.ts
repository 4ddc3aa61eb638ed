/**
 * Ways on foot from a point to ten others: the service's own search, networkx over a graph that pyosmium
 * reads, and Routino, over one extract. Routino is a program that is started for each way.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createWalkSection, openWalk, Walker, type WalkMeta } from "#osm/walking.ts";
import { importBase } from "#osm/index.ts";
import { openPack } from "#osm/imports.ts";
import { print } from "../children.ts";
import { createRng } from "../world.ts";
import { compareContenders, type Contender } from "./contenders.ts";
import { writeJson } from "./files.ts";

const TARGETS = 10;
/** Ten-millionths of a degree to a target, at most: about a kilometre. */
const NEAR7 = 90_000;
const NEAR = 0.05;
/** What a street is wide, and what its corner is off. */
const NEAR_M = 20;
const MOST_M = 3_000;
/** Whose packages python3-networkx and python3-pyosmium are. */
const DEBIAN_PYTHON = "/usr/bin/python3";

type Point = { lat: number; lon: number };
export type WayQuestion = { from: Point; to: Point[] };

export async function compareWalking(settings: {
  folder: string;
  extract: string;
  questions: number;
  rounds: number;
}): Promise<void> {
  const { folder, extract, questions: count, rounds } = settings;
  const walker = await openWalker(extract);
  const questions = drawQuestions(await listCorners(extract), count);
  const ours = questions.flatMap((question) => walkAll(walker, question));
  const file = writeJson(join(folder, "ways.json"), questions);
  const contenders: Contender[] = [
    {
      name: "vicinity",
      command: process.execPath,
      args: [join(import.meta.dirname, "walking-contender.ts"), "vicinity", file, extract],
    },
    {
      name: "networkx",
      command: existsSync(DEBIAN_PYTHON) ? DEBIAN_PYTHON : "python3",
      args: [join(import.meta.dirname, "walking-networkx.py"), file, extract, String(MOST_M)],
    },
  ];
  if (hasRoutino(folder, extract))
    contenders.push({
      name: "routino",
      command: process.execPath,
      args: [join(import.meta.dirname, "walking-contender.ts"), "routino", file, folder],
    });
  else print("routino: LEFT OUT, planetsplitter is not installed");
  await compareContenders(
    {
      title: `on foot: ways of at most ${MOST_M} m, ${TARGETS} from each of ${count} points; right within 5 % of ours, or ${NEAR_M} m`,
      contenders,
      isRight: (answer, i) => agrees(answer as number | null, ours[i]!),
    },
    rounds,
  );
}

export async function openWalker(extract: string): Promise<Walker> {
  const sections = [createWalkSection()];
  const done = await importBase(extract, { id: "peers", region: null, now_ms: 0, sections });
  if (!done.ok) throw new Error(done.problem);
  const { columns, meta } = openPack(done.pack)!;
  return new Walker(openWalk(columns, meta.sections["walk"] as WalkMeta)!);
}

/** Metres of each way, null: none. */
export function walkAll(walker: Walker, { from, to }: WayQuestion): (number | null)[] {
  const ways = walker.walkTo(from, to, { most_m: MOST_M, profile: "foot" });
  return ways.map((way) => (typeof way === "string" ? null : Math.round(way.meters)));
}

function agrees(length: number | null, own: number | null): boolean {
  if (length === null || own === null) return length === own;
  return Math.abs(length - own) <= Math.max(NEAR * own, NEAR_M);
}

/** Corners of streets that are walked by every program. */
async function listCorners(extract: string): Promise<Point[]> {
  const points: Point[] = [];
  const usual = new Set(["residential", "footway", "living_street", "pedestrian"]);
  const done = await importBase(extract, {
    ...{ id: "peers", region: null, now_ms: 0 },
    sections: [
      {
        name: "collector",
        keys: { node: [], way: ["highway"], relation: [] },
        node: () => undefined,
        way({ tags, points: line }) {
          if (!usual.has(tags.get("highway") ?? "") || tags.has("access") || tags.has("foot"))
            return;
          points.push({ lat: line[0]! / 1e7, lon: line[1]! / 1e7 });
        },
        relation: () => undefined,
        *finish() {
          yield;
          return { columns: {}, meta: {}, counts: {} };
        },
      },
    ],
  });
  if (!done.ok) throw new Error(done.problem);
  return points;
}

function drawQuestions(corners: readonly Point[], count: number): WayQuestion[] {
  const random = createRng(5);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  return Array.from({ length: count }, () => {
    const from = pick(corners);
    const near = corners.filter(
      ({ lat, lon }) =>
        Math.abs(lat - from.lat) * 1e7 < NEAR7 && Math.abs(lon - from.lon) * 1e7 < 2 * NEAR7,
    );
    return { from, to: Array.from({ length: TARGETS }, () => pick(near)) };
  });
}

function hasRoutino(folder: string, extract: string): boolean {
  const database = join(folder, "routino");
  mkdirSync(database, { recursive: true });
  try {
    const tagging = "--tagging=/usr/share/routino/tagging-walk.xml";
    const args = [`--dir=${database}`, "--prefix=peers", tagging, extract];
    execFileSync("planetsplitter", args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
