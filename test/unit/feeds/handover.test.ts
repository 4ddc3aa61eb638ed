/** What replicas hand to one another: whole to the byte, or not at all. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { Shard } from "#stations/shard/shard.ts";
import { openZones, packZones, type Zones } from "#stations/shard/shard-zones.ts";
import type { PublishedFeed } from "#ports.ts";
import {
  exchangeName,
  type HandoverFacts,
  FORMAT,
  type Handover,
  heldPacks,
  readHandover,
  writeHandover,
} from "#upstream/feeds/handover.ts";
import { createRecord, type FeedRecord, TARGETS } from "#upstream/feeds/feed-view.ts";
import { gbfsProtocol } from "#stations/gbfs/gbfs-protocol.ts";
import {
  aStation,
  aShard,
  aVehicle,
  anAlert,
  anyId,
  anyPoint,
  forAllAsync,
  NOW_MS,
} from "../../support/domain.ts";
import { ask, createBottle, createUpstream, START_MS, systemOf } from "./support.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createMemoryExchange } from "../../support/memory-exchange.ts";

const GOLDEN = new URL("../../fixtures/providers/gbfs/golden/", import.meta.url);
const VERSIONS = ["1.0", "2.3", "3.0", "3.1"];

/** Of the packs that come of the golden files, by format. Another render is another format. */
const PACKS_OF_FORMAT: Record<number, string> = {
  11: "e0bZyCGlQ6RZokaI79naflvd9T5NMLIzeORKjVcRJLg",
};

function toPublished(state: FeedRecord, now_ms = NOW_MS): PublishedFeed {
  return { source_id: "s", version: 1, ...writeHandover(state, now_ms) };
}

function read(published: PublishedFeed, stored: Shard | null = null): Promise<Handover | null> {
  return readHandover(published, { source_id: "sys", stored, now_ms: NOW_MS });
}

function aState(shard: Shard | null, change: Partial<FeedRecord> = {}): FeedRecord {
  const state = createRecord(systemOf("sys", "https://a.example/gbfs.json"), gbfsProtocol);
  return Object.assign(state, { shard, ...change });
}

/** Columns and headers of all packs, to be compared. */
function plain(shard: Shard | null | undefined): unknown {
  return shard && { ...shard, statics: { ...shard.statics, buffer: null } };
}

/** Text by name of file; of 3.1 there are only those that differ from 3.0 by more than their version. */
function goldenOf(version: string): Map<string, string> {
  const files = version === "3.1" ? goldenOf("3.0") : new Map<string, string>();
  for (const [name, text] of files) files.set(name, text.replaceAll("3.0", "3.1-RC3"));
  for (const file of readdirSync(new URL(`${version}/`, GOLDEN)))
    if (file.endsWith(".wire.json"))
      files.set(
        file.replace(".wire.json", ""),
        readFileSync(new URL(`${version}/${file}`, GOLDEN), "utf8"),
      );
  return files;
}

/** What the runtime publishes of the golden files of a version. */
async function publishedOf(version: string): Promise<{ published: PublishedFeed; shard: Shard }> {
  const clock = createManualClock(START_MS);
  const upstream = createUpstream(clock);
  const files = goldenOf(version);
  const file = (name: string): string => `https://a.example/${name}.json`;
  const feeds = [...files.keys()].map((name) => ({ name, url: file(name) }));
  for (const [name, body] of files) upstream.set(file(name), { body });
  upstream.set(file("gbfs"), { body: { last_updated: 1, ttl: 60, data: { en: { feeds } } } });
  const memory = createMemoryExchange(clock);
  const { exchange } = memory.join();
  const bottle = createBottle({ clock, upstream, exchange });
  assert.equal((await ask(bottle)).status, "ok", version);
  // The zones are of the pace of static files: read by the first poll.
  await clock.advance(0);
  await clock.advance(600_000);
  const [listed] = (await exchange.list()) as { source_id: string }[];
  const published = await exchange.read(listed!.source_id, { after: 0, stored: new Set() });
  assert.ok(published && published !== "unreachable");
  return { published, shard: bottle.shard() };
}

test("data read from the golden files arrive unchanged, in every version", async () => {
  let packs = 0;
  for (const version of VERSIONS) {
    const { published, shard } = await publishedOf(version);
    const handover = await readHandover(published, { source_id: "a", stored: null, now_ms: 2e12 });
    assert.deepEqual(plain(handover!.shard), plain(shard), version);
    assert.ok(handover!.discovery!.feeds.size >= 5);
    packs += published.packs.size;
  }
  assert.ok(packs >= 16, `${packs} packs`);
});

