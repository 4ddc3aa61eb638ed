/**
 * Ways on foot of searches over real sockets, by an imported town on both banks of a river: what is
 * nearest by beeline is not nearest on foot, and where no way is known the answer says why.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { ChargingBody, ParkingBody, ServicesBody } from "#api/services.ts";
import { TransportBody } from "#api/transit.ts";
import { forDeployment, SANDBOX_DEPLOYMENT } from "#api/deployment.ts";
import { LIMITS } from "#api/limits.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { importGtfs } from "#transit/index.ts";
import { aBasePack, DATA_AT_S } from "../../support/bases.ts";
import {
  listRiverTown,
  OVER_THE_BRIDGE_M,
  PLACES,
  riverTimetable,
  START,
} from "../../support/river-town.ts";
import { closeAll, createClient, createFolder, start, type Started } from "./support.ts";

/** Only the town's base is asked for services. */
const ALONE = Object.fromEntries(
  ["openaedmap", "geodae", "refuge_restrooms", "inpost", "openchargemap", "ocpi"].map((id) => [
    id,
    { enabled: false },
  ]),
);
const SETTINGS = {
  sources: {
    ...{ openbase: { gazetteer: false }, maps: { adapter: "openstreetmap" }, gtfs: {}, ...ALONE },
    openstreetmap: { places: "embedded" },
  },
};
/** A Tuesday morning, for both services, so that their answers are the same to the byte. */
const NOW_MS = Date.UTC(2026, 10, 24, 9, 30, 20);
/** As this deployment describes its answers. */
function schemaOf(schema: TSchema) {
  return Compile(forDeployment(schema, SANDBOX_DEPLOYMENT));
}

const ROUTES = {
  toilets: { path: "/v1/services/nearby", query: "types=toilets", schema: schemaOf(ServicesBody) },
  parking: { path: "/v1/parking/nearby", query: "", schema: schemaOf(ParkingBody) },
  charging: { path: "/v1/charging/nearby", query: "", schema: schemaOf(ChargingBody) },
  stations: {
    path: "/v1/transport/nearby",
    query: "providers=gtfs&modes=bus",
    schema: schemaOf(TransportBody),
  },
} as const;
type Route = keyof typeof ROUTES;
const NAMES = Object.keys(ROUTES) as Route[];

type Way = { meters: number; seconds: number; step_free: boolean | null };
type Item = { name: string; distance_meters: number; walk?: Way | null };
type Answer = {
  status: string;
  message?: string;
  notices?: { message: string; cut: { within_m: number } | null }[];
  total: number;
  summary?: Record<string, number>;
  unknown?: Record<string, number>;
  not_potable?: number;
  potable_unknown?: number;
  walking?: Record<string, unknown>;
  items: Item[];
};
type At = { lat: number; lon: number };

const client = createClient();
const services = new Map<"whole" | "old", Started>();

async function startWith(without: Parameters<typeof aBasePack>[3]): Promise<Started> {
  const data_dir = await createFolder();
  const store = openAdminStorage({ data_dir, mode: "sandbox" });
  if ("problem" in store) return assert.fail(store.problem);
  await store.bases.put("river", await aBasePack("river", listRiverTown(), DATA_AT_S, without));
  const identity = { feed_id: "river", region: null, now_ms: NOW_MS };
  const feed = await importGtfs({ bytes: riverTimetable() }, identity);
  if (!feed.ok) return assert.fail(feed.problem);
  const origin = { imported_at_ms: identity.now_ms, etag: null, last_modified: null };
  store.transit.putFeed("river", feed.pack, origin);
  store.close();
  const time = { now: () => NOW_MS, watch: () => undefined };
  return await start({ data_dir, settings: SETTINGS, cities: "paris", time });
}

before(async () => {
  services.set("whole", await startWith([]));
  services.set("old", await startWith(["walk"]));
});
after(async () => {
  for (const started of services.values()) await closeAll(client, started);
});

function urlOf(route: Route, query: string, at: At = START, of: "whole" | "old" = "whole"): string {
  const { path, query: own } = ROUTES[route];
  const { url } = services.get(of)!.service;
  return `${url}${path}?lat=${at.lat}&lon=${at.lon}&${own}&${query}`;
}

