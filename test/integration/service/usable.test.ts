/**
 * Services, parking and charging by whether they can be used, over simulated sources: hours as each
 * of them writes them, held against the truth of the world, and every parameter of every operation
 * (docs/design/places.md, "Usable now").
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { stateAt } from "../../support/place-truth.ts";
import { OPEN_DATA, serviceFor, timeOfTests } from "./support.ts";

type Usable = { state: string; until: string | null; rule: string | null };
type Item = {
  id: string;
  external_id: string;
  service_type: string;
  location: { lat: number; lon: number };
  attributes: Record<string, unknown> & { usable: Usable; open_status?: string };
};
type Body = {
  total: number;
  local_time: string;
  time_zone: string;
  unknown?: Record<string, number>;
  results: Item[];
};
type Thing = {
  service_type: string;
  location: { lat: number; lon: number };
  opening_hours: string | null;
  parking?: { fee: boolean | null };
  sources: { source: string; source_id: string }[];
};

const POINT = "lat=48.8566&lon=2.3522";
const PARIS = `${POINT}&radius=3000`;
/** As far as there are fewer than the 20 that one answer shows. */
const NEAR = `${POINT}&radius=800`;
const TYPES = "types=aed,toilets,drinking_water,wifi,locker&limit=200";
const OPERATIONS = {
  services: `/v1/services/nearby?${PARIS}&${TYPES}`,
  parking: `/v1/parking/nearby?${NEAR}`,
  charging: `/v1/charging/nearby?${NEAR}`,
} as const;

/** That many days from now at an hour of UTC. */
function atDay(days: number, hour: number): string {
  const date = new Date(timeOfTests() + days * 86_400_000).toISOString().slice(0, 10);
  return `${date}T${String(hour).padStart(2, "0")}:30:00Z`;
}

const FILTERS = [
  ["usable", "now", "hours"],
  ["usable", atDay(3, 2), "hours"],
  ["wheelchair", "yes", "wheelchair"],
  ["fee", "no", "fee"],
  ["access", "public", "access"],
] as const;

const DEPLOYMENTS = [
  { name: "as shipped", settings: undefined },
  { name: "open data alone", settings: OPEN_DATA },
];

