/** Answers of ask_here that are read again and watched: what ends one, whose it is, and what bounds them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "#app/access/request-caller.ts";
import type { LookAtThing, SeenThing } from "#app/stations/look-at-thing.ts";
import { readNeeds, readWish } from "#core/wishes/read-wish.ts";
import { type Claim, KeptAnswers } from "#mcp/kept-answers.ts";
import { findWatchedAnswer, toAnswerText } from "#mcp/watched-answers.ts";
import type { AnswerOf } from "#mcp/tool.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { MCP_CALLER } from "../../support/mcp-server.ts";
import { FREE, NOW_MS } from "../../support/server.ts";

const AT = { lat: 48.8566, lon: 2.3522 };
const MINUTE_MS = 60_000;
const OTHER: Caller = { ...MCP_CALLER, account_id: "acc_2" };
const ANSWER = {
  status: "success",
  query_origin: AT,
  attribution: [],
} as unknown as AnswerOf<"ask_here">;

function claim(wish: string, ends: Claim["ends"] = null): Claim {
  const read = readWish(wish);
  const needs = readNeeds(["budget:1"]);
  if (!read.ok || !needs.ok) return assert.fail(wish);
  const isMobility = read.wish.kind.family === "mobility";
  return {
    wish,
    candidate: { id: `id of ${wish}`, location: AT, sources: ["system"] },
    question: isMobility ? { wish: read.wish, needs: needs.needs } : null,
    ends,
  };
}

const station = (vehicles: number | null, pickup = "available_now") =>
  ({
    ...{
      id: "s",
      name: "S",
      location: AT,
      distance_meters: 0,
      mode: "bicycle",
      network: { id: "n" },
    },
    availability: { vehicles, docks: 3, electric: null, by_mode: null, observed_at: null },
    action_state: { pickup, return: "available_now" },
  }) as unknown as SeenThing["station"];

const vehicle = (battery: number, pickup = "available_now") =>
  ({
    ...{ source_id: "system:1", network_id: "n" },
    source: {
      mode: "scooter",
      location: AT,
      distance_meters: 0,
      action_state: { pickup },
      battery,
    },
  }) as unknown as SeenThing["vehicle"];

const UNSEEN = { station: null, vehicle: null };

function open(...claims: Claim[]) {
  const clock = createManualClock(NOW_MS);
  let drawn = 0;
  const answers = new KeptAnswers((size) => Buffer.from(`${++drawn}`.padStart(size, "0")));
  const seen: SeenThing & { known_until_ms: number } = {
    ...UNSEEN,
    is_known: true,
    known_until_ms: NOW_MS + 10 * MINUTE_MS,
    isCurrent: () => true,
  };
  const lookAtThing: LookAtThing = () => ({ ...seen, is_known: clock.now() < seen.known_until_ms });
  const deps = { answers, lookAtThing, clock };
  const keep = (caller: Caller = MCP_CALLER, more: readonly Claim[] = claims): string => {
    let uri = "";
    answers.keep(caller, clock.now(), (resource) => {
      uri = resource;
      return { answer: { ...ANSWER, resource }, claims: more };
    });
    return uri;
  };
  const uri = keep();
  const read = async () => {
    const kept = answers.find(uri, MCP_CALLER, clock.now()) ?? assert.fail("it is not there");
    const text = await toAnswerText(kept, {
      ...{ lookAtThing, now_ms: clock.now(), statedZone: () => null },
      timezones: () => Promise.resolve(() => "Europe/Paris"),
    });
    const { holds, checks } = JSON.parse(text) as {
      holds: boolean | null;
      checks: { reason?: string }[];
    };
    return [holds, ...checks.map(({ reason = "holds" }) => reason)];
  };
  return { clock, answers, deps, seen, keep, uri, read };
}

test("a station or vehicle is judged as memory has it now, and the reason is said", async () => {
  const bikes = open(claim("bike>=2"));
  bikes.seen.station = station(2);
  assert.deepEqual(await bikes.read(), [true, "holds"]);
  bikes.seen.station = station(1);
  assert.deepEqual(await bikes.read(), [false, "not_free"]);
  bikes.seen.station = station(2, "unavailable_now");
  assert.deepEqual(await bikes.read(), [false, "not_free"]);
  bikes.seen.station = station(null);
  assert.deepEqual(await bikes.read(), [null, "unknown"]);
  bikes.seen.station = null;
  assert.deepEqual(await bikes.read(), [false, "gone"]);
  const scooter = open(claim("scooter>=50%"));
  scooter.seen.vehicle = vehicle(60);
  assert.deepEqual(await scooter.read(), [true, "holds"]);
  scooter.seen.vehicle = vehicle(60, "unavailable_now");
  assert.deepEqual(await scooter.read(), [false, "not_free"]);
  scooter.seen.vehicle = null;
  assert.deepEqual(await scooter.read(), [false, "gone"]);
  // Its source has not been read for long: it is unknown whether it is gone.
  scooter.seen.known_until_ms = NOW_MS;
  assert.deepEqual(await scooter.read(), [null, "unknown"]);
});

test("what closes or departs does so at the time that was said, and ends the whole answer", async () => {
  const closes = { at_ms: NOW_MS + MINUTE_MS, why: "closed" } as const;
  const departs = { at_ms: NOW_MS + 2 * MINUTE_MS, why: "departed" } as const;
  const { clock, read } = open(
    claim("toilet:open", closes),
    claim("tram", departs),
    claim("charger:free", { at_ms: NOW_MS + 3 * MINUTE_MS, why: "unknown" }),
    claim("tram:stop"),
  );
  assert.deepEqual(await read(), [true, "holds", "holds", "holds", "holds"]);
  await clock.advance(MINUTE_MS);
  assert.deepEqual(await read(), [false, "closed", "holds", "holds", "holds"]);
  await clock.advance(MINUTE_MS);
  assert.deepEqual(await read(), [false, "closed", "departed", "holds", "holds"]);
  await clock.advance(MINUTE_MS);
  assert.deepEqual(await read(), [false, "closed", "departed", "unknown", "holds"]);
});

test("a watch looks again when a time has come or a source was read, and not else", async () => {
  const ends = { at_ms: NOW_MS + MINUTE_MS, why: "closed" } as const;
  const { clock, deps, seen, uri } = open(claim("bike"), claim("toilet:open", ends));
  seen.station = station(1);
  const watched = findWatchedAnswer(deps, uri, MCP_CALLER)!;
  const first = watched.look(clock.now());
  assert.equal(first.says, watched.said);
  assert.deepEqual([first.isCurrent(), first.things], [true, 2]);
  await clock.advance(MINUTE_MS);
  assert.equal(first.isCurrent(), false);
  const second = watched.look(clock.now());
  assert.equal(second.says, "holds closed");
  assert.equal(second.isCurrent(), true);
  // Nothing was read of the system for as long as it says that its data hold.
  await clock.advance(10 * MINUTE_MS);
  assert.equal(second.isCurrent(), false);
  assert.equal(watched.look(clock.now()).says, "unknown closed");
  await clock.advance(60 * MINUTE_MS);
  assert.equal(watched.look(clock.now()).says, null, "it is not kept any more");
});

test("an answer is its caller's alone", () => {
  const { deps, answers, uri } = open(claim("bike"));
  const now_ms = NOW_MS;
  assert.notEqual(answers.find(uri, MCP_CALLER, now_ms), null);
  assert.equal(answers.find(uri, OTHER, now_ms), null);
  assert.equal(findWatchedAnswer(deps, uri, OTHER), null);
  const address = { narrow: "192.0.2.1", wide: "192.0.2.0/24" };
  const anyone: Caller = { kind: "anonymous", plan: FREE, address };
  assert.equal(answers.find(uri, anyone, now_ms), null);
});

test("a caller's oldest answer goes for its seventeenth, no other caller's, and all go after an hour", async () => {
  const { clock, answers, keep, uri } = open(claim("bike"));
  const other = keep(OTHER);
  for (let i = 0; i < 15; i++) keep();
  assert.notEqual(answers.find(uri, MCP_CALLER, clock.now()), null);
  keep();
  assert.equal(answers.find(uri, MCP_CALLER, clock.now()), null);
  assert.notEqual(answers.find(other, OTHER, clock.now()), null);
  assert.equal(answers.count, 17);
  await clock.advance(60 * MINUTE_MS);
  assert.equal(answers.find(other, OTHER, clock.now()), null);
  keep();
  assert.equal(answers.count, 1);
});