async function ask(...[route, ...rest]: Parameters<typeof urlOf>): Promise<Answer> {
  const body: unknown = await client.json(urlOf(route, ...rest));
  const { schema } = ROUTES[route];
  assert.ok(schema.Check(body), JSON.stringify([...schema.Errors(body)].slice(0, 3)));
  const { results, ...others } = body as Answer & { results: Item[] | { stations: Item[] } };
  return { ...others, items: Array.isArray(results) ? results : results.stations };
}

const namesOf = ({ items }: Answer): string[] => items.map(({ name }) => name);
const metresOf = ({ items }: Answer): (number | null)[] =>
  items.map(({ walk }) => walk?.meters ?? null);

const ORDERS: Readonly<Record<Route, { straight: string[]; on_foot: string[] }>> = {
  toilets: {
    straight: ["over", "stairs", "pier", "along"],
    on_foot: ["stairs", "along", "over", "pier"],
  },
  parking: {
    straight: ["garage over", "garage along"],
    on_foot: ["garage along", "garage over"],
  },
  charging: { straight: ["plug over", "plug along"], on_foot: ["plug along", "plug over"] },
  stations: { straight: ["Over", "Along"], on_foot: ["Along", "Over"] },
};

describe("the nearest by beeline lies across the river", () => {
  for (const route of NAMES)
    test(`${route}: with walk=true its way is long, with sort=walk it comes after what is nearer`, async () => {
      const { straight, on_foot } = ORDERS[route];
      const walked = await ask(route, "walk=true");
      assert.deepEqual(namesOf(walked), straight);
      const [first] = walked.items;
      assert.ok(first!.distance_meters < 150);
      assert.ok(Math.abs(first!.walk!.meters - OVER_THE_BRIDGE_M) < 30, `${first!.walk!.meters}`);
      const { meters, seconds } = first!.walk!;
      // Up to the next second, of the metres before they are rounded.
      assert.ok(Math.abs(seconds - 0.5 - meters / 1.33) < 1, `${meters} m in ${seconds} s`);
      const sorted = await ask(route, "sort=walk");
      assert.deepEqual(namesOf(sorted), on_foot);
      assert.deepEqual(sorted.total, walked.total);
      assert.deepEqual(sorted.walking, {
        profile: "foot",
        speed_meters_per_second: 1.33,
        within_meters: (sorted.walking as { within_meters: number }).within_meters,
        reached: route === "toilets" ? 3 : 2,
        not_reached: 0,
        unknown: route === "toilets" ? 1 : 0,
        // Of stops without pathways it is not known whether one enters them without a step.
        step_free_unknown: route === "stations" ? 2 : 0,
        base: (sorted.walking as { base: object }).base,
      });
      assert.equal((sorted.walking as { base: { id: string } }).base.id, "river");
    });

  test("a page in the order of ways ends at a time, and says so", async () => {
    const { items, notices, total } = await ask("toilets", "sort=walk&limit=2");
    assert.deepEqual([namesOf({ items } as Answer), total], [["stairs", "along"], 4]);
    assert.deepEqual(notices, [
      {
        ...{ source: null, cause: null, age_s: null },
        cut: { shown: 2, total: 4, within_m: 1_500 },
        message: `Shown are the nearest 2 of 4 on foot, up to 6 minutes away; the limit may be up to ${LIMITS.services.limit_max}.`,
      },
    ]);
    const [last] = (await ask("toilets", "sort=walk&limit=4")).items.slice(-1);
    assert.deepEqual([last!.name, last!.walk], ["pier", null]);
  });
});