for (const { name, settings } of DEPLOYMENTS)
  describe(name, () => {
    const at = serviceFor({
      cities: "paris",
      still: true,
      timetables: false,
      ...(settings && { settings }),
    });
    const { client } = at;
    const ask = (path: string): Promise<Body> =>
      client.json<Body>(`${at.started.service.url}${path}`);

    test("every result has its state, and open_status is the same word", async () => {
      for (const [operation, path] of Object.entries(OPERATIONS)) {
        const { results, local_time, time_zone, unknown } = await ask(path);
        assert.ok(results.length >= 5, `${operation}: ${results.length} results`);
        assert.equal(time_zone, "Europe/Paris");
        assert.match(local_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00$/);
        for (const { attributes } of results) {
          const { state, until } = attributes.usable;
          if (operation !== "services") assert.equal(attributes.open_status, state);
          if (until !== null) assert.ok(Date.parse(until) > Date.parse(local_time), until);
        }
        assert.equal(unknown, undefined);
        const states = new Set(results.map(({ attributes }) => attributes.usable.state));
        assert.ok(states.size > 1, `${operation}: ${[...states].join()}`);
      }
    });

    test("the states are those of the world's hours, by day and by night", async () => {
      const { things } = await client.json<{ things: Thing[] }>(
        `${at.started.service.sandbox!.url}/__sandbox/truth?${PARIS}`,
      );
      let known_count = 0;
      for (const time of [0, 2, 5, 6, 12].flatMap((days) => [atDay(days, 3), atDay(days, 16)]))
        for (const path of Object.values(OPERATIONS)) {
          const { results, local_time } = await ask(`${path}&usable=${time}`);
          for (const item of results) {
            const near = things.filter((thing) => isSame(thing, item));
            const { state } = item.attributes.usable;
            const text = near.length === 1 ? near[0]!.opening_hours : null;
            if (state === "unknown" || text === null) continue;
            assert.equal(state, stateAt(text, local_time), `${time}: ${JSON.stringify(item)}`);
            known_count++;
          }
        }
      assert.ok(known_count >= 30, `${known_count} states`);
    });

    for (const [parameter, value, count] of FILTERS)
      test(`${parameter}=${value === "now" || parameter !== "usable" ? value : "TIME"} keeps a part, and counts what is not known`, async () => {
        for (const path of Object.values(OPERATIONS)) {
          const [all, some] = [await ask(path), await ask(`${path}&${parameter}=${value}`)];
          assert.equal(all.total, all.results.length);
          const ids = new Set(all.results.map(({ id }) => id));
          assert.ok(
            some.results.every(({ id }) => ids.has(id)),
            "none is new",
          );
          assert.ok(some.total <= all.total && some.results.length === some.total);
          const unknown = some.unknown![count]!;
          assert.ok(unknown >= 0 && unknown <= some.total);
          if (parameter !== "usable") continue;
          const states = some.results.map(({ attributes }) => attributes.usable.state);
          assert.ok(!states.includes("closed"));
          assert.equal(states.filter((state) => state === "unknown").length, unknown);
        }
        const any = await ask(`${OPERATIONS.services}&${parameter}=any`);
        assert.deepEqual(any, await ask(OPERATIONS.services));
      });

    test("connector and min_kw keep what the published connectors fit, and what is not known", async () => {
      const one = OPERATIONS.charging;
      const all = `/v1/services/nearby?${NEAR}&types=charging,toilets&limit=200`;
      let left_out = 0;
      for (const [path, usable] of [one, all].flatMap((each) => [
        [each, "any"] as const,
        [each, "now"] as const,
      ])) {
        const whole = await ask(`${path}&usable=${usable}`);
        for (const [types, min_kw] of [
          [["CCS2"], 0],
          [["CCS2", "CHAdeMO"], 50],
          [null, 100],
        ] as const) {
          const label = types ? `&connector=${types.join()}` : "";
          const some = await ask(`${path}&usable=${usable}${label}&min_kw=${min_kw}`);
          const judged = whole.results.map((item) => ({
            id: item.id,
            fits: fitsOf(item, (plug) => [
              types === null || plug.type === "Other"
                ? types === null || null
                : types.includes(plug.type as "CCS2"),
              min_kw === 0 || (plug.max_kw === undefined ? null : plug.max_kw >= min_kw),
              usable === "any" ||
                (plug.available_count === undefined ? null : plug.available_count > 0),
            ]),
          }));
          const remaining = judged.filter(({ fits }) => fits !== false);
          assert.deepEqual(
            some.results.map(({ id }) => id),
            remaining.map(({ id }) => id),
          );
          assert.equal(some.total, remaining.length);
          const unknown = remaining.filter(({ fits }) => fits === null).length;
          assert.equal(some.unknown!["connector"], unknown);
          left_out += judged.length - remaining.length;
        }
      }
      assert.ok(left_out > 10, `${left_out} left out`);
    });

    test("a filter goes before the cut of car parks that are at hand", async () => {
      // Google itself answers with its 20 nearest.
      if (settings === undefined) return;
      const { things } = await client.json<{ things: Thing[] }>(
        `${at.started.service.sandbox!.url}/__sandbox/truth?${PARIS}`,
      );
      const free = things.filter(({ parking }) => parking?.fee === false);
      const ids = free.flatMap(({ sources }) =>
        sources.filter(({ source }) => source === "openstreetmap").map((each) => each.source_id),
      );
      const { results } = await ask(`/v1/parking/nearby?${PARIS}&fee=no&strict=true`);
      assert.ok(ids.length > 10, `${ids.length} free`);
      assert.deepEqual(
        results.map(({ external_id }) => external_id),
        ids.slice(0, 20),
      );
    });

    test("a value that is none is refused, and the refusal names parameter and rule", async () => {
      for (const path of Object.values(OPERATIONS))
        for (const [query, message] of [
          ["usable=", /^usable must be any, now or an RFC 3339 time/],
          ["usable=later", /^usable must be any, now or an RFC 3339 time/],
          ["usable=2026-11-23", /^usable must be/],
          ["usable=2026-11-23T10:00:00", /^usable must be/],
          ["usable=2026-11-23T10:00:00+01:00", /^usable must be .* \+ is %2B/],
          ["usable=2026-02-30T10:00:00Z", /^usable must be/],
          ["usable=1999-01-01T10:00:00Z", /^usable must be .* at most a year away/],
          ["usable=now&usable=any", /^usable must be given once$/],
          ["wheelchair=limited", /^wheelchair must be one of any, yes$/],
          ["fee=yes", /^fee must be one of any, no$/],
          ["access=private", /^access must be one of any, public$/],
          ...(path === OPERATIONS.parking
            ? []
            : ([
                ["connector=ccs", /^connector must be a comma-separated list of J1772, Type 2/],
                ["min_kw=-1", /^min_kw must be a number >= 0 \(kW\)$/],
              ] as const)),
        ] as const) {
          const reply = await client.call(`${at.started.service.url}${path}&${query}`);
          const { error } = JSON.parse(reply.text) as { error: { code: string; message: string } };
          assert.deepEqual([reply.status, error.code], [400, "invalid_request"], query);
          assert.match(error.message, message);
        }
    });
  });

type Plug = { type: string; max_kw?: number; available_count?: number };

/** Of chargers by their best connector; of all others true. */
function fitsOf(
  { service_type, attributes }: Item,
  judge: (plug: Plug) => (boolean | null)[],
): boolean | null {
  if (service_type !== "charging") return true;
  const { connectors } = attributes["charging"] as { connectors: Plug[] };
  const fits = connectors
    .map(judge)
    .map((parts) => (parts.includes(false) ? 0 : parts.includes(null) ? 1 : 2));
  const best = Math.max(...fits, connectors.length === 0 ? 1 : 0);
  return [false, null, true][best]!;
}

function isSame(thing: Thing, item: Item): boolean {
  const [a, b] = [thing.location, item.location];
  const degrees = Math.hypot(a.lat - b.lat, (a.lon - b.lon) * 0.66);
  return thing.service_type === item.service_type && degrees < 40 / 111_000;
}
