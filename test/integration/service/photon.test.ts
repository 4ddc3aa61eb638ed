/** Photon's interface over real sockets: a town's base, the gate in front of it, and what is refused. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { openAdminStorage } from "#storage/open-storage.ts";
import { packTown, townPoint } from "../../support/town.ts";
import {
  bearer,
  createCaller,
  makeKey,
  openService,
  planLike,
  strangeKey,
} from "../access/support.ts";
import { createFolder, removeFolder, start } from "./support.ts";

const TOWN_ALONE = { openbase: { gazetteer: false } };

type Collection = {
  type: string;
  features: { type: string; geometry: object; properties: Record<string, unknown> }[];
};

/** A folder in which the town is imported, for either mode. */
async function importTown(t: TestContext, mode: "sandbox" | "live"): Promise<string> {
  const data_dir = await createFolder();
  t.after(() => removeFolder(data_dir));
  const store = openAdminStorage({ data_dir, mode });
  if ("problem" in store) return assert.fail(store.problem);
  await store.bases.put("town", await packTown(t));
  store.close();
  return data_dir;
}

const first = (text: string): Record<string, unknown> => {
  const { type, features } = JSON.parse(text) as Collection;
  assert.equal(type, "FeatureCollection");
  assert.ok(features.length > 0, text);
  return features[0]!.properties;
};
const messageOf = (text: string): string => {
  const body = JSON.parse(text) as { message: string };
  assert.deepEqual(Object.keys(body), ["message"]);
  return body.message;
};

test("clients of Photon are answered from a base", async (t) => {
  const data_dir = await importTown(t, "sandbox");
  const { url } = await openService(t, { sources: TOWN_ALONE, data_dir });
  const ask = createCaller(t);
  const { lat, lon } = townPoint(11, 101);
  const near = `lat=${lat}&lon=${lon}`;

  const match = await ask(`${url}/photon/api?q=Hauptstrasse+1+Oberlinden&lang=en`);
  assert.equal(match.status, 200);
  assert.deepEqual(first(match.text), {
    ...{ osm_type: "N", osm_id: 11, osm_key: "place", osm_value: "house", type: "house" },
    ...{ housenumber: "1", street: "Hauptstrasse", district: "Neuquartier" },
    ...{ county: "Lindenland", postcode: "9999", city: "Oberlinden", state: "Kanton Linden" },
    ...{ country: "Switzerland", countrycode: "CH" },
  });
  assert.equal(match.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(match.headers["access-control-allow-origin"], "*");
  assert.match(String(match.headers["vary"]), /Accept-Language/);
  assert.match(match.headers["cache-control"] ?? "", /^public, max-age=\d+$/);
  assert.match(String(match.headers["link"]), /rel="license"/);

  const back = await ask(`${url}/photon/reverse?${near}`);
  assert.equal((JSON.parse(back.text) as Collection).features.length, 1);
  assert.equal(first(back.text)["osm_id"], 11);
  const streets = await ask(`${url}/photon/reverse/?${near}&layer=street&lang=fr`);
  assert.equal(first(streets.text)["name"], "Hauptstrasse");
  assert.equal(first(streets.text)["country"], "Suisse");
  assert.ok(Array.isArray(first(streets.text)["extent"]));

  const french = { headers: { "accept-language": "fr-CH, de;q=0.5" } };
  const county = `${url}/photon/api/?q=Lindenland&osm_tag=place:county`;
  assert.equal(first((await ask(county, french)).text)["country"], "Suisse");
  assert.equal(first((await ask(county)).text)["country"], "Schweiz");

  for (const none of ["&bbox=0,0,1,1", "&countrycode=FR", "&layer=city", "&osm_tag=!place"]) {
    const { status, text } = await ask(`${county}${none}`);
    assert.deepEqual(
      [status, JSON.parse(text)],
      [200, { type: "FeatureCollection", features: [] }],
    );
  }
  for (const some of ["&bbox=8,46,10,48", "&countrycode=ch&countrycode=FR", "&layer=county"])
    assert.equal(first((await ask(`${county}${some}`)).text)["osm_id"], 103, some);
  const kind = await ask(`${url}/photon/api?q=apotheke&limit=1&${near}`);
  assert.equal(first(kind.text)["osm_value"], "pharmacy");
});

test("other methods, encodings and mistakes", async (t) => {
  const data_dir = await importTown(t, "sandbox");
  const { url } = await openService(t, { sources: TOWN_ALONE, data_dir });
  const ask = createCaller(t);
  const path = `${url}/photon/api`;
  const head = await ask(`${path}?q=Oberlinden`, { method: "HEAD" });
  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.ok(Number(head.headers["content-length"]) > 100);
  const preflight = await ask(path, { method: "OPTIONS" });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers["access-control-allow-methods"], "GET, HEAD, OPTIONS");
  const posted = await ask(path, { method: "POST" });
  assert.equal(posted.status, 405);
  assert.match(messageOf(posted.text), /GET/);

  const refused: [string, RegExp][] = [
    ["/photon/api", /'q'/],
    ["/photon/api?q=a&foo=b", /'foo'/],
    ["/photon/api?q=a&limit=x", /'limit'/],
    ["/photon/reverse?lat=1", /'lon'/],
  ];
  for (const [query, message] of refused) {
    const { status, text, headers } = await ask(url + query);
    assert.equal(status, 400, query);
    assert.match(messageOf(text), message);
    assert.equal(headers["cache-control"], "no-store");
  }
  const packed = await fetchRaw(url, "/photon/reverse?lat=47&lon=9&limit=9", {
    "accept-encoding": "gzip",
  });
  assert.ok(first(gunzipSync(packed).toString())["name"]);
});

