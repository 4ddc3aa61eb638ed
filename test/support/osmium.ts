/**
 * An independent reader of extracts: `osmium` of Debian filters by tag and adds positions, and its
 * lines (OPL, "object per line") are read here without any code of the program.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type OplObject = {
  /** `node/1`, `way/2`, `relation/3`. */
  id: string;
  tags: Map<string, string>;
  lat: number | null;
  lon: number | null;
};

const DATA = fileURLToPath(new URL("../../../shared/data/osm/", import.meta.url));
const MAX_LINES_BYTES = 512 * 1024 * 1024;

/** Paths of the captured extracts by name; none where they are not present. */
export function listExtracts(): Map<string, string> {
  const folders = spawnSync("ls", [DATA], { encoding: "utf8" });
  const names = folders.status === 0 ? folders.stdout.split("\n").filter(Boolean) : [];
  return new Map(
    names.flatMap((name) =>
      readdirSync(join(DATA, name))
        .filter((file) => file.endsWith(".osm.pbf"))
        .map((file): [string, string] => [name, join(DATA, name, file)]),
    ),
  );
}

export function hasOsmium(): boolean {
  return spawnSync("osmium", ["--version"]).status === 0;
}

/** Objects that match one of the expressions; positions as `out center` of Overpass has them. */
export function readWithOsmium(path: string, expressions: readonly string[]): OplObject[] {
  const folder = mkdtempSync(join(tmpdir(), "osmium-"));
  try {
    const filtered = join(folder, "filtered.osm.pbf");
    const located = ["add-locations-to-ways", "--keep-untagged-nodes", "--ignore-missing-nodes"];
    run(["tags-filter", "-o", filtered, path, ...expressions]);
    const matched = new Set(
      run(["tags-filter", "--omit-referenced", "-f", "opl", "-o", "-", path, ...expressions])
        .split("\n")
        .map((line) => line.slice(0, line.indexOf(" "))),
    );
    const lines = run([...located, "-f", "opl", "-o", "-", filtered]).split("\n");
    return toObjects(lines, matched);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run([command = "", ...options]: readonly string[]): string {
  const input = [command, "--no-progress", ...options];
  return execFileSync("osmium", input, {
    encoding: "utf8",
    maxBuffer: MAX_LINES_BYTES,
    stdio: "pipe",
  });
}

type Point = [lat: number, lon: number];

function toObjects(lines: readonly string[], matched: ReadonlySet<string>): OplObject[] {
  const points = new Map<string, Point[]>();
  const objects: OplObject[] = [];
  for (const line of lines) {
    const [key = "", ...fields] = line.split(" ");
    if (key === "") continue;
    const own_points = pointsOf(key, fields, points);
    points.set(key, own_points);
    if (!matched.has(key)) continue;
    const [lat, lon] = middleOf(own_points);
    objects.push({ id: `${TYPES[key[0]!]}/${key.slice(1)}`, tags: tagsOf(fields), lat, lon });
  }
  return objects;
}

const TYPES: Record<string, string> = { n: "node", w: "way", r: "relation" };

function pointsOf(key: string, fields: readonly string[], points: Map<string, Point[]>): Point[] {
  const field = (letter: string): string =>
    fields.find((each) => each.startsWith(letter))?.slice(1) ?? "";
  if (key.startsWith("n")) {
    const [x, y] = [fields.find((each) => each.startsWith("x")), field("y")];
    return x === undefined || x === "x" || y === "" ? [] : [[Number(y), Number(x.slice(1))]];
  }
  if (key.startsWith("w"))
    return [...field("N").matchAll(/x([-\d.]+)y([-\d.]+)/g)].map(([, x, y]) => [
      Number(y),
      Number(x),
    ]);
  // The members of a relation of relations are not asked of a server either.
  const members = field("M")
    .split(",")
    .filter((member) => !member.startsWith("r"));
  return members.flatMap((member) => points.get(member.split("@")[0]!) ?? []);
}

function middleOf(points: readonly Point[]): [number | null, number | null] {
  if (points.length === 0) return [null, null];
  const middle = (axis: 0 | 1): number => {
    let [least, most] = [Infinity, -Infinity];
    for (const point of points) {
      least = Math.min(least, point[axis]);
      most = Math.max(most, point[axis]);
    }
    return (least + most) / 2;
  };
  return [middle(0), middle(1)];
}

function tagsOf(fields: readonly string[]): Map<string, string> {
  const text = fields.find((each) => each.startsWith("T"))?.slice(1) ?? "";
  if (text === "") return new Map();
  return new Map(
    text.split(",").map((pair): [string, string] => {
      const [key = "", value = ""] = pair.split("=");
      return [unescape(key), unescape(value)];
    }),
  );
}

/** OPL writes a character as `%hex%`. */
function unescape(text: string): string {
  return text.replace(/%([0-9a-f]+)%/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
