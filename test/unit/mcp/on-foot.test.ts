/** Ways on foot in answers of tools: the nearest on foot first, never a straight line in its place. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import type { ReadReply } from "#app/capabilities/dataset-read.ts";
import { loadTimezones } from "#app/timezone.ts";
import { SHOWN } from "#api/agent-results.ts";
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { LIMITS } from "#api/limits.ts";
import { ofNoWalks, toEnded } from "#core/notices.ts";
import type { Location } from "#kit/geo.ts";
import { sizeOf } from "#mcp/brief.ts";
import { toFoot, toFootMinutes, toLeave, toNearestStraight } from "#mcp/on-foot.ts";
import { toOutputSchema } from "#mcp/tool-schema.ts";
import type { ToolCall, ToolDeps } from "#mcp/tool.ts";
import { createReadDatasetTool, createShowMap } from "#mcp/tools/nearby-tool.ts";
import { createFindDepartures } from "#mcp/tools/departures-tool.ts";
import { createFindServices, createFindStations } from "#mcp/tools/places-tool.ts";
import { NOW_MS } from "../../support/server.ts";
import { walksOfBase } from "../../support/fake-walks.ts";
import { drawnWalks, UNMAPPED } from "../../support/walks.ts";
import { station, vehicle } from "../cli/support.ts";

const HERE = { lat: 48.85, lon: 2.35 };
const QUERY = {
  ...{ now_ms: NOW_MS, deadline_ms: Infinity, signal: new AbortController().signal },
  caller: { kind: "anonymous" },
} as unknown as ToolCall;

type Answer = {
  walking?: string;
  total: number;
  shown: number;
  notices?: string[];
  nearest_straight?: { id: string; walk_minutes?: number | null };
  results: {
    id: string;
    walk_minutes?: number | null;
    walk_meters?: number;
    step_free?: boolean | null;
    leave?: string | null;
  }[];
  dataset: { next_offset: number | null };
};

/** What a running search of a point has in common. */
const USED = {
  clock: { now: () => NOW_MS },
  timezones: loadTimezones,
  statedZone: () => null,
  termsOf: (provider: string) => ({ provider, licence: null, attribution: null, store: "all" }),
};

function answerOf(outcome: { kind: string }): Answer {
  assert.equal(outcome.kind, "answered");
  return (outcome as unknown as { answer: Answer }).answer;
}

const WALKING = {
  ...{ profile: "foot", speed_meters_per_second: 1.33, within_meters: 1500 },
  ...{ reached: 2, not_reached: 1, unknown: 0, step_free_unknown: 1, base: null },
} as const;

function service(id: string, distance_meters: number, walk?: object | null) {
  return {
    ...{ id, service_type: "toilets", name: id, location: HERE, distance_meters },
    ...{ source_id: "openstreetmap", attributes: {} },
    ...(walk === undefined ? {} : { walk }),
  };
}

/** In the order that the search gives them. */
const ON_FOOT = [
  service("round", 300, { meters: 400, seconds: 301, step_free: true }),
  service("across", 90, { meters: 900, seconds: 677, step_free: null }),
  service("island", 60, null),
];

type Replied = { results: unknown; walking?: object; notices?: object[] };

/** Asks a tool of one search; `question`: as the search got it. */
async function ask<A extends object>(
  create: (deps: ToolDeps) => (args: never, query: ToolCall) => Promise<{ kind: string }>,
  args: A,
  replied: Replied,
): Promise<{ answer: Answer; question: Record<string, unknown> }> {
  const seen: { question: Record<string, unknown> }[] = [];
  const search = (input: { question: Record<string, unknown> }) => {
    seen.push(input);
    const head = { status: "success", query_origin: HERE, radius: 500, total: 3 };
    const metered = { void: false, objects: 3, maps_categories: 0 };
    return Promise.resolve({ body: { ...head, ...replied }, max_age_s: 60, metered });
  };
  const deps = {
    ...USED,
    searches: { services: search, transport: search, departures: { nearby: search } },
  } as unknown as ToolDeps;
  const page = { limit: 20, offset: 0, profile: "foot" };
  const outcome = await create(deps)({ ...HERE, ...page, ...args } as never, QUERY);
  return { answer: answerOf(outcome), question: seen[0]!.question };
}

