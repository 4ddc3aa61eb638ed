/** What a link shows where it is shared: head and picture, escaped, current, kept shortly, bounded. */
import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { test } from "node:test";
import type { FindShared, SharedThing } from "#app/share/shared-thing.ts";
import { languageOf, type ShareLanguage, toShareWords } from "#http/share/share-texts.ts";
import { buildPages } from "#http/pages/page-site.ts";
import type { BaseMaps } from "#ports/base-maps.ts";
import { call } from "../support/call.ts";
import { noFault } from "../support/faults.ts";
import { stubServer } from "../support/server.ts";

const pages = buildPages(
  {
    ...{ mode: "live", version: "1", style: null, start: null, style_hosts: [] },
    ...{ cities: [], salt: "", weather: null, units: "metric", embed_origins: [], offline: true },
    reference: { key: null, changelog: false },
  },
  (error) => noFault("pages", error),
);
const AT = { lat: 48.8566, lon: 2.3522 };
const THING: SharedThing = {
  name: "Rue de l'Étoile-Filante",
  location: AT,
  counts: { of: "station", vehicles: 10, docks: 3, isBikes: true },
  time: "2026-11-28T14:05:10+01:00",
};
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt", "ja", "ar"] as const;
const LINK = "at=48.8566,2.3522&sel=svc_station_abc";

function open(thing: SharedThing | null | FindShared, more: Parameters<typeof stubServer>[0] = {}) {
  const wanted: { id: string; wait_ms: number }[] = [];
  const findShared: FindShared = (link, wait_ms) => {
    wanted.push({ id: link.id, wait_ms });
    return typeof thing === "function" ? thing(link, wait_ms) : Promise.resolve(thing);
  };
  const { app } = stubServer({ pages, findShared, ...more });
  const get = (url: string, headers: Record<string, string> = {}) =>
    call(app, { method: "GET", url, headers: { host: "near.example", ...headers } });
  return { wanted, get };
}

const tagOf = (html: string, name: string): string | undefined =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

test("a link to a station has its name, counts and their time, also without scripts", async () => {
  const { get, wanted } = open(THING);
  const { payload: html, headers, statusCode } = await get(`/?${LINK}`);
  assert.equal(statusCode, 200);
  const title = "Rue de l&#39;Étoile-Filante: 10 bikes, 3 docks";
  assert.ok(html.includes(`<title>${title}</title>`));
  assert.equal(tagOf(html, "og:title"), title);
  assert.match(
    tagOf(html, "og:description")!,
    /^As reported at 2026-11-28 14:05\. Shared vehicles/,
  );
  const image = tagOf(html, "og:image")!.replaceAll("&amp;", "&");
  assert.equal(image, `https://near.example/share.png?${LINK}`);
  assert.equal(tagOf(html, "twitter:card"), "summary_large_image");
  assert.equal(headers["cache-control"], "private, max-age=60");
  assert.match(String(headers["content-security-policy"]), /default-src 'none'/);
  assert.ok(html.includes('<main id="sheet">') && !html.includes("{{"), "it is the map page");
  const again = await get(`/?${LINK}`, { "if-none-match": String(headers["etag"]) });
  assert.deepEqual([again.statusCode, again.payload], [304, ""]);
  assert.equal(wanted.length, 1, "what is known of a thing is kept for a while");
  assert.ok(wanted[0]!.wait_ms <= 200, "a reader does not wait for feeds");
});