test("packs that are laid out or rendered otherwise are of another format", async () => {
  const names: string[] = [];
  for (const version of VERSIONS)
    names.push(...[...(await publishedOf(version)).published.packs.keys()].sort());
  const all = hash("sha256", names.join(), "base64url");
  const advice = "raise FORMAT of upstream/feeds/handover, and write the new hash here";
  assert.equal(all, PACKS_OF_FORMAT[FORMAT], advice);
});

function zonesAt({ lat, lon }: { lat: number; lon: number }): Zones {
  const ring = [lon, lon + 1, lon, lon].map((x, i) => [x, i === 2 ? lat + 1 : lat]);
  const zones = [{ name: null, rules: [], polygons: [[ring]] }];
  return openZones(packZones({ zones, global_rules: [] }));
}

const aFailure = fc.record({
  status: fc.constantFrom("timeout" as const, "error" as const, "unauthorized" as const),
  reason: fc.string(),
  retry_at_ms: fc.nat({ max: NOW_MS }),
});
const aText = fc.option(fc.string());
const aTime = fc.integer({ min: 0, max: NOW_MS * 2 });
const aFile = fc.record({
  url: aText,
  etag: aText,
  last_modified: aText,
  hash: aText,
  ttl_s: fc.option(fc.nat()),
  absent: fc.boolean(),
  requested_at_ms: aTime,
  due_at_ms: aTime,
  retry_at_ms: aTime,
  failures: fc.nat(),
  failure: fc.option(aFailure),
});
const aBox = fc.record({ south: fc.nat(), west: fc.nat(), north: fc.nat(), east: fc.nat() });
const anyState: fc.Arbitrary<FeedRecord> = fc
  .record({
    files: fc.tuple(...TARGETS.map(() => aFile)),
    stations: fc.array(fc.record({ id: anyId, at: anyPoint }), { maxLength: 20 }),
    vehicles: fc.option(fc.array(fc.record({ id: anyId, location: anyPoint }), { maxLength: 20 })),
    alerts: fc.array(anyId, { maxLength: 3 }),
    zones: fc.option(anyPoint),
    loaded: fc.boolean(),
    discovery: fc.option(
      fc.record({
        feeds: fc.array(fc.tuple(fc.string(), fc.string())).map((pairs) => new Map(pairs)),
        due_at_ms: fc.oneof(aTime, fc.constant(Infinity)),
        guessed_for: fc.option(aFailure),
      }),
    ),
    survey: fc.record({
      due_at_ms: fc.oneof(aTime, fc.constant(Infinity)),
      failures: fc.nat(),
    }),
    memo: fc.option(
      fc.record({
        source_id: anyId,
        url: fc.string(),
        box: fc.option(aBox),
        surveyed_at_ms: aTime,
        entity_count: fc.nat(),
      }),
    ),
    statics_key: aText,
    last_success_at_ms: fc.option(aTime),
  })
  .map(({ files, stations, vehicles, alerts, zones, loaded, ...rest }) => {
    const shard = aShard({
      stations: stations.map(({ id, at }) => aStation(id, at)),
      vehicles: vehicles && vehicles.map(({ id, location }) => aVehicle(id, { location })),
      alerts: alerts.map((id) => anAlert(id)),
    });
    const state = aState(loaded ? { ...shard, zones: zones && zonesAt(zones) } : null, rest);
    TARGETS.forEach((target, i) => Object.assign(state.files[target], files[i]));
    state.errors.add(NOW_MS, stations.length > 3);
    return state;
  });

test("any system arrives as it was", () =>
  forAllAsync(
    fc.asyncProperty(anyState, async (state) => {
      const handover = await read(toPublished(state));
      const { facts, discovery, shard, errors } = handover!;
      for (const [fact, value] of Object.entries(facts))
        assert.deepEqual(value, structuredClone(state[fact as keyof HandoverFacts]), fact);
      assert.deepEqual(discovery, structuredClone(state.discovery));
      assert.deepEqual(errors, state.errors.steps());
      assert.deepEqual(plain(shard), plain(state.shard));
    }),
    200,
  ));

test("packs that are held stay the objects they are, and are not needed again", () =>
  forAllAsync(
    fc.asyncProperty(anyState, async (state) => {
      const published = toPublished(state);
      const { shard: first } = (await read(published))!;
      assert.deepEqual(heldPacks(first), new Set(published.packs.keys()));
      const { shard } = (await read({ ...published, packs: new Map() }, first))!;
      assert.equal(shard?.statics, first?.statics);
      assert.equal(shard?.status?.data, first?.status?.data);
      assert.equal(shard?.vehicles?.data, first?.vehicles?.data);
      assert.equal(shard?.alerts?.data, first?.alerts?.data);
      assert.equal(shard?.zones, first?.zones);
    }),
  ));

