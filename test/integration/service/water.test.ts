/** The water route over the running service: Paris from its sets, the world from the open map (§4.10). */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { LegacyWater } from "#api/legacy-water.ts";
import { cityOf, namedBy, servicesAt } from "../../unit/sandbox/services-reader.ts";
import { listenHttp } from "../../unit/upstream/local-server.ts";
import { createFolder, eventually, removeFolder, start, serviceFor } from "./support.ts";
import { HANG_MS } from "../../support/size.ts";

const isBody = addFormats.default(new Ajv2020({ strict: true })).compile<LegacyWater>(LegacyWater);
const DAY_S = 86_400;

function bench(settings: object) {
  const served = serviceFor({ cities: "all", settings });
  const { client } = served;
  const ask = (at: { lat: number; lon: number } | string, query = "") => {
    const coords = typeof at === "string" ? at : `${at.lat},${at.lon}`;
    return client.call(`${served.started.service.url}/realtime/paris/${coords}/water${query}`);
  };
  return {
    client,
    ask,
    service: () => served.started.service,
    sandbox: () => served.started.service.sandbox!,
    async body(...args: Parameters<typeof ask>): Promise<LegacyWater> {
      const { status, text } = await ask(...args);
      assert.equal(status, 200, text);
      const body: unknown = JSON.parse(text);
      assert.ok(isBody(body), JSON.stringify(isBody.errors));
      return body;
    },
  };
}

/** Without what else would be polled while days go by. */
const ALONE = { gbfs: { enabled: false }, citybikes: { enabled: false }, openstreetmap: {} };

describe("water of every city", () => {
  const { ask, body, sandbox, service, client } = bench({ sources: ALONE });

  // Proves §4.10 water; §5 legacy token
  test("Paris has what the truth says of its two sets, each at its distance", async () => {
    const paris = cityOf(sandbox(), "Paris");
    const { nhits, records, parameters } = await body(paris, "?distance=5000&rows=100");
    assert.deepEqual(parameters.dataset, ["fontaines-a-boire", "sanisettesparis"]);
    const truth = namedBy(await servicesAt(sandbox(), paris, 5000), "paris_opendata");
    assert.deepEqual([nhits, records.length], [truth.size, truth.size]);
    assert.ok(nhits > 60, `${nhits}`);
    const fountains = records.filter(({ datasetid }) => datasetid === "fontaines-a-boire");
    assert.ok(fountains.length > 30);
    for (const { fields } of fountains) {
      const thing = truth.get(fields.identifiant!);
      assert.ok(thing, `${fields.identifiant}`);
      assert.ok(Math.abs(Number(fields.dist) - thing.distance_m) <= 1);
      assert.ok(fields.arrondissement! >= 1 && fields.x! > 600_000);
    }
    const { key } = service().keys[0]!;
    for (const query of [`?token=${key}`, ""]) assert.equal((await ask(paris, query)).status, 200);
    const wrong = await ask(paris, "?token=svc_test_x");
    assert.deepEqual([wrong.status, JSON.parse(wrong.text).error.code], [401, "invalid_api_key"]);
  });

  test("ten records within 500 metres, unless other numbers are asked for; others are refused", async () => {
    const paris = cityOf(sandbox(), "Paris");
    const usual = await body(paris);
    assert.deepEqual(
      [usual.parameters.rows, usual.parameters["geofilter.distance"]],
      [10, [`${paris.lat},${paris.lon},500`]],
    );
    assert.ok(usual.records.every(({ fields }) => Number(fields.dist) <= 500));
    const few = await body(paris, "?distance=5000&rows=3");
    assert.ok(few.nhits > 60 && few.records.length === 3);
    const wrong = ["?rows=0", "?rows=101", "?rows=1.5", "?distance=0.9", "?distance=5001"];
    for (const query of wrong) {
      const { status, text } = await ask(paris, query);
      assert.deepEqual([status, JSON.parse(text).error.code], [400, "invalid_request"], query);
    }
    for (const coords of ["48.8", "91,2", "48.8,2.3,1", "a,b", "48.8,181"])
      assert.equal((await ask(coords)).status, 400, coords);
  });

  test("services do not know the sets, sources do", async () => {
    const { lat, lon } = cityOf(sandbox(), "Paris");
    const at = `lat=${lat}&lon=${lon}`;
    const path = `${service().url}/v1/services/nearby?${at}&types=toilets,fountain&debug=true`;
    const services = await client.json<{ debug: { providers: object } }>(path);
    assert.deepEqual(Object.keys(services.debug.providers).toSorted(), [
      "openstreetmap",
      "refuge_restrooms",
    ]);
    const { sources } = await client.json<{ sources: Record<string, unknown>[] }>(
      `${service().url}/v1/sources?${at}`,
    );
    const listed = sources.filter(({ id }) => id === "paris_opendata");
    assert.equal(listed.length, 1);
    const { operations, state, licence, entity_count } = listed[0]!;
    assert.deepEqual([operations, state, licence], [["getLegacyWater"], "ok", "ODbL-1.0"]);
    assert.ok((entity_count as number) > 60);
  });
});

