/**
 * Rounds of parallel searches by two accounts, each at a point that no other search uses, so that an
 * answer to another one is recognised. The tools are those that the service lists.
 */
import { createHash } from "node:crypto";
import { createDice } from "../dice.ts";
import { pointOf, POINTS_SPAN } from "../isolation/run.ts";
import type { Point } from "../requests/laws/geo.ts";
import { CITIES } from "../requests/places.ts";

export type SearchDeployment = {
  url: string;
  /** Of two accounts. */
  keys: readonly string[];
};

export type SearchTally = {
  rounds: number;
  searches: number;
  /** Searches by how they were made. */
  by: Map<string, number>;
  /** Datasets whose bytes have the digest that their observation states. */
  digests: number;
  /** Reads of a dataset by the account that it does not belong to. */
  refused: number;
  failed: number;
  /** The first few. */
  findings: string[];
};

export type SearchOptions = {
  rounds: number;
  seed: number;
  /** Called after each round. */
  onRound?: (done: number) => void;
};

const PARALLEL = 16;
const FINDINGS_MAX = 20;
const RPC_VERSION = "2025-11-25";

/** What a search answered: its own point, and the dataset that it made. */
type Match = { origin: Point; id: string; version: string; entities: number };
/** A way to search; throws where the answer is not one. */
type Way = { name: string; search(lane: Lane): Promise<Match> };
type Lane = { url: string; key: string; point: Point; id: string };

export async function runSearches(
  { url, keys }: SearchDeployment,
  { rounds, seed, onRound }: SearchOptions,
): Promise<SearchTally> {
  const cities = await listCities(url, keys[0]!);
  const ways = [CAPABILITY, ...(await listToolWays(url, keys[0]!))];
  const tally: SearchTally = {
    ...{ rounds: 0, searches: 0, by: new Map(), digests: 0, refused: 0, failed: 0 },
    findings: [],
  };
  const seen = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const dice = createDice(seed, round);
    const lanes = Array.from({ length: PARALLEL }, (_, i) => {
      const serial = round * PARALLEL + i;
      const lane = {
        url,
        key: keys[i % 2]!,
        point: pointOf(seed, serial, cities),
        id: `s-${serial}`,
      };
      return { lane, way: ways[(i >> 1) % ways.length]!, other: keys[(i + 1) % 2]! };
    });
    const answers = await Promise.all(
      dice
        .shuffle(lanes)
        .map(async (each) => ({ ...each, found: await attempt(each.way, each.lane) })),
    );
    for (const { way } of answers) tally.by.set(way.name, (tally.by.get(way.name) ?? 0) + 1);
    tally.searches += answers.length;
    const problems = await Promise.all(
      answers.map(async ({ lane, found, other }) =>
        typeof found === "string"
          ? found
          : check({ lane, found, other, seen }, tally).catch(String),
      ),
    );
    for (const [i, problem] of problems.entries()) {
      if (problem === null) continue;
      const { way, lane } = answers[i]!;
      tally.failed++;
      if (tally.findings.length < FINDINGS_MAX)
        tally.findings.push(`round ${round}, ${way.name} ${lane.id}: ${problem}`);
    }
    tally.rounds++;
    onRound?.(tally.rounds);
  }
  return tally;
}

/** Cities where the service finds something at all points of the run; elsewhere it may store nothing. */
async function listCities(url: string, key: string): Promise<readonly Point[]> {
  const isCovered = async ({ lat, lon }: Point): Promise<boolean> => {
    const corners = [0, POINTS_SPAN].map((step) => ({ lat: lat + step, lon: lon + step }));
    const matches = await Promise.all(
      corners.map((point) => attempt(CAPABILITY, { url, key, point, id: `${point.lat}` })),
    );
    return matches.every((each) => typeof each !== "string" && each.entities > 0);
  };
  const covered = await Promise.all(CITIES.map(isCovered));
  const cities = CITIES.filter((_, i) => covered[i]);
  if (cities.length === 0) throw new Error("the service covers none of the cities");
  return cities;
}