describe("searches around a point", () => {
  test("ask for the nearest on foot, and say what is nearer in a straight line alone", async () => {
    const { answer, question } = await ask(
      createFindServices,
      { types: ["toilets"], within_minutes: 12 },
      { results: ON_FOOT, walking: WALKING },
    );
    const { walk, sort, within_minutes, profile, speed } = question;
    assert.deepEqual(
      [walk, sort, within_minutes, profile, speed],
      [true, "walk", 12, "foot", 1.33],
    );
    assert.deepEqual(
      answer.results.map(({ id, walk_minutes, walk_meters }) => [id, walk_minutes, walk_meters]),
      [
        ["round", 5.1, 400],
        ["across", 11.3, 900],
        ["island", null, undefined],
      ],
    );
    const { nearest_straight } = answer;
    assert.deepEqual(nearest_straight, { id: "island", distance_meters: 60, walk_minutes: null });
    assert.equal(
      answer.walking,
      "Minutes on foot along streets at 1.33 m/s; the nearest on foot first. Left out: what is farther than 12 minutes.",
    );
    assert.ok(answer.results.every((each) => !("step_free" in each)));
  });

  test("say steps where they are asked about, and how many ways are in doubt", async () => {
    const { answer } = await ask(
      createFindStations,
      { profile: "step_free" },
      {
        results: {
          stations: ON_FOOT.map((each) => ({
            ...each,
            ...{ modes: [], routes: [], sources: [] },
            accessibility: { wheelchair: "unknown" },
            realtime: { available: null, queried: false },
          })),
        },
        walking: { ...WALKING, profile: "step_free" },
      },
    );
    assert.deepEqual(
      answer.results.map(({ step_free }) => step_free),
      [true, null, undefined],
    );
    assert.equal(
      answer.walking,
      "Minutes on foot along streets at 1.33 m/s, without a known step; the nearest on foot first. Last, without a known way of at most 1500 metres: 1. Not certain to be without a step (step_free null): 1.",
    );
  });

  test("of a base that cannot be read have no minutes, and it is named once, with what to do", async () => {
    const walking = { ...WALKING, reached: 0, unknown: 3, reason: "base_unreadable", base: null };
    const results = ON_FOOT.map((each) => ({ ...each, walk: null }));
    const lost = { id: "city", reason: "damaged" };
    const notices = [toEnded(ofNoWalks("base_unreadable", lost))];
    const given = { results, walking, notices };
    const { answer } = await ask(createFindServices, { types: ["toilets"] }, given);
    assert.equal(
      answer.walking,
      "The base city is unreadable, so that ways on foot are not known; asking again changes nothing until the operator acts by importing it again; the nearest in a straight line first.",
    );
    assert.equal(answer.notices, undefined);
    for (const each of answer.results) assert.ok(!("walk_minutes" in each));
  });

  test("without streets have no minutes, and the reason once", async () => {
    const walking = { ...WALKING, reached: 0, unknown: 3, reason: "outside_bases" };
    const results = ON_FOOT.map((each) => ({ ...each, walk: null }));
    const notices = [toEnded(ofNoWalks("outside_bases"))];
    const given = { results, walking, notices };
    const { answer } = await ask(createFindServices, { types: ["toilets"] }, given);
    assert.equal(
      answer.walking,
      "No imported base covers this point, so that ways on foot are not known; the nearest in a straight line first.",
    );
    assert.equal(answer.notices, undefined);
    assert.equal(answer.nearest_straight, undefined);
    for (const each of answer.results) assert.ok(!("walk_minutes" in each));
  });

  test("the difference is said on the first page alone", async () => {
    const given = { results: ON_FOOT, walking: WALKING };
    const { answer } = await ask(createFindServices, { offset: 1 }, given);
    assert.deepEqual([answer.results.length, answer.nearest_straight], [2, undefined]);
  });

  test("departures stay in the order of time, and say when to leave", async () => {
    const departure = (id: string, left_s: number | null, walk: object | null) => ({
      ...{ id, planned_at: null, expected_at: null, delay_seconds: null, realtime: "unknown" },
      ...{ status: "scheduled", wheelchair: "unknown", headsign: null, platform: null },
      line: { id: "1", short_name: "1", long_name: null, mode: "bus" },
      station: { id: "s", name: "Central", distance_meters: 90 },
      ...{ sources: [], alerts: [], leave_in_seconds: left_s, walk },
    });
    const way = { meters: 400, seconds: 301, step_free: true };
    const departures = [
      departure("a", -1, way),
      departure("b", 59, way),
      departure("c", 60, way),
      departure("d", null, null),
    ];
    const { answer, question } = await ask(
      createFindDepartures,
      {},
      { results: { departures, alerts: [] }, walking: WALKING },
    );
    assert.deepEqual([question["walk"], "sort" in question], [true, false]);
    assert.deepEqual(
      answer.results.map(({ leave, walk_minutes }) => [leave, walk_minutes]),
      [
        ["missed by 1 min", 5.1],
        ["now", 5.1],
        ["in 1 min", 5.1],
        [null, null],
      ],
    );
    assert.equal(answer.walking, "Minutes on foot along streets at 1.33 m/s.");
  });
});

