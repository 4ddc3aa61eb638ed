/**
 * Filters that may not know (packages/api/filter-match), in every simulated city: no result that is
 * not known to fit goes without saying so, and the head names the nearest that is. What is said to be
 * known is held against the simulator's truth.
 */
import assert from "node:assert/strict";
import type { ServicesBodyValue } from "#api/services.ts";
import { tagsOf } from "../../../sandbox/openmap/tags.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { connect, resultOf } from "../../support/mcp.ts";
import { keyOf, type Observation, observationsOf, stateAt } from "../../support/place-truth.ts";
import type { Client, Started } from "./support.ts";

type Body = ServicesBodyValue;
type Item = { attributes: object };
type Fits = boolean | null;
type Thing = {
  kind: string;
  location: { lat: number; lon: number };
  opening_hours: string | null;
  parking?: { fee: boolean | null };
  charging?: { available_by_standard: Record<string, number> | null };
  sources: Observation[];
};
type Plug = { type: string; available_count?: number };

const RADIUS_M = 1_500;

const isOpen = ({ attributes }: Item): Fits => {
  const { state } = (attributes as { usable: { state: string } }).usable;
  return state === "unknown" ? null : state === "open";
};
const isFreeOfCharge = ({ attributes }: Item): Fits => {
  const { fee, parking } = attributes as { fee?: boolean; parking?: { features: string[] } };
  if (fee !== undefined) return !fee;
  const priced = (parking?.features ?? []).filter((each) => /^(free|paid)_/.test(each));
  const free = priced.filter((each) => each.startsWith("free_")).length;
  if (priced.length === 0 || (free > 0 && free < priced.length)) return null;
  return free > 0;
};
const isAccessible = ({ attributes }: Item): Fits => {
  const { wheelchair } = attributes as { wheelchair?: string };
  return wheelchair === "yes"
    ? true
    : wheelchair === "limited" || wheelchair === "no"
      ? false
      : null;
};
const hasFreeCcs = ({ attributes }: Item): Fits => {
  const { connectors } = (attributes as { charging: { connectors: Plug[] } }).charging;
  const fits = connectors.map(({ type, available_count: free }): Fits => {
    if ((type !== "CCS2" && type !== "Other") || free === 0) return false;
    return type === "Other" || free === undefined ? null : true;
  });
  if (connectors.length === 0) return null;
  return fits.includes(true) ? true : fits.includes(null) ? null : false;
};
const trulyOpen = ({ opening_hours: hours }: Thing, time: string): Fits =>
  hours === null ? null : stateAt(hours, time) === "open";

type Filter = {
  args: Record<string, string | string[]>;
  /** By the published members of a result. */
  fits: (item: Item) => Fits[];
  /** By the truth; null: the truth does not say. */
  truly: (thing: Thing, time: string, tags: Record<string, string>) => Fits;
};

/** As an agent asks them. */
const CASES: readonly Filter[] = [
  {
    args: { types: ["toilets"], usable: "now" },
    fits: (item) => [isOpen(item)],
    truly: trulyOpen,
  },
  {
    args: { types: ["charging"], connector: ["CCS2"], usable: "now" },
    fits: (item) => [isOpen(item), hasFreeCcs(item)],
    truly: ({ charging }) => {
      const free = charging?.available_by_standard ?? null;
      return free && (free["IEC_62196_T2_COMBO"] ?? 0) > 0;
    },
  },
  {
    args: { types: ["wifi"], fee: "no" },
    fits: (item) => [isFreeOfCharge(item)],
    truly: (_, __, { "internet_access:fee": fee }) => (fee === undefined ? null : fee === "no"),
  },
  {
    args: { types: ["aed"], usable: "now" },
    fits: (item) => [isOpen(item)],
    truly: trulyOpen,
  },
  {
    args: { types: ["parking"], fee: "no" },
    fits: (item) => [isFreeOfCharge(item)],
    truly: ({ parking }) => (parking!.fee === null ? null : !parking!.fee),
  },
  {
    args: { types: ["toilets"], wheelchair: "yes" },
    fits: (item) => [isAccessible(item)],
    truly: (_, __, { wheelchair }) => (wheelchair === undefined ? null : wheelchair === "yes"),
  },
];

/** A city, with what is truly there. */
type Town = {
  name: string;
  point: string;
  lat: number;
  lon: number;
  /** By their observations. */
  seen: ReadonlyMap<string, Thing>;
  /** Of the open map, by where they are. */
  tags: ReadonlyMap<string, Record<string, string>>;
};
type Clients = { client: Client; agent: Agent; url: string };
type Agent = Awaited<ReturnType<typeof connect>>;

