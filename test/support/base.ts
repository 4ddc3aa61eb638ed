/** Extracts for tests: written by the simulator's encoder, or kept next to the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { BaseSection } from "#osm/index.ts";
import type { NodeFeature, RelationFeature, WayFeature } from "#osm/sections.ts";
import { toPbf } from "../../sandbox/pbf/encode.ts";
import type { PbfObject, PbfOptions } from "../../sandbox/pbf/objects.ts";

const EXTRACTS = fileURLToPath(new URL("../../../shared/data/osm/", import.meta.url));

/** Names of the real extracts; none where they are not kept. */
export function listExtracts(): string[] {
  if (!existsSync(EXTRACTS)) return [];
  return readdirSync(EXTRACTS).filter((name) => existsSync(extractPath(name)));
}

export function extractPath(name: string): string {
  return join(EXTRACTS, name, `${name}.osm.pbf`);
}

export type ExtractFacts = { nodes: number; ways: number; relations: number; box: number[] };

/** What the page of an extract says of it. */
export function extractFacts(name: string): ExtractFacts {
  const page = readFileSync(join(EXTRACTS, name, "SOURCE.md"), "utf8");
  const line = /- (\d+) nodes, (\d+) ways, (\d+) relations; bbox S,W,N,E ([-\d., ]+);/.exec(page)!;
  const [nodes, ways, relations] = line.slice(1, 4).map(Number);
  return {
    nodes: nodes!,
    ways: ways!,
    relations: relations!,
    box: line[4]!.split(",").map(Number),
  };
}

/** Path of a file that is removed when the test ends. */
export async function writeTemporary(t: TestContext, bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "extract-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "given.osm.pbf");
  await writeFile(path, bytes);
  return path;
}

export function writeExtract(
  t: TestContext,
  objects: Iterable<PbfObject>,
  options: PbfOptions = {},
): Promise<string> {
  return writeTemporary(t, toPbf(objects, options));
}

export type Collected = {
  section: BaseSection;
  nodes: NodeFeature[];
  ways: WayFeature[];
  relations: RelationFeature[];
  /** Kinds in the order of the calls. */
  calls: string[];
};

/** A section that keeps what it receives. */
export function collect(keys: Partial<BaseSection["keys"]> = {}, name = "collected"): Collected {
  const match: Omit<Collected, "section"> = { nodes: [], ways: [], relations: [], calls: [] };
  const section: BaseSection = {
    name,
    keys: { node: [], way: [], relation: [], ...keys },
    node(feature) {
      match.calls.push("node");
      match.nodes.push(feature);
    },
    way(feature) {
      match.calls.push("way");
      // The list of nodes is used again for the next way.
      match.ways.push({ ...feature, nodes: feature.nodes.slice() });
    },
    relation(feature) {
      match.calls.push("relation");
      // Its box is worked out when it is read.
      match.relations.push({ ...feature });
    },
    *finish() {
      match.calls.push("finish");
      yield;
      return {
        columns: { ids: Float64Array.from(match.nodes, ({ id }) => id) },
        meta: { kept: match.calls.length },
        counts: { nodes: match.nodes.length },
      };
    },
  };
  return { section, ...match };
}

/** Why a test of a real extract is skipped; false: it is there. */
export function lackOf(extract: string): string | false {
  return listExtracts().includes(extract) ? false : `NO REAL EXTRACT: ${extract} is not there`;
}
