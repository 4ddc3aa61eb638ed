/**
 * Urban services as they really are: in every simulated city, held against GET /__sandbox/truth, for
 * the shipped deployment and for one made of open data alone. A thing is one result, with every
 * source that observes it; what is closed to the public is none.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, test } from "node:test";
import type { ServicesBodyValue } from "#api/services.ts";
import { kindsOf } from "#core/places/place-tokens.ts";
import { keyOf, type Observation, observationsOf } from "../../support/place-truth.ts";
import { sized } from "../../support/size.ts";
import { vocabularyProblem } from "../../support/vocabulary.ts";
import { checkCases } from "./filter-match.ts";
import { type Client, OPEN_DATA, serviceFor, type Started } from "./support.ts";

type Item = ServicesBodyValue["results"][number];
type Thing = {
  kind: string;
  service_type: string;
  name: string;
  location: { lat: number; lon: number };
  distance_m: number;
  sources: Observation[];
};

const RADIUS_M = 900;
/** Sources draw a thing at most so far from where it is. */
const PIN_M = 40;
const TYPES = "aed,toilets,drinking_water,fountain,wifi,parking,charging,locker";

const DEPLOYMENTS = [
  {
    name: "as shipped: Google, OpenAEDMap",
    settings: undefined,
    /** The sources that this deployment asks for a type. */
    asks: {
      aed: ["openaedmap", "geodae", "openstreetmap"],
      toilets: ["refuge_restrooms", "openstreetmap"],
      drinking_water: ["openstreetmap"],
      fountain: ["openstreetmap"],
      wifi: ["openstreetmap"],
      parking: ["google_maps"],
      charging: ["google_maps"],
    } as Record<string, string[]>,
  },
  {
    name: "open data alone: Photon, GéoDAE, Open Charge Map, OCPI",
    settings: OPEN_DATA,
    asks: {
      aed: ["geodae", "openaedmap", "openstreetmap"],
      toilets: ["refuge_restrooms", "openstreetmap"],
      drinking_water: ["openstreetmap"],
      fountain: ["openstreetmap"],
      wifi: ["openstreetmap"],
      parking: ["openstreetmap"],
      charging: ["openchargemap", "ocpi", "openstreetmap"],
    } as Record<string, string[]>,
  },
];

/** Decisions: the locker provider, and the open map where it has none, as in simulated Germany. */
const LOCKER_COUNTRIES = new Set(["PL", "GB", "FR", "ES"]);

for (const { name, settings, asks } of DEPLOYMENTS)
  for (const seed of sized([1], [1, randomInt(2 ** 32)]))
    describe(`${name}, seed ${seed}`, () => {
      const at = serviceFor({
        cities: "all",
        still: true,
        variables: { SANDBOX_SEED: String(seed) },
        ...(settings ? { settings } : {}),
      });

      test("every service is one result with all its observations", async (t) => {
        let things = 0;
        let merged = 0;
        for (const city of at.started.service.sandbox!.cities()) {
          const lockers = LOCKER_COUNTRIES.has(city.country) ? ["inpost"] : ["openstreetmap"];
          const seen = await checkCity(at.client, at.started, city, { ...asks, locker: lockers });
          things += seen.things;
          merged += seen.merged;
        }
        assert.ok(things > 400, `${things} things`);
        assert.ok(merged > 60, `${merged} seen by several`);
        t.diagnostic(`seed ${seed}: ${things} things exact, ${merged} of them seen by several`);
      });

      // The filters are the same whichever sources are asked.
      if (settings === undefined)
        test("a first result that is not known to fit says so, and the head names the nearest that is", async (t) => {
          const { cases, first_unknown, confirmed } = await checkCases(at.client, at.started, seed);
          const counted = `${cases} cases, ${first_unknown} with an unknown first, ${confirmed} confirmed`;
          t.diagnostic(counted);
          assert.ok(cases >= 70 && first_unknown >= 20 && confirmed >= 20, counted);
        });
    });

