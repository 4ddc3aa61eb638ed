/** The live half of a register: polled while callers ask near it, and never the last number for long. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointState, SpacesState } from "#core/places/live-state.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import { LiveRegister } from "#upstream/registers/live-register.ts";
import type { RegistryEvent } from "#upstream/registries.ts";
import { HERE } from "../../../support/domain.ts";
import { createDesk, PROVIDER, REFUSED, toBody, turn } from "../../../support/lookup.ts";
import { aPlace } from "../../../support/places.ts";

const SITE = "https://register.example/states";
const CIRCLE = { ...HERE, radius_m: 500 };
const REFRESH_MS = 60_000;
const MAX_AGE_MS = 900_000;
const BOX = {
  south: HERE.lat - 0.1,
  north: HERE.lat + 0.1,
  west: HERE.lon - 0.1,
  east: HERE.lon + 0.1,
};

/** A body is a list of states; "throw" is a defect of the reader, null another shape. */
const REGISTRY: Registry<LookupSettings, SpacesState> = {
  id: "garages",
  provider: PROVIDER,
  kind: "parking",
  requests: ({ url, timeout_ms }) => [{ url, timeout_ms, max_bytes: 100_000 }],
  open(body) {
    const rows = JSON.parse(new TextDecoder().decode(body)) as SpacesState[] | "throw" | null;
    if (rows === "throw") throw new TypeError("planted");
    return rows;
  },
};

function spaces(id: string, free: number, observed_s: number | null = null): SpacesState {
  const nothing = { capacity: null, by_group: {}, trend: null, is_open: null };
  return { kind: "spaces", id, observed_s, free, ...nothing };
}

function bench() {
  const desk = createDesk();
  /** How the ids of sites begin that the static half has, and what happens when one was looked for. */
  const sites = { starts: ["P"], after: (_id: string): void => undefined };
  const events: RegistryEvent[] = [];
  const live = new LiveRegister(
    REGISTRY,
    { url: SITE, timeout_ms: 1_000 },
    { refresh_ms: REFRESH_MS, max_age_ms: MAX_AGE_MS },
    {
      ...desk.deps,
      pause: turn,
      onEvent: (event) => events.push(event),
      box: () => BOX,
      isSite(id) {
        const isThere = sites.starts.some((each) => id.startsWith(each));
        sites.after(id);
        return isThere;
      },
    },
  );
  const garage = aPlace("1", {
    kind: "parking",
    source_id: "garages",
    attributes: { capacity: 100 },
    live: { kind: "spaces", id: "P1" },
  });
  const { clock, line } = desk;
  return {
    ...desk,
    events,
    live,
    sites,
    now_s: () => Math.floor(clock.now() / 1_000),
    shown: () => live.apply(garage).attributes["availability"] as { free?: number } | undefined,
    async answer(rows: unknown, at = line.calls.length - 1) {
      line.calls[at]!.answer(toBody(rows, clock.now()));
      await turn();
      await turn();
    },
  };
}

test("nothing is asked for before a caller asks near it, and twenty share one request", async () => {
  const { live, line, clock, answer, shown } = bench();
  await clock.advance(3_600_000);
  live.touch({ ...CIRCLE, lat: HERE.lat + 2 });
  assert.equal(line.calls.length, 0);
  assert.equal(live.health().resting, true);
  for (let caller = 0; caller < 20; caller++) live.touch(CIRCLE);
  assert.equal(line.calls.length, 1);
  await answer([spaces("P1", 7)]);
  assert.equal(shown()?.free, 7);
  assert.equal(line.peak(), 1);
});

test("it is polled for five minutes after the last question, and then rests", async () => {
  const { live, line, clock } = bench();
  line.always(() => toBody([spaces("P1", 7)], clock.now()));
  live.touch(CIRCLE);
  await clock.advance(1_000);
  for (let minute = 0; minute < 30; minute++) await clock.advance(60_000);
  const polls = line.calls.length;
  assert.ok(polls >= 5 && polls <= 7, `${polls} polls`);
  assert.equal(live.health().resting, true);
  live.touch(CIRCLE);
  assert.equal(line.calls.length, polls + 1);
});

test("a state older than the bound is unknown, and a failure keeps the others until then", async () => {
  const { live, line, clock, answer, shown, now_s, events } = bench();
  live.touch(CIRCLE);
  await answer([spaces("P1", 7, now_s() - 600)]);
  assert.equal(shown()?.free, 7);
  line.always(() => REFUSED);
  await clock.advance(REFRESH_MS * 1.2);
  assert.equal(line.calls.length > 1, true);
  assert.equal(live.health().status, "error");
  assert.equal(shown()?.free, 7);
  await clock.advance(300_000);
  assert.equal(shown(), undefined);
  assert.equal(events.at(-1)!.half, "live");
  const spans = line.calls.length;
  assert.ok(spans <= 4, `${spans} requests: later after each failure`);
});

test("a throw of the reader costs one reading", async () => {
  const { live, clock, answer, shown, faults } = bench();
  live.touch(CIRCLE);
  await answer([spaces("P1", 7)]);
  await clock.advance(REFRESH_MS * 1.2);
  await answer("throw");
  assert.equal(faults.length, 1);
  assert.equal(live.health().reason, "defect");
  assert.equal(shown()?.free, 7);
  await clock.advance(REFRESH_MS * 1.2);
  await answer([spaces("P1", 3)]);
  assert.deepEqual([shown()?.free, live.health().status], [3, "ok"]);
});

