/** Executing capabilities in a running service (§4.8; decisions, Capabilities). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Sandbox } from "../../../sandbox/main.ts";
import { createDice, type Dice } from "../../../trials/dice.ts";
import { wrapLon } from "#kit/geo.ts";
import { sized } from "../../support/size.ts";
import {
  execute,
  get,
  type Observation,
  observe,
  POLICIES,
  post,
  refusalOf,
  sha256,
  toRead,
  toSearch,
  unitsOf,
} from "./capabilities.ts";
import { advance, alignToMinute, type Started, serviceFor } from "./support.ts";

const QUESTIONS = 60;
const MODES = ["bicycle", "scooter", "moped", "car"];
const INTENTS = "explore pickup return depart arrive park charge reserve".split(" ");
type Body = {
  total: number;
  results: { places: object[]; stations: object[]; vehicles: object[] };
  available_actions: { intent: string }[];
};

describe("capabilities of a running service", () => {
  const settings = { plans: { developer: { datasets: 100_000 }, free: { datasets: 100_000 } } };
  const served = serviceFor({ settings, timetables: false });
  const { client } = served;
  let of: Started["service"];
  let sandbox: Sandbox;
  let key = "";
  let other = "";
  before(async () => {
    of = served.started.service;
    sandbox = of.sandbox!;
    key = of.keys.find(({ plan }) => plan === "developer")!.key;
    other = of.keys.find(({ plan }) => plan === "business")!.key;
    await of.feeds.surveyed();
    // The world changes every minute, so all within one; the first caller is read in full.
    await alignToMinute(client, sandbox.url);
  });

  const paris = (): object => {
    const { lat, lon } = sandbox.cities().find(({ country }) => country === "FR")!;
    return { lat, lon };
  };

  function wish(dice: Dice): Record<string, unknown> {
    const { lat, lon } = dice.pick(sandbox.cities());
    const near = {
      lat: lat + dice.between(-0.01, 0.01),
      lon: wrapLon(lon + dice.between(-0.01, 0.01)),
    };
    const optional = {
      radius: dice.pick([null, 30, 250, 400, 5000]),
      modes: dice.pick<unknown>([null, "bicycle,scooter", [dice.pick(MODES)], ["car", "moped"]]),
      include: dice.pick<unknown>([
        ...[null, "stations", ["vehicles"], ["places"], ["alerts"], ["stations", "lines"]],
        ["places", "lines", "stations", "vehicles", "alerts"],
      ]),
      limit: dice.pick([null, 1, 7, 100, 900]),
      intent: dice.pick([null, ...INTENTS]),
      language: dice.pick([null, "fr", "de-CH"]),
      min_vehicles: dice.pick([0, 1, 3]),
      propulsion: dice.pick([null, ["electric", "electric_assist"]]),
      form_factors: dice.pick([null, ["bicycle", "cargo_bicycle"]]),
    };
    const input = Object.entries(optional).filter(() => dice.chance(0.6));
    return { ...(dice.chance(0.2) ? { lat, lon } : near), ...Object.fromEntries(input) };
  }

  // Proves §4.8 observation
  test("random queries: counts add up, and the record is what the reference says", async (t) => {
    const seed = sized(20_261_122, Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`seed ${seed}`);
    const met = { found: 0, empty: 0, failed: 0, plans: new Set<unknown>() };
    for (let i = 0; i < QUESTIONS; i++) {
      const dice = createDice(seed, i);
      const args = wish(dice);
      const who = dice.pick([{}, { key }, { key: other }]);
      const observation = await execute(client, of, toSearch(args, dice.pick(POLICIES)), who);
      if ("status" in observation) {
        assert.equal(
          observation.errors[0]!.code,
          "no_sources_in_area",
          JSON.stringify(observation),
        );
        met.failed++;
        continue;
      }
      const body = await checkRecord(observation, who);
      checkApplied(observation, args);
      met.plans.add(observation.query_parameters["limit"]);
      if (body.total > 0) met.found++;
      else met.empty++;
      if (typeof args["intent"] === "string")
        for (const { intent } of body.available_actions) assert.equal(intent, args["intent"]);
    }
    assert.ok(met.found > QUESTIONS / 3, `${met.found} found something`);
    assert.ok(met.plans.size > 3, "limits of several plans");
  });

  async function checkRecord(observation: Observation, who: { key?: string }): Promise<Body> {
    const [stored, ...sources] = observation.provenance;
    const { fresh, stale, unknown, realtime_reliable } = observation.freshness;
    assert.equal(fresh + stale + unknown, stored.entity_count);
    if (realtime_reliable) assert.equal(stale + unknown, 0);
    assert.equal(stored.dataset_id, observation.dataset_id);
    assert.equal(stored.href, `/v1/datasets/${stored.dataset_id}/${stored.version}`);
    const kept_h = (Date.parse(stored.expires_at) - Date.parse(stored.created_at)) / 3_600_000;
    assert.equal(kept_h, who.key === undefined ? 1 : 720);
    const reply = await get(client, of, stored.href, {}, who);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(`sha-256:${sha256(reply.text)}`, stored.content_digest);
    assert.equal(reply.headers.etag, `"${stored.version}"`);
    const body = JSON.parse(reply.text) as Body;
    const { places, stations, vehicles } = body.results;
    assert.equal(places.length + stations.length + vehicles.length, stored.entity_count);
    // Entities that several observe count for each.
    const observed = sources.reduce((sum, { entity_count }) => sum + entity_count, 0);
    assert.ok(observed >= stored.entity_count, `${observed} of ${stored.entity_count}`);
    for (const { kind, license, provider } of sources) {
      assert.equal(kind, "provider");
      assert.ok(provider.length > 0 && license !== "");
    }
    return body;
  }

  function checkApplied(observation: Observation, args: Record<string, unknown>): void {
    const applied = observation.query_parameters;
    assert.deepEqual(Object.keys(applied).toSorted(), [
      ...[
        "form_factors",
        "freshness_policy",
        "include",
        "intent",
        "language",
        "lat",
        "limit",
        "lon",
      ],
      ...["min_docks", "min_vehicles", "modes", "operators", "propulsion"],
      ...["radius", "requested_limit", "requested_radius", "strict"],
    ]);
    assert.equal(applied["lat"], args["lat"]);
    assert.equal(applied["requested_radius"], args["radius"] ?? 400);
    assert.equal(applied["radius"], Math.min(400, Number(args["radius"] ?? 400)));
    assert.equal(applied["requested_limit"], args["limit"] ?? 100);
    assert.equal(applied["intent"], args["intent"] ?? null);
    assert.equal(applied["language"], args["language"] ?? null);
    assert.equal(applied["min_vehicles"], args["min_vehicles"] ?? 0);
    assert.equal(applied["min_docks"], 0);
    assert.deepEqual(applied["propulsion"], args["propulsion"] ?? null);
    assert.deepEqual(applied["form_factors"], args["form_factors"] ?? null);
    assert.equal(applied["operators"], null);
    const modes = args["modes"] ?? MODES;
    assert.deepEqual(applied["modes"], typeof modes === "string" ? modes.split(",") : modes);
  }

  // Proves §4.8 search_mobility
  test("the record is the body of /v1/nearby, byte for byte", async () => {
    let same = 0;
    for (const { lat, lon } of sandbox.cities()) {
      const ask = `/v1/nearby?lat=${lat}&lon=${lon}&include=stations,vehicles,alerts&limit=60`;
      const args = { lat, lon, limit: 60, include: ["stations", "vehicles", "alerts"] };
      await get(client, of, ask);
      await of.feeds.settle();
      const { text } = await get(client, of, ask);
      const { provenance } = await observe(client, of, toSearch(args));
      if ((await get(client, of, provenance[0].href)).text === text) same++;
    }
    // One that was read again in between is another.
    assert.ok(same >= sandbox.cities().length - 2, `${same} of ${sandbox.cities().length}`);
  });

  test("the record: conditions, HEAD, codings, caches", async () => {
    const { provenance } = await observe(client, of, toSearch(paris()));
    const { href, version } = provenance[0];
    const plain = await get(client, of, href);
    const { headers } = plain;
    assert.match(headers["cache-control"]!, /^public, max-age=863\d\d, immutable$/);
    assert.equal(headers.vary, "Accept-Encoding, Authorization");
    assert.match(headers["content-type"]!, /^application\/json/);
    const keyed = await get(client, of, href, {}, { key });
    assert.match(keyed.headers["cache-control"]!, /^private, max-age=\d+, immutable$/);
    for (const tag of [`"${version}"`, `W/"${version}"`, `"x", "${version}"`, "*"]) {
      const again = await get(client, of, href, { "if-none-match": tag });
      assert.equal(again.status, 304, tag);
      assert.equal(again.text, "");
      assert.equal(again.headers.etag, `"${version}"`);
      assert.equal(again.headers["cache-control"]!.slice(0, 14), "public, max-ag");
    }
    assert.equal((await get(client, of, href, { "if-none-match": '"x"' })).status, 200);
    const head = await client.call(of.url + href, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(head.headers["content-length"], String(Buffer.byteLength(plain.text)));
    for (const [coding, open] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const reply = await fetch(of.url + href, { headers: { "accept-encoding": coding } });
      assert.equal(reply.headers.get("content-encoding"), coding);
      assert.equal(reply.headers.get("etag"), `"${version}-${coding}"`);
      assert.equal(await reply.text(), plain.text);
      assert.ok(open.length > 0);
    }
    assert.equal(refusalOf(await get(client, of, `${href}x`)), "404 dataset_not_found");
    assert.equal((await post(client, of, {})).headers["cache-control"], "no-store");
  });

  test("the correlation comes back as it was, character by character", async () => {
    const correlation = {
      turn_id: "7",
      request_id: 'a"\\/ é😀\u2028 x',
      interaction_id: "i",
      conversation_id: "ü".repeat(128),
      parent_request_id: "p",
    };
    for (const turn_id of [0, -5, 2 ** 53 - 1, null, "x"]) {
      const body = toSearch(paris(), null, { ...correlation, turn_id }) as { correlation: object };
      const { text } = await post(client, of, body);
      const echo = `"correlation":${JSON.stringify(body.correlation)},"observation":`;
      assert.ok(text.includes(echo), text.slice(0, 500));
    }
  });

  test("repeats within two minutes are the same and free, anything else is new", async () => {
    const body = toSearch(paris(), null, { request_id: "repeat" }) as Record<string, object>;
    const ids = async (request: object, who = { key }): Promise<string> =>
      (await observe(client, of, request, who)).dataset_id;
    const used = await unitsOf(client, of, { key });
    const all = await Promise.all(Array.from({ length: 12 }, () => ids(body)));
    assert.equal(new Set(all).size, 1, "also while the first is under way");
    const shuffled = Object.fromEntries(Object.entries(body).toReversed());
    assert.equal(await ids(shuffled), all[0], "the same JSON, written otherwise");
    assert.equal(await unitsOf(client, of, { key }), used + 2);
    const news: [string, object, { key: string }][] = [
      ["policy", { ...body, freshness_policy: "revalidate" }, { key }],
      ["turn", { ...body, correlation: { ...body["correlation"], turn_id: 1 } }, { key }],
      ["args", toSearch({ ...paris(), radius: 400 }, null, { request_id: "repeat" }), { key }],
      ["caller", body, { key: other }],
    ];
    for (const [what, request, who] of news) assert.notEqual(await ids(request, who), all[0], what);
    assert.equal(await unitsOf(client, of, { key }), used + 2 + 3 * 2);
    await advance(client, sandbox.url, 100);
    assert.equal(await ids(body), all[0], "100 s later");
    await advance(client, sandbox.url, 20);
    assert.notEqual(await ids(body), all[0], "two minutes later");
  });

  test("a search costs 2 units, reading it nothing", async () => {
    const used = await unitsOf(client, of, { key });
    const { provenance } = await observe(client, of, toSearch(paris()), { key });
    assert.equal(await unitsOf(client, of, { key }), used + 2);
    const { dataset_id: id, version, href } = provenance[0];
    for (const policy of POLICIES)
      await observe(client, of, toRead({ id, version }, policy), { key });
    await get(client, of, href, {}, { key });
    await post(client, of, { nothing: true }, { key });
    assert.equal(await unitsOf(client, of, { key }), used + 2);
  });

  test("places and lines are answered from what is held: no policy looks anything up", async () => {
    const count = async (): Promise<number> => {
      const url = `${sandbox.url}/__sandbox/requests`;
      const { counts } = await client.json<{ counts: Record<string, number> }>(url);
      const lookups = Object.entries(counts).filter(([id]) => !/^gbfs|citybikes|motis/.test(id));
      return lookups.reduce((sum, [, each]) => sum + each, 0);
    };
    const first = await count();
    for (const policy of POLICIES)
      await observe(client, of, toSearch({ ...paris(), include: ["places", "lines"] }, policy));
    assert.equal(await count(), first);
  });
});