/** Stations and a vehicle of a stored search, at what distance each is in a straight line. */
const STORED: [id: string, distance: number][] = [
  ["a", 10.4],
  ["b", 20],
  ["c", 30],
  ["d", 40],
];
const LAST_ID = "z:9";

function pointAt(distance: number): Location {
  return { lat: HERE.lat + distance / 111_195, lon: HERE.lon };
}

function stored(part: "observation" | "body", intent: string | null): object {
  const stations = STORED.map(([id, distance_meters]) => ({
    ...station({ distance_meters }),
    ...{ id, location: pointAt(distance_meters) },
    action_state: { pickup: id === "d" ? "unavailable_now" : "available_now" },
  }));
  const lost = vehicle({ distance_meters: 35, action_state: { pickup: "available_now" } }, LAST_ID);
  const source = { ...lost.source, location: undefined };
  const results = { stations, vehicles: [{ ...lost, source }], places: [], lines: [], alerts: [] };
  const head = { status: "success", query_origin: HERE, radius: 400, total: 5 };
  if (part === "body") return { ...head, available_actions: [], results };
  return {
    query_parameters: { ...HERE, radius: 400, include: ["stations"], intent },
    received_at: "2026-11-23T12:00:00Z",
    freshness: { fresh: 5, stale: 0, unknown: 0, realtime_reliable: true },
    provenance: [{ dataset_id: "d", version: "1", href: "", expires_at: "", entity_count: 5 }],
  };
}

/** `a` is on the other bank, `c` on an island, and `b` is up a stair. */
const WAYS: Record<number, [number, boolean | null] | "not_reached"> = {
  10: [900, true],
  20: [25.4, false],
  30: "not_reached",
  40: [60, null],
};

const TOWN = (_start: Location, { lat }: Location, profile: string) => {
  const way = WAYS[Math.round((lat - HERE.lat) * 111_195)]!;
  return profile === "step_free" && way[1] === false ? "not_reached" : way;
};

type Reading = {
  walks?: ToolDeps["walks"];
  intent?: string | null;
  create?: typeof createReadDatasetTool | typeof createShowMap;
};

/** What hosts hold answers to. */
const fits = new Ajv2020({ strict: false }).compile(
  toOutputSchema(AGENT_TOOLS.read_dataset.output),
);

async function read(args: object, how: Reading = {}): Promise<Answer> {
  const { walks = drawnWalks(TOWN), intent = null, create = createReadDatasetTool } = how;
  const deps = {
    ...USED,
    walks,
    read: (_: object, part: "observation" | "body"): Promise<ReadReply> => {
      const bytes = Buffer.from(JSON.stringify(stored(part, intent)));
      return Promise.resolve({
        kind: "ok",
        bytes,
        row: { expires_at_ms: 0 } as never,
        is_short: false,
      });
    },
  } as unknown as ToolDeps;
  const given = { id: "d", version: "1", limit: 20, offset: 0, profile: "foot", ...args };
  const answer = answerOf(await create(deps)(given as never, QUERY));
  assert.ok(fits(structuredClone(answer)), JSON.stringify(fits.errors));
  return answer;
}

const idsOf = ({ results }: Answer): string[] => results.map(({ id }) => id);

