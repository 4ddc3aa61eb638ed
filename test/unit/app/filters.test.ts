/** Filters of /v1/nearby (packages/api/nearby-filters): what is left is what the published members say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FORM_FACTORS, PROPULSIONS } from "#api/tokens.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import {
  ask,
  askGeoJson,
  deploy,
  type Deployment,
  PLAN,
  rankOf,
  type Wish,
} from "../../support/answers.ts";
import {
  aShard,
  aStation,
  aStatus,
  aType,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  type SystemSketch,
} from "../../support/domain.ts";
import { createMemoryBridges } from "../../support/memory.ts";
import { sized } from "../../support/size.ts";

const UNLIMITED = { ...PLAN, nearby_limit_max: 10_000, nearby_offset_max: null };

const TYPES = [
  aType("human"),
  aType("assist", { propulsion: "electric_assist", electric: true }),
  aType("motor", { propulsion: "electric", electric: true, form_factor: "moped", mode: "moped" }),
  aType("odd", { propulsion: "steam", electric: null }),
  aType("untold", { propulsion: null, electric: null, form_factor: null }),
  aType("cargo", { form_factor: "cargo_bicycle" }),
];
const typeId = fc.constantFrom(...TYPES.map(({ id }) => id), "no such type");
const count = fc.option(fc.integer({ min: 0, max: 4 }));

const station = fc.record({
  at: fc.integer({ min: -60, max: 60 }),
  types: fc.uniqueArray(typeId, { maxLength: 2 }),
  has_status: fc.boolean(),
  status: fc.record({
    vehicles: count,
    docks: count,
    docks_unlimited: fc.boolean(),
    electric: count,
    by_type: fc.array(fc.record({ type_id: typeId, count: fc.integer({ min: 0, max: 2 }) }), {
      maxLength: 2,
    }),
  }),
});
const vehicle = fc.record({
  at: fc.integer({ min: -60, max: 60 }),
  type_id: fc.option(typeId),
  pricing_plan_id: fc.option(fc.constantFrom("p", "q")),
});
const system = fc.record({
  stations: fc.array(station, { maxLength: 6 }),
  vehicles: fc.array(vehicle, { maxLength: 6 }),
  name: fc.constantFrom("Vélocité", "Dott", "Lime Paris"),
});

type Drawn = typeof system extends fc.Arbitrary<infer T> ? T : never;

function toSketch(id: string, { name, ...drawn }: Drawn): SystemSketch {
  const stations = drawn.stations.map(({ at, types }, i) =>
    aStation(`${i}`, {
      ...moved(HERE, at * 5, 3),
      name: `Place ${at}`,
      vehicle_capacity: types.length > 0 ? [{ type_ids: types, count: 5 }] : [],
    }),
  );
  return {
    id,
    name,
    source: id === "b" ? "citybikes" : "gbfs",
    types: TYPES,
    stations,
    statuses: drawn.stations.flatMap(({ has_status, status }, i) =>
      has_status ? [aStatus(`${i}`, status)] : [],
    ),
    vehicles: drawn.vehicles.map(({ at, ...change }, i) =>
      aVehicle(`v${i}`, { location: moved(HERE, at * 5, -2), ...change }),
    ),
  };
}

const scene = fc
  .tuple(system, system, system)
  .map((systems) => systems.map((each, i) => aShard(toSketch("abc"[i]!, each))));
const wish = fc.record(
  {
    min_vehicles: fc.integer({ min: 1, max: 3 }),
    min_docks: fc.integer({ min: 1, max: 3 }),
    propulsion: fc.subarray([...PROPULSIONS], { minLength: 1 }),
    form_factors: fc.subarray([...FORM_FACTORS], { minLength: 1 }),
    operators: fc.constantFrom(
      "velocite",
      "a,b",
      "DOTT, c",
      "Lime",
      "  lime paris",
      "nothing such",
    ),
  },
  { requiredKeys: [] },
);

type Body = NearbyBodyValue;
type Fits = boolean | null;
type Dock = Body["results"]["stations"][number];
/** `is_counted`: false of a vehicle where stations are counted, of which no filter says that it fits. */
type Judged = { id: string; fits: Record<string, Fits>; is_counted: boolean };