describe("within a time", () => {
  test("what is known to be further is left out, and what is unknown is kept and counted", async () => {
    const { items, total, summary, walking, status, notices } = await ask(
      "toilets",
      "within_minutes=6",
    );
    assert.deepEqual(namesOf({ items } as Answer), ["stairs", "pier", "along"]);
    assert.deepEqual([total, summary, status, notices], [3, { toilets: 3 }, "success", undefined]);
    const { reached, not_reached, unknown, within_meters } = walking as Record<string, number>;
    assert.deepEqual([reached, not_reached, unknown, within_meters], [2, 1, 1, 478]);
  });

  test("counts of filters and of water are of what is kept", async () => {
    const all = await ask("toilets", "wheelchair=yes");
    assert.deepEqual([all.total, all.unknown], [3, { wheelchair: 2 }]);
    const near = await ask("toilets", "wheelchair=yes&within_minutes=6");
    assert.deepEqual([near.total, near.unknown], [2, { wheelchair: 1 }]);
    assert.deepEqual(namesOf(near), ["pier", "along"]);
    const url = (query: string) =>
      urlOf("toilets", query).replace("types=toilets", "types=drinking_water");
    const water = async (query: string) => await client.json<Answer>(url(query));
    const counts = ({ total, summary, not_potable, potable_unknown }: Answer) => [
      ...[total, summary, not_potable, potable_unknown],
    ];
    assert.deepEqual(counts(await water("")), [2, { drinking_water: 1 }, 2, 1]);
    assert.deepEqual(counts(await water("within_minutes=6")), [2, { drinking_water: 1 }, 1, 1]);
    assert.deepEqual(counts(await water("within_minutes=1")), [1, { drinking_water: 0 }, 0, 1]);
    // The basin is nearer, and water of unknown quality comes last all the same.
    const sorted = (await water("sort=walk")) as unknown as { results: Item[] };
    assert.deepEqual(
      sorted.results.map(({ name }) => name),
      ["tap", "basin"],
    );
  });

  test("nothing that is reached in time is an empty answer that says so", async () => {
    const { status, message, total } = await ask("parking", "within_minutes=1");
    assert.deepEqual([status, total], ["empty", 0]);
    assert.equal(
      message,
      "Nothing was found within 1500 metres that is reached on foot in 1 minute; within_minutes may be up to 30.",
    );
    const slow = await ask("stations", "within_minutes=2.5&speed=0.5");
    assert.match(
      slow.message!,
      /within 1000 metres that is reached on foot in 2.5 minutes; within_/,
    );
    const wide = await ask("stations", "within_minutes=30&radius=100");
    assert.match(wide.message!, /in 30 minutes; the radius may be up to 5000\.$/);
  });

  test("without steps the stairs are no way, and a quicker walk has fewer seconds", async () => {
    const { items } = await ask("toilets", "profile=step_free");
    const stairs = items.find(({ name }) => name === "stairs")!;
    assert.ok(stairs.walk!.meters > 1_100 && stairs.walk!.step_free === true);
    const steep = (await ask("toilets", "walk=true")).items.find(({ name }) => name === "stairs")!;
    assert.ok(steep.walk!.meters < 320 && steep.walk!.step_free === false);
    const quick = (await ask("toilets", "speed=2.5")).items.find(({ name }) => name === "stairs")!;
    assert.equal(quick.walk!.seconds, Math.ceil(315.011 / 2.5));
  });
});