test("a text that is not to the letter what was written is none", () =>
  forAllAsync(
    fc.asyncProperty(anyState, fc.nat(), fc.nat(), fc.string(), async (state, from, gone, put) => {
      const published = toPublished(state);
      const { state: text } = published;
      const at = from % text.length;
      const damaged = text.slice(0, at) + put + text.slice(at + (gone % 20));
      if (damaged === text) return;
      assert.equal(await read({ ...published, state: damaged }), null);
      assert.equal(await read({ ...published, state: text.slice(0, at) }), null);
      assert.equal(await read({ ...published, state: put }), null);
    }),
  ));

test("a pack that is missing, cut short or another's makes none", () =>
  forAllAsync(
    fc.asyncProperty(anyState, fc.nat(), fc.uint8Array(), async (state, nth, foreign) => {
      if (!state.shard) return;
      const published = toPublished(state);
      const names = [...published.packs.keys()];
      const name = names[nth % names.length]!;
      const bytes = published.packs.get(name)!;
      const damages = [bytes.subarray(0, nth % bytes.length), foreign, new Uint8Array()];
      for (const damaged of damages) {
        if (Buffer.from(damaged).equals(bytes)) continue;
        const packs = new Map([...published.packs, [name, damaged]]);
        assert.equal(await read({ ...published, packs }), null);
      }
      const packs = new Map(published.packs);
      packs.delete(name);
      assert.equal(await read({ ...published, packs }), null);
    }),
  ));

test("bytes that are rightly named and are no pack make none", async () => {
  const shard = aShard({ stations: [aStation("a"), aStation("b")] });
  const other = aShard({ stations: [aStation("a")] });
  const published = toPublished(aState(shard));
  const names = [...published.packs.keys()];
  const strange = [
    new Uint8Array(),
    Buffer.from("{}"),
    new Uint8Array(4096),
    new Uint8Array(shard.statics.buffer).slice(0, 64),
    new Uint8Array(shard.statics.buffer).slice(0, -8),
    new Uint8Array(other.status!.data!.state.buffer as ArrayBuffer),
  ];
  for (const name of names)
    for (const bytes of strange) {
      const renamed = hash("sha256", bytes, "base64url");
      const text = published.state.slice(published.state.indexOf("{")).replaceAll(name, renamed);
      const state = `${FORMAT} ${hash("sha256", text, "base64url")} ${text}`;
      const packs = new Map([...published.packs, [renamed, bytes]]);
      assert.equal(await read({ ...published, state, packs }), null);
    }
});

test("another format is none", async () => {
  const published = toPublished(aState(null));
  const state = published.state.replace(`${FORMAT} `, `${FORMAT + 1} `);
  assert.equal(await read({ ...published, state }), null);
});

test("an entry written by a clock ahead of ours counts as written now", async () => {
  const state = aState(aShard({ stations: [aStation("a")] }), { last_success_at_ms: NOW_MS + 1 });
  state.files.station_status.due_at_ms = NOW_MS + 63_000;
  state.survey.due_at_ms = Infinity;
  const { facts, shard, at_ms } = (await read(toPublished(state, NOW_MS + 2_000)))!;
  assert.equal(at_ms, NOW_MS);
  assert.equal(facts.files.station_status.due_at_ms, NOW_MS + 61_000);
  assert.equal(facts.last_success_at_ms, NOW_MS - 1_999);
  assert.equal(facts.survey.due_at_ms, Infinity);
  const { live } = state.shard!.status!;
  assert.equal(shard!.status!.live!.validated_at_ms, live!.validated_at_ms - 2_000);
  assert.equal(shard!.status!.live!.doc_s, live!.doc_s, "the publisher's");
  const late = (await read(toPublished(state, NOW_MS - 60_000)))!;
  assert.deepEqual(late.facts.files, state.files, "a late reader changes nothing");
});

test("systems that would be packed otherwise have another name at the exchange", () => {
  const system = systemOf("sys", "https://a.example/gbfs.json");
  const name = exchangeName(system, "gbfs");
  assert.match(name, /^sys@[\w-]{12}$/);
  const secret = { kind: "query", name: "key", value: "secret" } as const;
  assert.equal(exchangeName({ ...system, auth: secret, country: "FR" }, "gbfs"), name);
  const others = [
    exchangeName(system, "citybikes"),
    exchangeName({ ...system, url: "https://b.example/gbfs.json" }, "gbfs"),
    exchangeName({ ...system, mode_hint: "car" }, "gbfs"),
    exchangeName({ ...system, name: "Other" }, "gbfs"),
    exchangeName({ ...system, network: { id: "n", name: null } }, "gbfs"),
    exchangeName({ ...system, id: "sys2" }, "gbfs"),
  ];
  assert.equal(new Set([name, ...others]).size, 7);
});
