/** The survey: where every system is, learnt gently and remembered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedStore } from "#ports.ts";
import { createMemoryFeedStore } from "../../support/memory.ts";
import {
  type Bottle,
  createBottle,
  createCity,
  START_MS,
  START_S,
  systemOf,
  turn,
} from "./support.ts";

const SURVEY = { enabled: true, concurrency: 8 };
const DAY_MS = 86_400_000;
const BOX = { south: 48.85, west: 2.35, north: 48.86, east: 2.35 };

test("a survey reads the static files, reports the box, keeps a memo and forgets the data", async () => {
  const bottle = createBottle({ survey: SURVEY });
  createCity(bottle.upstream);
  assert.equal(bottle.feeds.snapshot()[0]!.state, "not_surveyed");
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  assert.deepEqual(bottle.boxes.get("a"), BOX);
  assert.equal(bottle.puts.length, 0);
  assert.equal(bottle.upstream.count("station_status.json"), 0);
  assert.equal(bottle.upstream.count("free_bike_status.json"), 0);
  assert.deepEqual(bottle.store.listMemos(), [
    {
      source_id: "a",
      url: "https://a.example/gbfs.json",
      box: BOX,
      entity_count: 2,
      surveyed_at_ms: START_MS,
    },
  ]);
  const [info] = bottle.feeds.snapshot();
  assert.equal(info!.state, "idle");
  assert.equal(info!.name, "City");
  assert.equal(info!.entity_count, 2);
});

test("vehicles show where a system without stations is", async () => {
  const bottle = createBottle({ survey: SURVEY });
  createCity(bottle.upstream, undefined, { stations: 0 });
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  assert.deepEqual(bottle.boxes.get("a"), { south: 48.85, west: 2.36, north: 48.85, east: 2.36 });
});

test("stations without a place: the vehicles and the status are asked, too", async () => {
  const bottle = createBottle({ survey: SURVEY });
  const city = createCity(bottle.upstream);
  city.publish("station_information", { stations: [] });
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  assert.equal(bottle.boxes.get("a")!.west, 2.36);
});

test("a system with nothing in it is surveyed, and nowhere", async () => {
  const bottle = createBottle({ survey: SURVEY });
  const city = createCity(bottle.upstream, undefined, { vehicles: false });
  city.publish("station_information", { stations: [] });
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  assert.equal(bottle.boxes.get("a"), null);
  assert.equal(bottle.store.listMemos()[0]!.box, null);
});

test("a survey reads at most n at once, one per host, prioritised countries first", async () => {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const at = (host: number, n: number): string => `https://h${host}.example/${n}/gbfs.json`;
  const systems = [
    systemOf("de0", at(0, 0), { country: "DE" }),
    systemOf("de1", at(0, 1), { country: "DE" }),
    systemOf("de2", at(1, 2), { country: "DE" }),
    systemOf("fr3", at(2, 3), { country: "FR" }),
    systemOf("de4", at(3, 4), { country: "DE" }),
    systemOf("xx5", at(4, 5), { country: null }),
    systemOf("it6", at(5, 6), { country: "IT" }),
  ];
  const bottle = createBottle({ systems, survey: { enabled: true, concurrency: 2 } });
  for (const { id, url } of systems) {
    const city = createCity(bottle.upstream, url.replace("/gbfs.json", ""));
    gates.set(id, Promise.withResolvers());
    city.hold("gbfs", gates.get(id)!.promise);
  }
  const ended: string[] = [];
  const note = (countries: string[]): void =>
    void bottle.feeds.surveyed(countries).then(() => ended.push(countries.join(" ")));
  bottle.feeds.prioritise("IT");
  bottle.feeds.prioritise("FR");
  bottle.feeds.start();
  for (const countries of [["FR"], ["DE", "FR"], ["IT"]]) note(countries);
  assert.deepEqual(await flying(bottle), ["fr3", "xx5"]);
  gates.get("xx5")!.resolve();
  assert.deepEqual(await flying(bottle), ["fr3", "it6"]);
  assert.deepEqual(ended, []);
  gates.get("fr3")!.resolve();
  gates.get("it6")!.resolve();
  assert.deepEqual(await flying(bottle), ["de0", "de2"], "not de1: its host is busy");
  assert.deepEqual(ended, ["FR", "IT"]);
  note(["IT"]);
  bottle.feeds.prioritise("DE");
  gates.get("de2")!.resolve();
  assert.deepEqual(await flying(bottle), ["de0", "de4"]);
  assert.deepEqual(ended, ["FR", "IT", "IT"], "what is surveyed already is not waited for");
  for (const gate of gates.values()) gate.resolve();
  await bottle.feeds.surveyed();
  assert.deepEqual(ended, ["FR", "IT", "IT", "DE FR"]);
  assert.equal(bottle.store.listMemos().length, 7);
});

test("the first countries are surveyed alone until the others may begin", async () => {
  const at = (n: number): string => `https://h${n}.example/gbfs.json`;
  const countries = ["DE", "FR", null, "IT"];
  const systems = countries.map((country, n) => systemOf(`${country}`, at(n), { country }));
  const bottle = createBottle({ systems, survey: SURVEY });
  for (const { url } of systems) createCity(bottle.upstream, url.replace("/gbfs.json", ""));
  const begun = Promise.withResolvers<void>();
  bottle.feeds.start({ countries: ["FR"], until: begun.promise });
  await bottle.feeds.surveyed(["FR"]);
  const placed = (): string[] => bottle.store.listMemos().map(({ source_id }) => source_id);
  assert.deepEqual(placed().toSorted(), ["FR", "null"]);
  assert.deepEqual(await flying(bottle), []);
  begun.resolve();
  await bottle.feeds.surveyed();
  assert.deepEqual(placed().toSorted(), ["DE", "FR", "IT", "null"]);
});

test("a failing survey is over, retried with back-off, and its system unsurveyed until then", async () => {
  const bottle = createBottle({ survey: SURVEY });
  const city = createCity(bottle.upstream);
  city.fail("gbfs", { status: "error", reason: "http_500" });
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  assert.equal(bottle.boxes.has("a"), false);
  assert.equal(bottle.feeds.snapshot()[0]!.state, "error");
  let tries = 1;
  for (const wait_s of [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]) {
    await bottle.clock.advance(wait_s * 1000 - 1);
    assert.equal(bottle.upstream.count("/gbfs.json"), tries, `not before ${wait_s} s`);
    await bottle.clock.advance(1);
    assert.equal(bottle.upstream.count("/gbfs.json"), ++tries, `after ${wait_s} s`);
  }
  createCity(bottle.upstream);
  await bottle.clock.advance(3_600_000);
  assert.deepEqual(bottle.boxes.get("a"), BOX);
  assert.equal(bottle.feeds.snapshot()[0]!.state, "idle");
});

test("a restart knows where every system is, and asks no publisher until the day is over", async () => {
  const store = await surveyedStore();
  const again = createBottle({ survey: SURVEY, store });
  createCity(again.upstream, undefined, { lat: 10 });
  again.feeds.start();
  await again.feeds.surveyed();
  assert.deepEqual(again.boxes.get("a"), BOX);
  assert.equal(again.feeds.snapshot()[0]!.state, "idle");
  await again.clock.advance(DAY_MS - 1);
  assert.equal(again.upstream.requests.length, 0);
  await again.clock.advance(1);
  assert.equal(again.boxes.get("a")!.south, 10, "renewed");
  assert.equal(again.store.listMemos()[0]!.surveyed_at_ms, START_MS + DAY_MS);
});

test("unknown places come before renewals", async () => {
  const old = await surveyedStore();
  const memos = old.listMemos();
  const store = createMemoryFeedStore();
  for (const memo of memos) store.putMemo({ ...memo, surveyed_at_ms: START_MS - 2 * DAY_MS });
  const systems = [
    systemOf("a", "https://a.example/gbfs.json"),
    systemOf("b", "https://b.example/gbfs.json"),
  ];
  const bottle = createBottle({ store, systems, survey: { enabled: true, concurrency: 1 } });
  createCity(bottle.upstream);
  createCity(bottle.upstream, "https://b.example");
  bottle.feeds.start();
  await bottle.feeds.settle();
  const hosts = bottle.upstream.requests.map(({ url }) => new URL(url).host);
  assert.deepEqual([...new Set(hosts)], ["b.example", "a.example"]);
});

test("a memo of another URL is none", async () => {
  const store = await surveyedStore();
  const systems = [systemOf("a", "https://b.example/gbfs.json")];
  const moved = createBottle({ survey: SURVEY, store, systems });
  createCity(moved.upstream, "https://b.example", { lat: 20 });
  moved.feeds.start();
  assert.equal(moved.boxes.has("a"), false);
  await moved.feeds.surveyed();
  assert.equal(moved.boxes.get("a")!.south, 20);
});

test("systems may be added later, and known ones may move", async () => {
  const bottle = createBottle({ survey: SURVEY, systems: [] });
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  createCity(bottle.upstream);
  bottle.feeds.add([systemOf("a", "https://a.example/gbfs.json")]);
  await bottle.feeds.surveyed();
  assert.deepEqual(bottle.boxes.get("a"), BOX);
  const before = bottle.upstream.requests.length;
  bottle.feeds.add([systemOf("a", "https://a.example/gbfs.json")]);
  await bottle.feeds.settle();
  assert.equal(bottle.upstream.requests.length, before);
  createCity(bottle.upstream, "https://b.example", { lat: 20 });
  bottle.feeds.add([systemOf("a", "https://b.example/gbfs.json")]);
  await bottle.feeds.settle();
  assert.equal(bottle.boxes.get("a")!.south, 20);
});

test("a store that cannot write is reported, and costs nothing else", async () => {
  const store: FeedStore = {
    ...createMemoryFeedStore(),
    putMemo() {
      throw new Error("disk full");
    },
  };
  const bottle = createBottle({ survey: SURVEY, store });
  createCity(bottle.upstream);
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  await turn();
  assert.deepEqual(bottle.boxes.get("a"), BOX);
  assert.ok(bottle.events.some(({ kind }) => kind === "fault"));
});

test("a system that a question has loaded need not be read again", async () => {
  const bottle = createBottle({ survey: SURVEY });
  const city = createCity(bottle.upstream);
  const gate = Promise.withResolvers<void>();
  city.hold("station_information", gate.promise);
  const loading = bottle.feeds.refresh("a", { begun_after_ms: START_S });
  bottle.feeds.start();
  gate.resolve();
  await loading;
  await bottle.feeds.surveyed();
  assert.equal(bottle.upstream.count("station_information.json"), 1);
  assert.equal(bottle.store.listMemos()[0]!.entity_count, 3);
});

async function surveyedStore(): Promise<FeedStore> {
  const bottle = createBottle({ survey: SURVEY });
  createCity(bottle.upstream);
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  return bottle.store;
}

/** Systems whose discovery has been asked for and not answered, by the held gates. */
async function flying(bottle: Bottle): Promise<string[]> {
  for (let i = 0; i < 30; i++) await turn();
  const done = new Set(bottle.boxes.keys());
  const requests = bottle.upstream.requests.map(({ url }) => new URL(url).pathname.split("/")[1]);
  const ids = ["de0", "de1", "de2", "fr3", "de4", "xx5", "it6"];
  return ids.filter((id) => !done.has(id) && requests.includes(id.at(-1)));
}