describe("where no way is known the answer has null and the reason", () => {
  const cases = [
    ["a point on the water", PLACES.water, "start_off_network", /^No street is within 100 metres/],
    ["an island of streets", PLACES.island, "start_off_network", /^No street is within 100 metres/],
    ["beyond the extract's edge", PLACES.elsewhere, "outside_bases", /^No imported base covers/],
  ] as const;
  for (const route of NAMES)
    for (const [what, at, reason, message] of cases)
      test(`${route}, ${what}`, async () => {
        const answer = await ask(route, "walk=true&radius=2000", at);
        const plain = await ask(route, "radius=2000", at);
        assert.deepEqual(
          metresOf(answer),
          answer.items.map(() => null),
        );
        assert.deepEqual([answer.status, answer.total], [plain.status, plain.total]);
        const isNear = answer.items.length > 0;
        const { walking } = answer;
        const { reached, not_reached, unknown } = walking as Record<string, number>;
        assert.deepEqual([reached, not_reached, unknown], [0, 0, answer.items.length]);
        assert.equal(isNear, at !== PLACES.elsewhere);
        assert.equal(walking!["reason"], reason);
        const reported = answer.notices!.filter((notice) => message.test(notice.message));
        assert.equal(reported.length, 1, JSON.stringify(answer.notices));
      });

  test("within a time all that is near enough by beeline is kept", async () => {
    const { items, total, walking } = await ask(
      "toilets",
      "within_minutes=30&radius=2000",
      PLACES.water,
    );
    assert.equal(total, 4);
    assert.equal(items.length, 4);
    assert.equal(walking!["unknown"], 4);
    const less = await ask("toilets", "within_minutes=18&radius=2000", PLACES.water);
    assert.deepEqual([namesOf(less), less.total], [["pier", "over"], 2]);
  });

  test("from within a building the way out is a part of the way", async () => {
    const { items, walking } = await ask("toilets", "walk=true", PLACES.building);
    assert.ok(items.some(({ walk }) => walk != null));
    assert.equal(walking!["reason"], undefined);
  });

  for (const route of NAMES)
    test(`${route}, of a base that was imported before`, async () => {
      const answer = await ask(route, "sort=walk", START, "old");
      assert.deepEqual(namesOf(answer), ORDERS[route].straight);
      assert.deepEqual(
        metresOf(answer),
        answer.items.map(() => null),
      );
      assert.equal(answer.status, "success");
      assert.deepEqual(
        [answer.walking!["reason"], answer.walking!["base"]],
        ["base_without_walking", null],
      );
      assert.match(answer.notices![0]!.message, /need a new import \(vicinity import osm\)\.$/);
    });
});

describe("what asks for no ways is answered as before", () => {
  for (const route of NAMES)
    test(`${route}, byte for byte`, async () => {
      const text = async (query: string, of: "whole" | "old") => {
        const { status, text: body, headers } = await client.call(urlOf(route, query, START, of));
        assert.equal(status, 200, body);
        return `${headers["cache-control"]}\n${body}`;
      };
      const plain = await text("", "whole");
      assert.doesNotMatch(plain, /walk/);
      assert.equal(await text("", "old"), plain);
      assert.equal(await text("walk=false&sort=distance&profile=foot&speed=1.33", "whole"), plain);
    });
});

describe("absurd wishes are refused by name and rule", () => {
  const cases = [
    ["speed=0", "speed must be a number from 0.3 to 2.5 (metres a second)"],
    ["speed=100", "speed must be a number from 0.3 to 2.5 (metres a second)"],
    ["speed=fast", "speed must be a number from 0.3 to 2.5 (metres a second)"],
    ["speed=NaN", "speed must be a number from 0.3 to 2.5 (metres a second)"],
    ["within_minutes=0", "within_minutes must be a number from 1 to 30 (minutes)"],
    ["within_minutes=-5", "within_minutes must be a number from 1 to 30 (minutes)"],
    ["within_minutes=31", "within_minutes must be a number from 1 to 30 (minutes)"],
    ["within_minutes=1e9", "within_minutes must be a number from 1 to 30 (minutes)"],
    ["within_minutes=", "within_minutes must be a number from 1 to 30 (minutes)"],
    ["profile=bicycle", "profile must be one of foot, step_free"],
    ["profile=", "profile must be one of foot, step_free"],
    ["sort=time", "sort must be one of distance, walk"],
    ["walk=maybe", "walk must be true or false"],
    ["sort=walk&sort=walk", "sort must be given once"],
    ["walk=false&sort=walk", "walk=false and sort exclude each other; leave one of them out"],
    ["walk=false&speed=2", "walk=false and speed exclude each other; leave one of them out"],
    [
      "within_minutes=5&walk=false",
      "walk=false and within_minutes exclude each other; leave one of them out",
    ],
    [
      "walk=false&profile=step_free",
      "walk=false and profile exclude each other; leave one of them out",
    ],
  ] as const;
  for (const route of NAMES)
    test(route, async () => {
      for (const [query, message] of cases) {
        const { status, text } = await client.call(urlOf(route, query));
        assert.deepEqual(
          [status, JSON.parse(text)],
          [400, { error: { code: "invalid_request", message } }],
          query,
        );
      }
    });
});
