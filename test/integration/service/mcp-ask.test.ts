/** ask_here: answers to several wishes at once, held against the truth of the simulated world. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { ASK_BYTES } from "#api/agent-ask.ts";
import { sizeOf } from "#mcp/brief.ts";
import type { AnswerOf } from "#mcp/tool.ts";
import { distance } from "../../../sandbox/geo.ts";
import { holds, type Truth, type Wants } from "../../../trials/agent-tasks/judge.ts";
import { connect, errorOf } from "../../support/mcp.ts";
import {
  advance,
  closeAll,
  createClient,
  createFolder,
  eventually,
  start,
  type Started,
} from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
type Answer = AnswerOf<"ask_here">;
/** Sources draw a place at most so far from where it is. */
const PIN_M = 40;

describe("ask_here", () => {
  const http = createClient();
  let started: Started;
  let client: Client;
  before(async () => {
    started = await start({ data_dir: await createFolder() });
    client = await connect(started.service.url, { revision: "2026-07-28" });
  });
  after(async () => {
    await client.close();
    await closeAll(http, started);
  });

  const call = (wishes: string[], more: object = {}) =>
    client.callTool({ name: "ask_here", arguments: { ...PARIS, wishes, ...more } });
  async function ask(wishes: string[], more: object = {}): Promise<Answer> {
    const called = await call(wishes, more);
    assert.notEqual(called.isError, true, JSON.stringify(called.content));
    return called.structuredContent as Answer;
  }
  async function fits(answer: Answer["answers"][number], wants: Wants): Promise<boolean> {
    const { url, now } = started.service.sandbox!;
    const query = new URLSearchParams({ lat: `${PARIS.lat}`, lon: `${PARIS.lon}`, radius: "3100" });
    const reply = await fetch(`${url}/__sandbox/truth?${query.toString()}`);
    const { things } = (await reply.json()) as { things: Truth[] };
    const here = { time_zone: "Europe/Paris", now_ms: now(), isNearest: false };
    const { location } = answer.known ?? assert.fail(JSON.stringify(answer));
    return things.some(
      (thing) => distance(thing.location, location) <= PIN_M && holds(thing, wants, here) === true,
    );
  }

  test("what is said to be known is so, with price, end and proof, in few bytes", async () => {
    const wants: Record<string, Wants> = {
      "bike>=5": { thing: "station", mode: "bicycle", least_available: 5 },
      "bike:dock>=6": { thing: "station", mode: "bicycle", least_docks: 6 },
      "scooter>=60%": { thing: "vehicle", mode: "scooter", least_charge: 0.6 },
      "toilet:open": { thing: "service", type: "toilets", open: true },
      "charger:Type2:free": {
        ...{ thing: "service", type: "charging", free: true, connector: "IEC_62196_T2" },
      },
      "tram:stop": { thing: "transit", mode: "tram" },
    };
    const answer = await ask(Object.keys(wants));
    assert.equal(answer.status, "success");
    assert.ok(sizeOf(answer) <= ASK_BYTES, `${sizeOf(answer)} bytes`);
    for (const each of answer.answers) {
      assert.equal(each.answer, "known", each.wish);
      assert.ok(await fits(each, wants[each.wish]!), JSON.stringify(each));
      assert.match(each.known!.proof, /^[a-z0-9:_-]+(, \d+ s old)?$/);
    }
    const [, , scooter, toilet] = answer.answers;
    // A station of an answer is watched by its id (docs/agents.md).
    const uri = `vicinity:///v1/stations/${answer.answers[0]!.known!.id}`;
    assert.equal((await client.readResource({ uri })).contents[0]!.uri, uri);
    assert.match(scooter!.known!.price!, /^[\d.]+ EUR for 10 min$/);
    assert.match(toilet!.known!.true_until!, /\+01:00$/);
    assert.match(scooter!.known!.true_until!, /\+01:00$/);
    assert.equal(toilet!.known!.departs_at, undefined);
    const shown = answer.answers.map(({ known }) => known!.id);
    assert.equal(new Set(shown).size, shown.length);
    assert.ok(answer.units >= 6, `${answer.units} units`);
    assert.ok(answer.attribution.length > 0);
  });

  test("what may be closed says so, though no hours were wished", async () => {
    const { answers } = await ask(["toilet", "toilet:open"]);
    const [any, open] = answers.map(({ known }) => known ?? assert.fail("none is known"));
    const reply = await fetch(
      `${started.service.url}/v1/services/nearby?lat=${PARIS.lat}&lon=${PARIS.lon}&types=toilets&usable=now`,
    );
    const { results } = (await reply.json()) as {
      results: { id: string; attributes: { usable: { state: string } } }[];
    };
    const stateOf = (id: string): string | undefined =>
      results.find((each) => each.id === id)?.attributes.usable.state;
    assert.equal(stateOf(any!.id), "unknown", "the nearest of this town");
    assert.equal(any!.hours, "unknown");
    assert.equal(stateOf(open!.id), "open");
    assert.equal(open!.hours, undefined);
  });

  test("wishes that belong together are near each other", async () => {
    const { answers } = await ask(["tram:stop", "bike>=2~300m", "toilet~400m"]);
    const [stop, bike, toilet] = answers;
    assert.equal(bike!.pair!.wish, 0);
    assert.ok(distance(stop!.known!.location, bike!.known!.location) <= 300);
    assert.ok(bike!.pair!.meters <= 300);
    assert.equal(toilet!.pair!.wish, 1);
    const seen = toilet!.known ?? toilet!.unknown;
    assert.ok(distance(bike!.known!.location, seen!.location) <= 400);
  });

  test("a budget leaves out what costs more, and nothing is free for certain", async () => {
    const [price] = (await ask(["scooter"], { for: ["budget:100"] })).answers;
    assert.ok(Number.parseFloat(price!.known!.price!) <= 100);
    const [none] = (await ask(["scooter"], { for: ["budget:0.01"] })).answers;
    assert.equal(none!.known, undefined);
  });

  test("a class of places is a wish too, and one that no source knows is not none", async () => {
    const [pharmacy] = (await ask(["pharmacy:open", "bike:cargo"])).answers;
    assert.ok(["known", "unknown", "failed"].includes(pharmacy!.answer), JSON.stringify(pharmacy));
  });

  test("steps are not certain where no streets are known", async () => {
    const [toilet] = (await ask(["toilet"], { for: ["children"] })).answers;
    assert.equal(toilet!.answer, "unknown");
    assert.ok(toilet!.unknown!.lacks.includes("step_free way"));
  });

  test("an answer is a resource that can be watched: its caller is notified when it ends, and reads why", async () => {
    const { resource, answers } = await ask(["bike>=5", "tram", "toilet:open"]);
    const uri = resource ?? assert.fail("it has no address");
    assert.ok(answers.every(({ answer }) => answer === "known"));
    type Read = {
      holds: boolean | null;
      checks: { wish: string; holds: boolean | null; reason?: string }[];
      answer: Answer;
    };
    const read = async (): Promise<Read> => {
      const { contents } = await client.readResource({ uri });
      return JSON.parse((contents[0] as { text: string }).text) as Read;
    };
    const first = await read();
    assert.equal(first.holds, true);
    assert.deepEqual(
      first.checks.map((check) => [check.wish, check.holds]),
      [
        ["bike>=5", true],
        ["tram", true],
        ["toilet:open", true],
      ],
    );
    assert.deepEqual(first.answer.answers, answers);
    const noted: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      noted.push(params.uri);
    });
    const other = `${uri.slice(0, -4)}aaaa`;
    const subscription = await client.listen({ resourceSubscriptions: [uri, other] });
    assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: [uri] });
    await advance(http, started.service.sandbox!.url, 1_200);
    await eventually(async () => (noted.length > 0 ? true : null), {
      ...{ within_ms: 120_000, what: "its caller is notified" },
    });
    const later = await read();
    assert.equal(later.holds, false);
    const tram = later.checks.find(({ wish }) => wish === "tram");
    assert.deepEqual([tram?.holds, tram?.reason], [false, "departed"]);
    assert.deepEqual([...new Set(noted)], [uri]);
    await subscription.close();
    await assert.rejects(client.readResource({ uri: other }), { code: -32_602 });
  });

  test("what is none of the grammar is refused with its rule, and searched for never", async () => {
    const { code, message } = errorOf(await call(["bike", "toilet:wheelchairs"]));
    assert.equal(code, "invalid_request");
    assert.match(
      message,
      /^arguments\.wishes\[1\] has an option .* did you mean toilet:wheelchair\?/,
    );
    assert.match(errorOf(await call(["bike~400m"])).message, /there is no wish before it/);
    assert.match(errorOf(await call(["bike"], { for: ["dog"] })).message, /is none of wheelchair/);
    assert.match(errorOf(await call([])).message, /1 to 6 wishes/);
    const never = await call(["toilet:open"], { when: "2026-02-30T12:00:00Z" });
    assert.match(errorOf(never).message, /^arguments\.when must be an RFC 3339 time/);
  });
});