describe("a stored search", () => {
  test("is read in the order on foot, with what has no known way last", async () => {
    for (const create of [createReadDatasetTool, createShowMap]) {
      const answer = await read({}, { create });
      assert.deepEqual(idsOf(answer), ["b", "d", "a", "c", LAST_ID]);
      assert.deepEqual(
        answer.results.map(({ walk_minutes }) => walk_minutes),
        [0.4, 0.8, 11.3, null, null],
      );
      const { nearest_straight: nearest } = answer;
      assert.deepEqual([nearest?.id, nearest?.walk_minutes], ["a", 11.3]);
      assert.match(answer.walking!, /nearest on foot first\. Last, without .*: 2\.$/);
      assert.equal(answer.total, 5);
    }
  });

  test("has the same order on every page, and each result once", async () => {
    const pages: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const answer: Answer = await read({ offset, limit: 2 });
      assert.equal(answer.nearest_straight !== undefined, offset === 0);
      pages.push(...idsOf(answer));
      offset = answer.dataset.next_offset;
    }
    assert.deepEqual(pages, ["b", "d", "a", "c", LAST_ID]);
  });

  test("within minutes leaves out what is farther on foot, and keeps what is unknown", async () => {
    const answer = await read({ within_minutes: 5 });
    assert.deepEqual([idsOf(answer), answer.total], [["b", "d", LAST_ID], 3]);
    const usable = await read({ within_minutes: 5 }, { intent: "pickup" });
    assert.deepEqual([idsOf(usable), usable.total], [["b", LAST_ID], 2]);
    // To the second: 900 m are walked in 677 s.
    const bounds = await Promise.all(
      [677, 676].map((seconds) => read({ within_minutes: seconds / 60 })),
    );
    assert.deepEqual(
      bounds.map((each) => idsOf(each).includes("a")),
      [true, false],
    );
  });

  test("without steps has no way up a stair, and no doubt called none", async () => {
    const { results, walking } = await read({ profile: "step_free" });
    assert.deepEqual(
      results.map(({ id, walk_minutes, step_free }) => [id, walk_minutes, step_free]),
      [
        ["d", 0.8, null],
        ["a", 11.3, true],
        ["b", null, undefined],
        ["c", null, undefined],
        [LAST_ID, null, undefined],
      ],
    );
    assert.match(walking!, /without a known step.*Not certain.*: 1\.$/);
  });

  test("where no streets are known is in the order of straight lines, without minutes", async () => {
    for (const reason of ["outside_bases", "base_without_walking", "base_unreadable"] as const) {
      for (const args of [{}, { profile: "step_free" }]) {
        const answer = await read(args, { walks: walksOfBase(reason) });
        assert.deepEqual(idsOf(answer), ["a", "b", "c", LAST_ID, "d"]);
        assert.ok(answer.results.every((each) => !("walk_minutes" in each)));
        assert.match(answer.walking!, /; the nearest in a straight line first\.$/);
        assert.equal(answer.nearest_straight, undefined);
      }
    }
    const lost = await read({}, { walks: drawnWalks(() => "start_off_network") });
    assert.match(lost.walking!, /^No street is within 100 metres of this point/);
  });

  test("is walked once a page", async () => {
    const walks = drawnWalks(TOWN);
    await read({}, { walks });
    assert.equal(walks.searches, 1);
    assert.ok((await read({}, { walks: UNMAPPED })).shown > 0);
  });
});

test("minutes are rounded up, and to leave by them is never late", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), (seconds) => {
      const minutes = toFootMinutes(seconds);
      assert.ok(minutes * 60 >= seconds - 1e-9 && minutes * 60 < seconds + 6);
      const { leave } = toLeave({ leave_in_seconds: seconds });
      const left = leave === "now" ? 0 : Number(/^in (\d+) min$/.exec(leave!)![1]);
      assert.ok(left * 60 <= seconds);
      const { leave: late } = toLeave({ leave_in_seconds: -seconds - 1 });
      assert.ok(Number(/^missed by (\d+) min$/.exec(late!)![1]) * 60 >= seconds + 1);
    }),
  );
  assert.deepEqual([toLeave({}), toLeave({ leave_in_seconds: null })], [{}, { leave: null }]);
});

test("nothing unknown becomes a number", () => {
  const known = { profile: "step_free", known: true } as const;
  assert.deepEqual(toFoot(undefined, { ...known, known: false }), {});
  assert.deepEqual(toFoot(null, known), { walk_minutes: null });
  const zero = { meters: 0, seconds: 0, step_free: null };
  assert.deepEqual(toFoot(zero, known), { walk_minutes: 0, walk_meters: 0, step_free: null });
});

test("the nearest in a straight line is said only where another is nearer on foot", () => {
  const how = { profile: "foot", known: true } as const;
  const one = (id: string, distance_meters: number, seconds: number | null) => ({
    ...{ id, distance_meters },
    walk: seconds === null ? null : { meters: 1, seconds, step_free: true },
  });
  const reported = (...results: ReturnType<typeof one>[]): string | undefined =>
    toNearestStraight(results, how).nearest_straight?.id;
  assert.equal(reported(), undefined);
  assert.equal(reported(one("a", 9, null), one("b", 5, null)), undefined);
  assert.equal(reported(one("a", 5, 9), one("b", 9, 10)), undefined);
  assert.equal(reported(one("a", 9, 9), one("b", 5, 9)), undefined);
  assert.equal(reported(one("a", 9, 9), one("b", 5, 10)), "b");
  assert.equal(reported(one("a", 9, 9), one("b", 5, null)), "b");
  // What goes last for another reason may be nearer in both.
  assert.equal(reported(one("a", 9, 9), one("fountain", 5, 3)), undefined);
});

test("ways to a full page leave it within its bytes", async () => {
  const results = Array.from({ length: LIMITS.services.limit_max }, (_, n) => ({
    ...service(`svc_place_${"x".repeat(20)}${n}`, n, {
      meters: 4_499,
      seconds: 3_383,
      step_free: null,
    }),
    name: "N".repeat(120),
  }));
  const walking = { ...WALKING, profile: "step_free" };
  const given = { results, walking };
  const { answer } = await ask(createFindServices, { profile: "step_free" }, given);
  assert.ok(sizeOf(answer) <= SHOWN.bytes_max);
  assert.ok(answer.shown > 10, String(answer.shown));
});