const MUSCLE_OR_FUEL: readonly string[] = ["human", "combustion", "combustion_diesel"];

/** Judged by the members of the answer alone. */
function judge(body: Body, request: Wish): Judged[] {
  const { min_vehicles = 0, min_docks = 0, propulsion, form_factors, operators } = request;
  const isEnough = (known_count: number | null, least: number): Fits =>
    least === 0 ? true : known_count === null ? null : known_count >= least;
  const isNamed = (names: readonly (string | undefined)[]): boolean =>
    operators === undefined ||
    operators
      .split(",")
      .some((name) => names.some((each) => each !== undefined && plain(each) === plain(name)));
  const isOfKind = (kinds: readonly { propulsion?: string }[]): Fits => {
    const wanted: readonly string[] = propulsion ?? [];
    if (kinds.some((kind) => wanted.includes(kind.propulsion ?? ""))) return true;
    return kinds.length > 0 && kinds.every((kind) => kind.propulsion) ? false : null;
  };
  const isOfForm = (forms: readonly (string | undefined)[], of: "some" | "every"): Fits => {
    const wanted: string[] = [...(form_factors ?? [])];
    // One with a seat or without is a scooter as well.
    if (wanted.includes("scooter")) wanted.push("scooter_standing", "scooter_seated");
    const fits = forms.map((form) => (form === undefined ? null : wanted.includes(form)));
    if (of === "some" && fits.includes(true)) return true;
    if (forms.length > 0 && new Set(fits).size === 1) return fits[0] ?? null;
    return null;
  };
  const formAt = ({ availability: { vehicles, by_type }, vehicle_types = [] }: Dock): Fits => {
    if (vehicles === 0) return false;
    const kinds = by_type?.filter((each) => each.count > 0) ?? vehicle_types;
    const forms = kinds.map((each) => each.form_factor);
    const fits = isOfForm(forms, by_type ? "some" : "every");
    return fits === true && vehicles === null ? null : fits;
  };
  const stations = body.results.stations.map((item) => {
    const { vehicles, docks, electric } = item.availability;
    const kinds = isOfKind(item.vehicle_types ?? []);
    const isMotor = propulsion?.every((each) => !MUSCLE_OR_FUEL.includes(each)) === true;
    const isEither = propulsion?.includes("electric") && propulsion.includes("electric_assist");
    const hasKind = electric === 0 && isMotor ? false : electric && isEither ? true : kinds;
    return {
      id: item.id,
      is_counted: true,
      fits: {
        unknown_vehicles: isEnough(vehicles, min_vehicles),
        unknown_docks: isEnough(docks, min_docks),
        unknown_propulsion: propulsion === undefined || hasKind,
        unknown_form_factors: form_factors === undefined || formAt(item),
        operators: isNamed([
          ...[item.network.id, item.network.name],
          ...item.provenance!.flatMap(({ network_id, provider }) => [network_id, provider]),
        ]),
      },
    };
  });
  const vehicles = body.results.vehicles.map(({ source, source_id, network_id, provenance }) => ({
    id: source_id,
    is_counted: min_docks === 0 && min_vehicles <= 1,
    fits: {
      unknown_propulsion: propulsion === undefined || isOfKind([source.vehicle_type ?? {}]),
      unknown_form_factors:
        form_factors === undefined || isOfForm([source.vehicle_type?.form_factor], "every"),
      operators: isNamed([
        network_id,
        source.brand,
        ...provenance!.map(({ provider }) => provider),
      ]),
    },
  }));
  return [...stations, ...vehicles].filter(
    ({ fits }) => !Object.values<Fits>(fits).includes(false),
  );
}