test("sites that are not known, doubled ids and times of the future are left out, with the reason", async () => {
  const { live, answer, shown, now_s, events } = bench();
  live.touch(CIRCLE);
  await answer([
    spaces("P1", 1, now_s() - 60),
    spaces("P1", 2, now_s() - 30),
    spaces("P1", 3, now_s() - 90),
    spaces("X9", 4),
    spaces("P2", 5, now_s() + 3_600),
    spaces("P3", 6, now_s() + 120),
  ]);
  assert.equal(shown()?.free, 2);
  const { states, unknown_sites } = live.health();
  assert.deepEqual([states, unknown_sites], [2, 1]);
  const reasons = events[0]!.reasons!.map(({ reason, count }) => [reason, count]);
  assert.deepEqual(reasons, [
    ["id_duplicate", 2],
    ["observed_in_future", 1],
    ["site_unknown", 1],
  ]);
});

test("what is not dated is as old as the reading, and 304 confirms it", async () => {
  const { live, line, clock, shown } = bench();
  const tagged = (rows: unknown) => {
    const whole = toBody(rows, clock.now());
    return { ...whole, value: { ...whole.value, etag: '"1"' } };
  };
  line.always(() => tagged([spaces("P1", 7)]));
  live.touch(CIRCLE);
  await clock.advance(1_000);
  line.always(({ request }) => ({
    ...toBody(null, clock.now()),
    value: request.etag === '"1"' ? { kind: "not_modified" as const } : tagged(null).value,
  }));
  for (let minute = 0; minute < 20; minute++) {
    live.touch(CIRCLE);
    await clock.advance(60_000);
  }
  assert.equal(shown()?.free, 7);
  line.always(() => REFUSED);
  await clock.advance(MAX_AGE_MS + REFRESH_MS * 2);
  assert.equal(shown(), undefined);
});

test("a site that appears has its state though the states are as they were", async () => {
  for (const appears of ["between", "during"] as const) {
    const { live, line, clock, sites } = bench();
    const rows = [spaces("N1", 3), spaces("P1", 7)];
    line.always(({ request }) => {
      const whole = toBody(rows, clock.now());
      if (request.etag === '"1"') return { ...whole, value: { kind: "not_modified" as const } };
      return { ...whole, value: { ...whole.value, etag: '"1"' } };
    });
    const meet = (): void => {
      sites.starts.push("N");
      live.meet();
    };
    if (appears === "during") sites.after = () => sites.starts.length === 1 && meet();
    live.touch(CIRCLE);
    await clock.advance(1_000);
    if (appears === "between") meet();
    live.touch(CIRCLE);
    await clock.advance(REFRESH_MS * 1.2);
    const { states, unknown_sites } = live.health();
    assert.deepEqual([states, unknown_sites], [2, 0], appears);
    const calls = line.calls.length;
    live.meet();
    live.touch(CIRCLE);
    await clock.advance(REFRESH_MS * 1.2);
    assert.equal(line.calls.length, calls + 1);
    assert.equal(line.calls.at(-1)!.request.etag, '"1"', "no state is of an unknown site");
  }
});

test("the first question waits a bounded time for the first reading, and none after it", async () => {
  const { live, clock, answer } = bench();
  const ended: string[] = [];
  const wait = async (name: string, signal = new AbortController().signal): Promise<void> => {
    await live.ready(signal);
    ended.push(name);
  };
  await wait("nothing under way");
  live.touch(CIRCLE);
  const gone = new AbortController();
  const [late, left] = [wait("late"), wait("left", gone.signal)];
  await turn();
  assert.deepEqual(ended, ["nothing under way"]);
  gone.abort();
  await left;
  await clock.advance(800);
  await late;
  assert.deepEqual(ended, ["nothing under way", "left", "late"]);
  await answer([spaces("P1", 7)]);
  await clock.advance(REFRESH_MS * 1.2);
  await wait("states are there");
});

test("after it is closed nothing is asked for, and what arrives is not taken", async () => {
  const { live, line, clock, answer, shown, events } = bench();
  live.touch(CIRCLE);
  live.close();
  await answer([spaces("P1", 7)]);
  live.touch(CIRCLE);
  await clock.advance(3_600_000);
  assert.deepEqual([line.calls.length, shown(), events.length], [1, undefined, 0]);
  assert.equal(clock.pending(), 0);
});

test("free above capacity, and a capacity that differs, are shown and stated", async () => {
  const { live, answer, shown } = bench();
  live.touch(CIRCLE);
  await answer([{ ...spaces("P1", 120), capacity: 110, trend: "filling" }]);
  const { observed_at: _, ...rest } = shown() as Record<string, unknown>;
  assert.deepEqual(rest, {
    free: 120,
    capacity: 110,
    trend: "filling",
    source: "garages",
    contradictions: ["free_above_capacity", "capacity_differs"],
  });
});

test("plugs are counted from points with a state; with one unknown there is no sum", async () => {
  const { live, answer } = bench();
  const connectors = [{ type: "CCS2" as const, max_kw: 50 }];
  const charger = aPlace("c", {
    kind: "charging",
    attributes: { charging: { connector_count: 2, available_count: 2, connectors: [] } },
    live: { kind: "points", points: ["P1", "P2"].map((id) => ({ id, connectors })) },
  });
  const shown = () => live.apply(charger).attributes["charging"];
  const bare = { connector_count: 2, connectors: [{ type: "CCS2", max_kw: 50, count: 2 }] };
  assert.deepEqual(shown(), bare);
  assert.equal("live" in live.apply(charger), false);
  const point = (id: string, state: PointState["state"]) =>
    ({ kind: "point", id, observed_s: null, state }) as const;
  live.touch(CIRCLE);
  await answer([point("P1", "available"), point("P2", null)]);
  assert.deepEqual(shown(), bare);
});
