/** Bases behind a web address: read in ranges, of one version, and never another's bytes. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { openObjects } from "../../../support/object-bases.ts";
import { nodeAt, pageNodes } from "../../../support/paged-bases.ts";
import { options } from "../../../support/places.ts";
import { listenHttp } from "../local-server.ts";

const LOOK_MS = 30_000;
const NOTICE_MS = 4_000;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves ranges of one object, as a store does; `answer` stands in for the next ones. */
async function serve(t: TestContext, bytes: Uint8Array) {
  const ranges: string[] = [];
  const object = { bytes, answer: null as Answer | null };
  const server = await listenHttp((request, response) => {
    if (object.answer) return object.answer(request, response);
    const [, from = "0", to = "0"] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const all = object.bytes;
    const part = all.subarray(Number(from), Number(to) + 1);
    const etag = `"${createHash("md5").update(all).digest("hex")}"`;
    ranges.push(`${from}+${part.length}`);
    response.writeHead(206, {
      etag,
      "content-range": `bytes ${from}-${Number(from) + part.length - 1}/${all.length}`,
    });
    response.end(part);
  });
  t.after(() => server[Symbol.asyncDispose]());
  return { object, ranges, url: `${server.origin}/de.vbase` };
}

const PARIS = { lat: 48.855, lon: 2.355 };
const LYON = { lat: 45.76, lon: 4.84 };
const CELLS = [
  { z: 6, x: 32, y: 22 },
  { z: 6, x: 32, y: 23 },
];

function cities(amenity: string): Promise<Uint8Array> {
  const nodes = [PARIS, LYON].map(({ lat, lon }, i) => nodeAt(i + 1, lat, lon, { amenity }));
  return pageNodes("de", nodes, CELLS);
}

type Bases = ReturnType<typeof openObjects>["bases"];

/** Toilets at a point, or why the page is missing. */
async function toiletsAt(bases: Bases, at: typeof PARIS): Promise<number | string> {
  const { pages } = bases.list()[0]!;
  const circle = { ...at, radius_m: 500 };
  using pinned = await pages.pin(pages.around(circle));
  const [missing] = pinned.missing;
  if (missing) return missing.reason;
  return pinned.pages.reduce(
    (sum, { page }) => sum + page.search(["toilets"], circle, options()).length,
    0,
  );
}

test("a base is read in ranges where it lies, and again when it was replaced", async (t) => {
  const { object, url, ranges } = await serve(t, await cities("toilets"));
  const { bases, clock, lines } = openObjects(t, { url });
  await bases.start();
  assert.deepEqual(
    bases.list().map(({ id }) => id),
    ["de"],
  );
  assert.equal(await toiletsAt(bases, PARIS), 1);
  assert.equal(await toiletsAt(bases, LYON), 1);
  const before = ranges.length;
  assert.equal(await toiletsAt(bases, LYON), 1);
  await clock.advance(NOTICE_MS);
  assert.equal(ranges.length, before, "what is in memory is not requested again");
  object.bytes = await cities("drinking_water");
  await clock.advance(LOOK_MS);
  assert.equal(await toiletsAt(bases, PARIS), 0);
  assert.deepEqual(
    lines.filter(({ level }) => level > 30),
    [],
  );
});

test("of an object that is replaced while pages are read none is taken", async (t) => {
  const { object, url } = await serve(t, await cities("toilets"));
  const { store } = openObjects(t, { url });
  const [file] = await store.list();
  const ranges = (await store.open("de"))!;
  assert.equal(ranges.version, file!.version);
  const other = object.bytes.slice();
  other[other.length - 1]! ^= 1;
  object.bytes = other;
  await assert.rejects(ranges.read(64, 8), /byte 64: the object was replaced/);
});

test("bytes that are cut off, in another coding or of the whole file are none", async (t) => {
  const { object, url } = await serve(t, await cities("toilets"));
  const { store } = openObjects(t, { url });
  await store.list();
  const ranges = (await store.open("de"))!;
  const etag = `"${createHash("md5").update(object.bytes).digest("hex")}"`;
  const total = object.bytes.length;
  const head = { etag, "content-range": `bytes 0-63/${total}` };
  object.answer = (_, response) => response.writeHead(206, head).end("short");
  await assert.rejects(ranges.read(0, 64), /byte 0: 5 bytes came, and 64 were requested/);
  object.answer = (_, response) => response.writeHead(200, { etag }).end(object.bytes);
  await assert.rejects(ranges.read(0, 64), /too (large|big)|larger/);
  const shifted = { etag, "content-range": `bytes 1-64/${total}` };
  object.answer = (_, response) => response.writeHead(206, shifted).end(object.bytes.slice(0, 64));
  await assert.rejects(ranges.read(0, 64), /byte 0: bytes from 1 on came/);
  object.answer = (_, response) => response.writeHead(503).end();
  await assert.rejects(ranges.read(0, 64), /byte 0: the object store/);
  await assert.rejects(ranges.read(total - 8, 16), /the object has/);
});

test("a store that is away leaves what was read, and says so once", async (t) => {
  const { object, url } = await serve(t, await cities("toilets"));
  const { bases, clock, lines } = openObjects(t, { url });
  await bases.start();
  assert.equal(await toiletsAt(bases, PARIS), 1);
  object.answer = (_, response) => response.writeHead(503).end();
  for (let i = 0; i < 3; i++) await clock.advance(LOOK_MS);
  assert.equal(await toiletsAt(bases, PARIS), 1);
  const warnings = lines.filter(({ msg }) => msg === "base de cannot be reached");
  assert.equal(warnings.length, 1);
  object.answer = null;
  await clock.advance(LOOK_MS);
  assert.equal(lines.filter(({ msg }) => msg === "the base is reached again").length, 1);
});

test("an object that was never reached is a base that cannot be read, until it is", async (t) => {
  const { object, url } = await serve(t, await cities("toilets"));
  object.answer = (_, response) => response.writeHead(403).end();
  const { bases, clock } = openObjects(t, { url });
  await bases.start();
  assert.deepEqual(bases.list(), []);
  assert.deepEqual(
    bases.listUnread().map(({ id }) => id),
    ["de"],
  );
  object.answer = null;
  await clock.advance(LOOK_MS);
  assert.equal(await toiletsAt(bases, LYON), 1);
  assert.deepEqual(bases.listUnread(), []);
});

test("parts of a page are requested at once, and put together in their order", async (t) => {
  const bytes = new Uint8Array(20 * 1024 * 1024 + 5);
  for (let i = 0; i < bytes.length; i += 4_096) bytes[i] = (i / 4_096) % 251;
  const { url, ranges } = await serve(t, bytes);
  const { store } = openObjects(t, { url });
  await store.list();
  const object = (await store.open("de"))!;
  const read = await object.read(1, bytes.length - 1);
  assert.ok(Buffer.from(read).equals(Buffer.from(bytes.subarray(1))));
  assert.equal(ranges.length, 1 + 3);
});