/** What a search found, or what is wrong with its answer. */
async function attempt(way: Way, lane: Lane): Promise<Match | string> {
  try {
    return await way.search(lane);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type Checked = { lane: Lane; found: Match; other: string; seen: Set<string> };

/** The dataset is of this search alone: its origin, its digest, its owner. null: it is. */
async function check(
  { lane, found, other, seen }: Checked,
  tally: SearchTally,
): Promise<string | null> {
  const { origin, id, version } = found;
  if (!isSame(origin, lane.point)) return `it answers ${text(origin)}, not ${text(lane.point)}`;
  if (seen.has(id)) return `the dataset ${id} is of another search, too`;
  seen.add(id);
  const path = `/v1/datasets/${id}/${version}`;
  const [record, read, foreign] = await Promise.all([
    call(lane, path),
    call(lane, "/v1/capabilities", toCapability(lane, "read_dataset", { id, version })),
    call({ ...lane, key: other }, path),
  ]);
  if (foreign.status !== 404) return `the other account reads ${id}: ${foreign.status}`;
  tally.refused++;
  if (record.status !== 200 || read.status !== 200)
    return `${id} is not read: ${record.status}, ${read.status}`;
  const { observation } = parse(read.bytes);
  const stated = String(observation.provenance[0].content_digest);
  const digest = `sha-256:${createHash("sha256").update(record.bytes).digest("hex")}`;
  if (digest !== stated) return `${id} has the digest ${digest}, stated as ${stated}`;
  const body = parse(record.bytes);
  if (!isSame(body.query_origin, lane.point))
    return `${id} answers ${text(body.query_origin)}, not ${text(lane.point)}`;
  tally.digests++;
  return null;
}

const CAPABILITY: Way = {
  name: "capabilities",
  async search(lane) {
    const capability = toCapability(lane, "search_mobility", { ...lane.point, radius: 400 });
    const { status, bytes } = await call(lane, "/v1/capabilities", capability);
    const body = parse(bytes);
    if (status !== 200) throw new Error(`status ${status}: ${text(body)}`);
    if (text(body.correlation) !== text((capability as Body).correlation))
      throw new Error(`correlation ${text(body.correlation)}`);
    const { provenance, query_parameters } = body.observation;
    if (!provenance) throw new Error(text(body.observation));
    const { dataset_id, version, entity_count } = provenance[0];
    return { origin: query_parameters, id: dataset_id, version, entities: entity_count };
  },
};

type Tool = {
  name: string;
  inputSchema: { properties?: Record<string, unknown>; required?: string[] };
  outputSchema?: { properties?: Record<string, unknown> };
};

/** The tools that search at a point and store what they find. */
async function listToolWays(url: string, key: string): Promise<Way[]> {
  const lane = { url, key, id: "list", point: { lat: 0, lon: 0 } };
  const { result } = await rpc(lane, "tools/list", {});
  const storing = (result.tools as Tool[]).filter(({ inputSchema, outputSchema }) => {
    const { id, lat, near } = inputSchema.properties ?? {};
    return outputSchema?.properties?.["dataset"] && !id && (lat ?? near);
  });
  if (storing.length === 0) throw new Error("no tool stores what it finds");
  return storing.map((tool) => ({ name: tool.name, search: (each) => searchByTool(tool, each) }));
}

async function searchByTool({ name, inputSchema }: Tool, lane: Lane): Promise<Match> {
  const { lat, lon } = lane.point;
  const properties = inputSchema.properties ?? {};
  const where = "lat" in properties ? { lat, lon } : { near: `${lat},${lon}` };
  const others = (inputSchema.required ?? []).filter((member) => !Object.hasOwn(where, member));
  const args = { ...where, ...Object.fromEntries(others.map((member) => [member, null])) };
  const { result, error } = await rpc(lane, "tools/call", { name, arguments: args });
  if (error) throw new Error(text(error));
  if (result.isError) throw new Error(text(result.content));
  const { query_origin, dataset } = result.structuredContent as Body;
  const { id, version, entity_count } = dataset;
  return { origin: query_origin, id, version, entities: entity_count };
}

async function rpc(lane: Lane, method: string, params: object): Promise<Body> {
  const { status, bytes } = await call(lane, "/mcp?output_schemas=true", {
    ...{ jsonrpc: "2.0", id: lane.id, method, params },
  });
  const body = parse(bytes);
  if (status !== 200 || body.id !== lane.id) throw new Error(`status ${status}: ${text(body)}`);
  return body;
}

function toCapability({ id }: Lane, capability: string, args: object): object {
  const correlation = {
    conversation_id: "searches",
    interaction_id: id,
    request_id: `${id} ${capability}`,
    parent_request_id: null,
    turn_id: null,
  };
  const request = { capability, args };
  return { contract_version: "1.0.0", correlation, request, freshness_policy: null };
}

async function call(
  { url, key }: Pick<Lane, "url" | "key">,
  path: string,
  body?: object,
): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(url + path, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": RPC_VERSION,
      }),
    },
    ...(body && { body: text(body) }),
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever came; what is missing fails the run
type Body = Record<string, any>;

function parse(bytes: Buffer): Body {
  try {
    return JSON.parse(bytes.toString()) as Body;
  } catch {
    throw new Error(`no JSON: ${bytes.toString("latin1").slice(0, 80)}`);
  }
}

function isSame(a: Partial<Point> | undefined, b: Point): boolean {
  return a?.lat === b.lat && a.lon === b.lon;
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