/**
 * Asks the cases in every city of the simulator, over REST and as an agent. Returns how many there
 * were, of how many the first result is not known to fit, and how often the truth confirms the nearest.
 */
export async function checkCases(client: Client, { service }: Started, seed: number) {
  const { url, sandbox, keys } = service;
  const agent = await connect(url, { key: keys.find(({ plan }) => plan === "unlimited")!.key });
  const world = createWorld(seed);
  const drawn = world.cities.flatMap((city) => world.listServices(city));
  const tags = new Map(drawn.map((thing) => [`${thing.lat} ${thing.lon}`, tagsOf(thing)]));
  const seen = { cases: 0, first_unknown: 0, confirmed: 0 };
  for (const { lat, lon, name } of sandbox!.cities()) {
    const point = `lat=${lat}&lon=${lon}&radius=${RADIUS_M}`;
    const { things } = await client.json<{ things: Thing[] }>(
      `${sandbox!.url}/__sandbox/truth?${point}`,
    );
    const services = things.filter(({ kind }) => kind === "service");
    const observed = new Map(
      services.flatMap((thing) => thing.sources.map((each) => [keyOf(each), thing] as const)),
    );
    const town = { name, point, lat, lon, seen: observed, tags };
    for (const each of CASES) {
      const { isEmpty, isFirstKnown, confirmed } = await checkCase(
        { client, agent, url },
        town,
        each,
      );
      if (isEmpty) continue;
      seen.cases++;
      seen.first_unknown += isFirstKnown ? 0 : 1;
      seen.confirmed += confirmed;
    }
  }
  await agent.close();
  return seen;
}

async function checkCase({ client, agent, url }: Clients, town: Town, wanted: Filter) {
  const { lat, lon, point } = town;
  const query = Object.entries(wanted.args).map(([name, value]) => `${name}=${String(value)}`);
  const path = `${url}/v1/services/nearby?${point}&limit=200&${query.join("&")}`;
  const body = await client.json<Body>(path);
  const { results, nearest_known } = body;
  const label = `${town.name} ${query.join(" ")}`;
  const judged = results.map((item) => verdictOf(wanted.fits(item)));
  assert.deepEqual(
    results.map(({ match, unknown }) => [match, unknown!.length === 0]),
    judged.map((isKnown) => [isKnown ? "known" : "unknown", isKnown]),
    label,
  );
  const nearest = results[judged.indexOf(true)];
  if (results.length === body.total) assert.equal(nearest_known?.id, nearest?.id, label);
  if (nearest) {
    const { id, distance_meters, location } = nearest;
    assert.deepEqual(nearest_known, { id, distance_meters, location }, label);
  }
  const called = await agent.callTool({
    name: "find_urban_services",
    arguments: { lat, lon, radius: RADIUS_M, ...wanted.args },
  });
  const shown = resultOf(called) as unknown as Pick<Body, "nearest_known" | "results">;
  assert.ok(
    shown.results.every(({ match }) => match !== undefined),
    label,
  );
  assert.deepEqual(shown.nearest_known, nearest_known, label);
  const strict = await client.json<Body>(`${path}&strict=true`);
  assert.ok(
    strict.results.every(({ match }) => match === "known"),
    label,
  );
  assert.equal(strict.results[0]?.id, nearest_known?.id, label);
  const { left_out = 0 } = strict.unknown!;
  assert.ok(left_out >= judged.filter((isKnown) => !isKnown).length, label);
  const confirmed = nearest ? confirm(nearest, town, { wanted, time: body.local_time!, label }) : 0;
  return { isEmpty: results.length === 0, isFirstKnown: judged[0], confirmed };
}

/** Holds what is said to be known against the truth; returns how many observations confirm it. */
function confirm(
  nearest: Body["results"][number],
  { seen, tags }: Town,
  { wanted, time, label }: { wanted: Filter; time: string; label: string },
): number {
  const observations = observationsOf(nearest);
  // Where another source leads, the map's tags decide nothing.
  const isMaps = observations.every(({ source }) => source === "openstreetmap");
  const truths = observations.map((observation): Fits => {
    const thing = seen.get(keyOf(observation));
    if (!thing) return null;
    const { lat, lon } = thing.location;
    return wanted.truly(thing, time, (isMaps && tags.get(`${lat} ${lon}`)) || {});
  });
  assert.ok(!truths.includes(false), `${label}: ${JSON.stringify(nearest)}`);
  return truths.filter((truth) => truth === true).length;
}

/** Whether it is known to fit; what is known not to has no place in an answer. */
function verdictOf(fits: readonly Fits[]): boolean {
  assert.ok(!fits.includes(false));
  return !fits.includes(null);
}