async function fetchRaw(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers, agent: false }, (reply) =>
      resolve(buffer(reply)),
    );
    sent.once("error", reject);
    sent.end();
  });
}

test("the gate of geocoding is before it: keys, scopes, rates and units", async (t) => {
  const data_dir = await importTown(t, "sandbox");
  const plans = {
    slow: planLike({ rate_per_s: 0.01, burst: 2 }),
    few: planLike({ units: 2, period: "day", hard: true }),
  };
  const { url, accounts } = await openService(t, {
    sources: TOWN_ALONE,
    data_dir,
    plans,
    still: true,
  });
  const ask = createCaller(t);
  const path = `${url}/photon/api?q=Oberlinden`;

  const bad = await ask(path, { headers: bearer(strangeKey()) });
  assert.deepEqual([bad.status, typeof messageOf(bad.text)], [401, "string"]);
  assert.match(bad.headers["www-authenticate"] ?? "", /invalid_token/);
  const poor = makeKey(accounts, { scopes: ["journey:read"] });
  const lacking = await ask(path, { headers: bearer(poor.key) });
  assert.equal(lacking.status, 403);
  assert.match(messageOf(lacking.text), /scope/);

  const slow = makeKey(accounts, { plan: "slow" });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++)
    statuses.push((await ask(path, { headers: bearer(slow.key) })).status);
  assert.deepEqual(statuses, [200, 200, 429]);

  const few = makeKey(accounts, { plan: "few" });
  const spend = async (query: string): Promise<number> =>
    (await ask(query, { headers: bearer(few.key) })).status;
  const seen = [
    await spend(`${url}/photon/api`),
    await spend(path),
    await spend(`${url}/photon/reverse?lat=47&lon=9&token=${few.key}`),
    await spend(path),
    await spend(`${url}/v1/geocode?q=Oberlinden`),
  ];
  // Refusals cost nothing; what is used up is so for geocoding of either kind.
  assert.deepEqual(seen, [400, 200, 200, 429, 429]);
  const keyed = await ask(path, { headers: bearer(makeKey(accounts).key) });
  assert.match(keyed.headers["cache-control"] ?? "", /^private/);
});

test("without a base it is 503, and where the configuration says so it is not there", async (t) => {
  const ask = createCaller(t);
  const open = async (openbase: object, data_dir?: string): Promise<string> => {
    const folder = data_dir ?? (await createFolder());
    const settings = { sources: { openbase } };
    const { service } = await start({ mode: "live", data_dir: folder, settings });
    t.after(async () => {
      await service.close({ delay_ms: 0 });
      if (data_dir === undefined) await removeFolder(folder);
    });
    await service.tried();
    return service.url;
  };
  const bare = await open({ gazetteer: false });
  for (const path of ["/photon/api?q=berlin", "/photon/reverse?lat=1&lon=1"]) {
    const { status, text } = await ask(bare + path);
    assert.equal(status, 503);
    assert.match(messageOf(text), /no base is imported/);
  }
  for (const photon_prefix of [null, ""]) {
    const url = await open({ photon_prefix, gazetteer: false });
    for (const path of ["/photon/api?q=a", "/api?q=a"])
      assert.equal((await ask(url + path)).code, "not_found");
  }
  const town = await importTown(t, "live");
  const root = await open({ photon_prefix: "/", gazetteer: false }, town);
  assert.equal(first((await ask(`${root}/api?q=Oberlinden`)).text)["osm_id"], 104);
  assert.equal((await ask(`${root}/photon/api?q=Oberlinden`)).code, "not_found");
  const elsewhere = await ask(`${root}/reverse?lat=-40&lon=100`);
  assert.equal(elsewhere.status, 503);
  assert.match(messageOf(elsewhere.text), /covers this point/);
});