type Listing = { sources: { id: string; last_success_at: string | null }[] };

/** A portal that counts what it sends. */
function createPortal(rows: number) {
  const sent = { full: 0, unchanged: 0, bytes: 0 };
  const handle: RequestListener = (request, response) => {
    const list = Array.from({ length: rows }, (_, i) => ({
      gid: i,
      adresse: `${i}`,
      // Several metres apart: of one spot the first 64 are kept.
      geo_point_2d: { lon: 2.3522 + (i % 25) * 1e-4, lat: 48.8566 + Math.floor(i / 25) * 1e-4 },
    }));
    const body = Buffer.from(JSON.stringify(list));
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    const isKnown = request.headers["if-none-match"] === etag;
    sent[isKnown ? "unchanged" : "full"] += 1;
    sent.bytes += isKnown ? 0 : body.length;
    response.writeHead(isKnown ? 304 : 200, { etag, "content-type": "application/json" });
    response.end(isKnown ? undefined : body);
  };
  return { sent, handle };
}

test("day after day, what has not changed is not sent again", async (t) => {
  const { sent, handle } = createPortal(500);
  await using portal = await listenHttp(handle);
  const data_dir = await createFolder();
  const { service } = await start({
    cities: "all",
    mode: "live",
    data_dir,
    settings: {
      egress: { allow_private: true },
      sources: { paris_opendata: { url: portal.origin } },
    },
  });
  t.after(async () => {
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });
  /** Both sets are in use, confirmed since then. */
  const settled = (since_ms: number) =>
    eventually(
      async () => {
        const { sources } = (await (await fetch(`${service.url}/v1/sources`)).json()) as Listing;
        const { last_success_at = null } = sources.find(({ id }) => id === "paris_opendata") ?? {};
        return last_success_at !== null && Date.parse(last_success_at) >= since_ms ? true : null;
      },
      { within_ms: HANG_MS, what: "both sets" },
    );
  await settled(0);
  const { bytes } = sent;
  assert.ok(sent.full === 2 && bytes > 40_000, `${bytes} bytes`);
  for (let day = 1; day <= 3; day++) {
    const day_ms = service.clock.now() + DAY_S * 1000;
    // Each set is due within a tenth of a day after a day.
    await service.clock.advance(1.1 * DAY_S * 1000);
    await settled(day_ms);
  }
  assert.deepEqual(sent, { full: 2, unchanged: 6, bytes });
  const reply = await fetch(`${service.url}/realtime/paris/48.8566,2.3522/water`);
  const { nhits, records } = (await reply.json()) as LegacyWater;
  assert.equal(nhits, 1000);
  // Its age is that of the last time it was found unchanged.
  const age_ms = service.clock.now() - Date.parse(records[0]!.record_timestamp!);
  assert.ok(age_ms < DAY_S * 1000, `${age_ms}`);
});