test("unknown counts are left out, old ones too, and ten languages have their own words", () => {
  const title = (thing: SharedThing | null, language: ShareLanguage = "en") =>
    toShareWords(thing, "48.8566, 2.3522", language).title;
  const one = (counts: SharedThing["counts"]) => ({ ...THING, name: "A", counts });
  const of = "station" as const;
  assert.equal(title(one({ of, vehicles: 1, docks: null, isBikes: true })), "A: 1 bike");
  assert.equal(title(one({ of, vehicles: 0, docks: 2, isBikes: false })), "A: 0 vehicles, 2 docks");
  assert.equal(title({ ...THING, name: "A", counts: null, time: null }), "A");
  assert.equal(title(one({ of: "service", free: 2, total: 4 })), "A: 2 of 4 free");
  assert.equal(title(one({ of: "service", free: 2, total: null })), "A: 2 free");
  assert.equal(title(null), "What is near 48.8566, 2.3522, right now");
  assert.equal(
    title(one({ of, vehicles: 5, docks: 1, isBikes: true }), "pl"),
    "A: 5 rowerów, 1 wolne miejsce",
  );
  for (const lang of LANGUAGES) {
    assert.equal(languageOf(`${lang}-XX`), lang);
    for (const vehicles of [0, 1, 2, 3, 11, 100, 1_000_000]) {
      const text = title(one({ of, vehicles, docks: 1, isBikes: true }), lang);
      assert.doesNotMatch(text, /\{|undefined|null/, `${lang} ${vehicles}`);
    }
  }
});

test("names of feeds and addresses of callers become no markup", async () => {
  const evil = `"><script>alert(1)</script><b a='\u0000\u202E\n${"x".repeat(500)}`;
  const { get } = open({ ...THING, name: evil });
  const more = encodeURI(`x="><img src=1 onerror=alert(1)>&lang=<b>`).replaceAll("%3E", ">");
  const { payload: html } = await get(`/?${LINK}&${more}&y='`);
  const head = html.slice(0, html.indexOf("</head>"));
  assert.doesNotMatch(head, /<script>|<img|<b |onerror=alert\(1\)>/);
  assert.match(head, /<title>&quot;&gt;&lt;script&gt;/);
  // oxlint-disable-next-line no-control-regex -- that they are gone
  assert.doesNotMatch(head, /[\u0000\u202E]/);
  assert.ok(tagOf(html, "og:title")!.length < 400);
  const odd = await get(`/?${LINK}`, { host: `evil"><script>` });
  assert.doesNotMatch(odd.payload, /og:image|evil/);
});

test("an address without a point is the page as it is; odd points and ids ask for nothing", async () => {
  const { get, wanted } = open(THING);
  const plain = (await get("/")).payload;
  for (const query of [
    "",
    "?lang=de",
    "?at=",
    "?at=91,2",
    "?at=1,181",
    "?at=a,b",
    "?sel=svc_station_a",
    `?at=1,2&x=${"y".repeat(3_000)}`,
  ])
    assert.equal((await get(`/${query}`)).payload, plain, query);
  for (const sel of [
    "gbfs:x:1",
    "../etc",
    "svc_transport_station_a",
    "svc_station_" + "a".repeat(200),
  ])
    assert.match(tagOf((await get(`/?at=1,2&sel=${sel}`)).payload, "og:title")!, /^What is near/);
  assert.deepEqual(wanted, []);
});

test("a report that a reader did not wait for is in the picture that is fetched next", async () => {
  const late: FindShared = (_, wait_ms) => Promise.resolve(wait_ms < 1_000 ? null : THING);
  const { get, wanted } = open(late);
  assert.match(tagOf((await get(`/?${LINK}`)).payload, "og:title")!, /^What is near/);
  const late_picture = (await get(`/share.png?${LINK}`)).rawPayload;
  const picture = (await open(THING).get(`/share.png?${LINK}`)).rawPayload;
  assert.ok(late_picture.equals(picture), "it has the name and the counts");
  assert.deepEqual(
    wanted.map(({ wait_ms }) => wait_ms),
    [150, 1_000],
  );
});

test("a defect leaves a link without a name, and costs nothing else", async () => {
  const faults: unknown[] = [];
  const broken: FindShared = () => Promise.reject(new TypeError("planted"));
  const { get } = open(broken, { onShareFault: (error) => faults.push(error) });
  const reply = await get(`/?${LINK}`);
  assert.deepEqual([reply.statusCode, faults.length], [200, 1]);
  assert.match(tagOf(reply.payload, "og:title")!, /^What is near/);
});

/** Reads what our own pictures have: rows of RGB that are not filtered. */
function readPng(png: Buffer) {
  assert.equal(png.subarray(0, 8).toString("hex"), "89504e470d0a1a0a");
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  assert.equal(rows.length, (width * 3 + 1) * height);
  const at = (x: number, y: number): number[] => {
    const start = y * (width * 3 + 1) + 1 + x * 3;
    return [...rows.subarray(start, start + 3)];
  };
  return { width, height, at, rows };
}

test("the picture is drawn once for all who want it, and again when the counts are others", async () => {
  const { get } = open(THING);
  const [one, two] = await Promise.all([get(`/share.png?${LINK}`), get(`/share.png?${LINK}&x=1`)]);
  assert.equal(one.headers["content-type"], "image/png");
  assert.equal(one.headers["cache-control"], "public, max-age=60");
  assert.equal(one.headers["cross-origin-resource-policy"], "cross-origin");
  assert.deepEqual(one.rawPayload, two.rawPayload);
  const picture = readPng(one.rawPayload);
  assert.deepEqual([picture.width, picture.height], [1200, 630]);
  assert.deepEqual(picture.at(600, 205), [11, 107, 103], "the point");
  assert.deepEqual(picture.at(1150, 600), [255, 255, 255], "the panel");
  assert.ok(one.rawPayload.length < 200_000);
  const other = open({ ...THING, counts: { of: "station", vehicles: 9, docks: 4, isBikes: true } });
  assert.notDeepEqual((await other.get(`/share.png?${LINK}`)).rawPayload, one.rawPayload);
  const late = open({ ...THING, time: "2026-11-28T14:06:10+01:00" });
  assert.notDeepEqual(
    (await late.get(`/share.png?${LINK}`)).rawPayload,
    one.rawPayload,
    "the time is in it",
  );
  const without = open({ ...THING, name: "東京駅" });
  assert.equal((await without.get(`/share.png?${LINK}&lang=ja`)).statusCode, 200);
  assert.equal((await get("/share.png")).statusCode, 400);
});

test("tiles are in it; one that cannot be read leaves the plain ground", async () => {
  const maps = (bytes: Uint8Array | null): BaseMaps => ({
    list: () => [
      { id: "a", box: [48, 2, 49, 3], version: "1", data_as_of: null, attribution: null },
    ],
    covers: () => true,
    pin: () =>
      Promise.resolve({
        draw: () => Promise.resolve({ bytes, lacks: null }),
        [Symbol.dispose]: () => undefined,
      }),
  });
  const picture = async (bytes: Uint8Array | null, faults: unknown[] = []) => {
    const { get } = open(THING, { maps: maps(bytes), onShareFault: (error) => faults.push(error) });
    return readPng((await get(`/share.png?${LINK}`)).rawPayload);
  };
  const plain = await picture(null);
  const water = await picture(waterTile());
  assert.deepEqual(water.at(600, 350), [195, 223, 236]);
  assert.notDeepEqual(plain.at(600, 350), water.at(600, 350));
  for (const bytes of [
    Buffer.from([0x1a, 0xff]),
    Buffer.from("not a tile"),
    Buffer.alloc(40, 0xff),
  ]) {
    const faults: unknown[] = [];
    const damaged = await picture(bytes, faults);
    assert.equal(faults.length, 1);
    assert.deepEqual(damaged.rows, plain.rows);
  }
});

/** A vector tile all of whose square is water. */
function waterTile(): Uint8Array {
  const field = (number: number, bytes: Uint8Array) => [(number << 3) | 2, bytes.length, ...bytes];
  const text = (value: string) => Buffer.from(value);
  const full = [0x80, 0x40];
  const geometry = [9, 0, 0, 26, ...full, 0, 0, ...full, 0xff, 0x3f, 0, 15];
  const feature = [...field(2, Buffer.from([0, 0])), 0x18, 3, ...field(4, Buffer.from(geometry))];
  const layer = [
    ...[0x78, 2, ...field(1, text("water")), ...field(2, Buffer.from(feature))],
    ...[...field(3, text("class")), ...field(4, Buffer.from(field(1, text("ocean"))))],
  ];
  return Buffer.from(field(3, Buffer.from(layer)));
}