async function checkCity(
  client: Client,
  { service }: Started,
  city: { name: string; lat: number; lon: number },
  asks: Record<string, string[]>,
): Promise<{ things: number; merged: number }> {
  const { lat, lon } = city;
  const body = await client.json<ServicesBodyValue>(
    `${service.url}/v1/services/nearby?lat=${lat}&lon=${lon}&radius=${RADIUS_M}&limit=200&types=${TYPES}`,
  );
  assert.equal(body.status, "success", `${city.name}: ${body.message}`);
  const truth = await listTruth(client, service.sandbox!.url, city, asks);
  const things = indexOf(truth);
  for (const { service_type, attributes } of body.results) {
    const kind = kindsOf([service_type])[0]!;
    assert.equal(vocabularyProblem(kind, attributes), null, city.name);
  }
  const results = new Map<Thing, Item>();
  for (const item of body.results) {
    const observations = observationsOf(item);
    const matches = new Set(observations.map((each) => things.get(keyOf(each))));
    assert.equal(matches.size, 1, `${city.name}: ${JSON.stringify(item)} is several things`);
    const [thing] = matches;
    assert.ok(thing, `${city.name}: nothing is like ${JSON.stringify(item)}`);
    assert.ok(!results.has(thing), `${city.name}: twice: ${JSON.stringify([item, thing])}`);
    assert.equal(item.service_type, typeOf(item, thing), `${city.name}: ${JSON.stringify(item)}`);
    // A source may draw one thing twice (a node in a building); only the set of sources counts.
    assert.deepEqual(
      new Set(observations.map(({ source }) => source)),
      new Set(thing.sources.map(({ source }) => source)),
      `${city.name}: ${JSON.stringify([item, thing])}`,
    );
    results.set(thing, item);
  }
  for (const thing of truth) {
    if (thing.distance_m > boundOf(body, thing) - PIN_M) continue;
    assert.ok(results.has(thing), `${city.name}: not found: ${JSON.stringify(thing)}`);
  }
  const merged = [...results.keys()].filter(
    ({ sources }) => new Set(sources.map(({ source }) => source)).size > 1,
  ).length;
  return { things: results.size, merged };
}

/** Decisions: asked together, what is potable is drinking water, whatever else it is. */
function typeOf({ attributes }: Item, { service_type }: Thing): string {
  if (service_type !== "drinking_water" && service_type !== "fountain") return service_type;
  const { drinking_water } = attributes as { drinking_water?: string };
  return drinking_water === "yes" ? "drinking_water" : "fountain";
}

/**
 * Everything there is, but of parking and charging what is among the provider's nearest twenty, of
 * which those that have closed for good are left out.
 */
function boundOf(body: ServicesBodyValue, { service_type }: Thing): number {
  if (service_type !== "parking" && service_type !== "charging") return RADIUS_M;
  const own_results = body.results.filter((item) => item.service_type === service_type);
  return own_results.length < 15
    ? RADIUS_M
    : Math.max(...own_results.map((item) => item.distance_meters));
}

async function listTruth(
  client: Client,
  sandbox_url: string,
  { lat, lon }: { lat: number; lon: number },
  asks: Record<string, string[]>,
): Promise<Thing[]> {
  const { things } = await client.json<{ things: Thing[] }>(
    `${sandbox_url}/__sandbox/truth?lat=${lat}&lon=${lon}&radius=${RADIUS_M + 2 * PIN_M}`,
  );
  return things.flatMap((thing) => {
    if (thing.kind !== "service") return [];
    const sources = thing.sources.filter(({ source }) =>
      asks[thing.service_type]!.includes(source),
    );
    return sources.length > 0 ? [{ ...thing, sources }] : [];
  });
}

function indexOf(truth: readonly Thing[]): Map<string, Thing> {
  return new Map(truth.flatMap((thing) => thing.sources.map((each) => [keyOf(each), thing])));
}