function plain(name: string): string {
  return name.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

const OVERRIDES = { always: [], never: [] };

for (const [how, identity] of [
  ["each observation by itself", () => ({})],
  ["merged", () => ({ identity: { bridges: createMemoryBridges(), overrides: OVERRIDES } })],
] as const)
  test(`a filtered answer is the whole one, filtered by its published members (${how})`, async () => {
    const seen = { left_out: 0, unknown: 0, merged: 0 };
    await forAllAsync(
      fc.asyncProperty(scene, wish, async (shards, request) => {
        const deployment = deploy({ shards, ...identity() });
        const whole = await ask(deployment, { plan: UNLIMITED, limit: 10_000 });
        const body = await ask(deployment, { plan: UNLIMITED, limit: 10_000, ...request });
        const expected = judge(whole, request);
        assert.deepEqual(idsOf(body).toSorted(), expected.map(({ id }) => id).toSorted());
        assert.equal(body.total, expected.length);
        assert.deepEqual(body.summary, summaryOf(expected, request));
        await checkMatches(deployment, whole, request, expected);
        const inOrder = idsOf(whole).filter((id) => expected.some((each) => each.id === id));
        assert.deepEqual(idsOf(body), inOrder);
        seen.left_out += whole.total - body.total;
        seen.unknown += Object.values(body.summary ?? {}).reduce((sum, each) => sum + each, 0);
        seen.merged += body.results.stations.filter(
          ({ resolution_status }) => resolution_status === "merged",
        ).length;
      }),
      300,
    );
    assert.ok(seen.left_out > 500 && seen.unknown > 200, JSON.stringify(seen));
    assert.ok(how !== "merged" || seen.merged > sized(5, 20), JSON.stringify(seen));
  });

const NAMES: Readonly<Record<string, string>> = {
  unknown_vehicles: "min_vehicles",
  unknown_docks: "min_docks",
  unknown_propulsion: "propulsion",
  unknown_form_factors: "form_factors",
};

/** Each result says what is not known of it, the head names the nearest that is known, strict shows those alone. */
async function checkMatches(
  deployment: Deployment,
  whole: Body,
  request: Wish,
  expected: readonly Judged[],
): Promise<void> {
  if (Object.keys(request).length === 0) return;
  const doubts = new Map(
    expected.map(({ id, fits }) => [
      id,
      Object.entries(fits).flatMap(([name, fit]) => (fit === null ? NAMES[name]! : [])),
    ]),
  );
  const uncounted = new Set(expected.flatMap((each) => (each.is_counted ? [] : [each.id])));
  const order = rankOf(whole).filter(({ id }) => doubts.has(id));
  const kept = order.filter(({ id }) => doubts.get(id)!.length === 0);
  const known = kept.filter(({ id }) => !uncounted.has(id));
  for (const format of ["json", "geojson"] as const) {
    const page = { plan: UNLIMITED, limit: 10_000, ...request };
    const { rows, nearest } = await matchesOf(deployment, page, format);
    for (const [id, { match, unknown }] of rows) {
      const isKnown = doubts.get(id)!.length === 0;
      const isSilent = isKnown && uncounted.has(id);
      assert.deepEqual(unknown, isSilent ? undefined : doubts.get(id), format);
      assert.equal(match, isSilent ? undefined : isKnown ? "known" : "unknown", format);
    }
    const { distance, id } = known[0] ?? {};
    assert.deepEqual([nearest?.distance_meters, nearest?.id], [distance, id], format);
  }
  const first = await ask(deployment, { plan: UNLIMITED, ...request, limit: 1 });
  assert.equal(first.nearest_known?.id, known[0]?.id, "on this page or not");
  const strict = await ask(deployment, {
    plan: UNLIMITED,
    ...request,
    limit: 10_000,
    strict: true,
  });
  assert.deepEqual(idsOf(strict).toSorted(), kept.map(({ id }) => id).toSorted());
  assert.deepEqual(
    [strict.total, strict.summary!.unknown_left_out],
    [kept.length, order.length - kept.length],
  );
}

type Match = { match?: string; unknown?: readonly string[] };

async function matchesOf(
  deployment: Deployment,
  request: Wish,
  format: "json" | "geojson",
): Promise<{ rows: [id: string, Match][]; nearest: Body["nearest_known"] }> {
  if (format === "geojson") {
    const { features, meta } = await askGeoJson(deployment, request);
    const rows = features.map(({ properties }): [string, Match] =>
      "source" in properties
        ? [properties.source_id, properties.source]
        : [properties.id, properties],
    );
    return { rows, nearest: meta!.nearest_known };
  }
  const { results, nearest_known: nearest } = await ask(deployment, request);
  const stations = results.stations.map((item): [string, Match] => [item.id, item]);
  const vehicles = results.vehicles.map((item): [string, Match] => [item.source_id, item.source]);
  return { rows: [...stations, ...vehicles], nearest };
}

function idsOf({ results }: Body): string[] {
  return [
    ...results.stations.map(({ id }) => id),
    ...results.vehicles.map((each) => each.source_id),
  ];
}

function summaryOf(left: readonly Judged[], request: Wish): object | undefined {
  const names = [
    ...(request.min_vehicles ? ["unknown_vehicles"] : []),
    ...(request.min_docks ? ["unknown_docks"] : []),
    ...(request.propulsion ? ["unknown_propulsion"] : []),
    ...(request.form_factors ? ["unknown_form_factors"] : []),
  ];
  if (names.length === 0 && request.operators === undefined) return undefined;
  const counts = names.map((name) => [name, left.filter(({ fits }) => fits[name] === null).length]);
  return Object.fromEntries(counts) as object;
}

test("a station that has cargo bikes alone counts them, and fits by its counts", async () => {
  const types = [aType("bike"), aType("trike", { form_factor: "cargo_bicycle" })];
  const statuses = [
    aStatus("of bikes", { by_type: [counted("bike", 5), counted("trike", 0)] }),
    aStatus("of both", { vehicles: 3, by_type: [counted("bike", 0), counted("trike", 3)] }),
    aStatus("of none", { vehicles: 0 }),
    // Counts that do not add up.
    aStatus("odd", { by_type: [counted("trike", 9)] }),
  ];
  const stations = statuses.map(({ id }, i) => aStation(id, moved(HERE, i * 9)));
  const deployment = deploy({ shards: [aShard({ types, stations, statuses })] });
  const whole = await ask(deployment, {});
  assert.deepEqual(
    whole.results.stations.map(({ availability }) => availability.by_type),
    [
      [kind("bicycle", 5), kind("cargo_bicycle", 0)],
      [kind("bicycle", 0), kind("cargo_bicycle", 3)],
      undefined,
      undefined,
    ],
  );
  const body = await ask(deployment, { form_factors: ["cargo_bicycle"] });
  assert.deepEqual([body.total, body.summary], [2, { unknown_form_factors: 1 }]);
  const of_one = deploy({
    shards: [aShard({ types: types.slice(0, 1), stations: [stations[0]!] })],
  });
  const { results } = await ask(of_one, {});
  assert.deepEqual(results.stations[0]!.availability.by_type, [kind("bicycle", 5)]);
});

const counted = (type_id: string, n: number) => ({ type_id, count: n });
const kind = (form_factor: string, n: number) => ({ form_factor, propulsion: "human", count: n });

test("pages, counts and units are of what is left", async () => {
  const stations = Array.from({ length: 30 }, (_, i) => aStation(`${i}`, moved(HERE, i)));
  const statuses = stations.map(({ id }) => aStatus(id, { vehicles: Number(id) % 3 }));
  const deployment = deploy({ shards: [aShard({ stations, statuses })] });
  const request = { plan: UNLIMITED, min_vehicles: 2 };
  const whole = await ask(deployment, request);
  assert.equal(whole.total, 10);
  const pages: string[] = [];
  for (const offset of [0, 4, 8]) {
    const page = await ask(deployment, { ...request, limit: 4, offset, debug: true });
    assert.equal(page.total, 10);
    pages.push(...idsOf(page));
    const { sources, usage } = page.debug as unknown as Debug;
    assert.deepEqual([sources[0]!.raw_count, sources[0]!.matched_count], [30, 10]);
    assert.equal(usage.units, 1);
  }
  assert.deepEqual(pages, idsOf(whole));
  const { meta, features } = await askGeoJson(deployment, request);
  assert.deepEqual([features.length, meta!.summary], [10, { unknown_vehicles: 0 }]);
});

type Debug = {
  sources: { raw_count: number; matched_count: number }[];
  usage: { units: number };
};

test("without a filter there is no summary", async () => {
  const deployment = deploy({ shards: [aShard({ stations: [aStation("s")] })] });
  const body = await ask(deployment, { min_vehicles: 0, min_docks: 0 });
  assert.deepEqual([body.total, body.summary], [1, undefined]);
  const item = body.results.stations[0]!;
  assert.ok(!("match" in item) && !("unknown" in item) && !("nearest_known" in body));
});
