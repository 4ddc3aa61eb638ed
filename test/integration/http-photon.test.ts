/** The routes of Photon's interface over HTTP: bodies and messages that are Photon's, and their price. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import { Meter } from "#app/access/meter.ts";
import type { Photon, PhotonReply } from "#app/photon/photon-search.ts";
import { call } from "../support/call.ts";
import { keyedCaller, ringOf } from "../support/gate.ts";
import { createMemoryUsage } from "../support/memory-usage.ts";
import { stubServer } from "../support/server.ts";

const MATCHES: PhotonReply = {
  ...{ kind: "ok", max_age_s: 9 },
  body: { type: "FeatureCollection", features: [] },
};
const REFUSED: PhotonReply = {
  ...{ kind: "refused", code: "invalid_request", message: "'q' is missing", retry_after_s: null },
};

function open(t: TestContext, prefix: string, photon: Partial<Photon> = {}) {
  const usage = createMemoryUsage();
  const meter = new Meter({ usage, newEventId: randomUUIDv7, defer: setImmediate });
  const none = (): Promise<PhotonReply> => Promise.resolve(REFUSED);
  const routes = { prefix, photon: { search: none, reverse: none, ...photon } };
  const keyring = ringOf({ ok: true, caller: keyedCaller() });
  const { app } = stubServer({ photon: routes, gate: { meter, keyring } });
  t.after(() => app.close());
  const ask = (url: string, headers = {}) =>
    call(app, { url, headers: { ...headers, authorization: "Bearer vc_test" } });
  return { ask, usage };
}

test("a search is passed on as it was asked, and its features are sent", async (t) => {
  const seen: unknown[] = [];
  const { ask, usage } = open(t, "/photon", {
    search(request) {
      seen.push([...request.query], request.accepted_languages);
      return Promise.resolve(MATCHES);
    },
  });
  for (const path of ["/photon/api", "/photon/api/"]) {
    const reply = await ask(`${path}?q=a+b&layer=city&layer=street`, { "accept-language": "fr" });
    assert.equal(reply.statusCode, 200);
    assert.deepEqual(reply.json(), { type: "FeatureCollection", features: [] });
    assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
    assert.equal(reply.headers["cache-control"], "private, max-age=9");
    assert.match(String(reply.headers["vary"]), /Accept-Language/);
    assert.match(String(reply.headers["link"]), /rel="license"/);
  }
  const words = [
    ["q", "a b"],
    ["layer", "city"],
    ["layer", "street"],
  ];
  assert.deepEqual(seen, [words, "fr", words, "fr"]);
  await turn();
  const rows = await usage.listUsage({ month: "2026-11" });
  assert.deepEqual(
    rows.map(({ operation, units }) => [operation, units]),
    [["geocode", 2]],
  );
});

test("a reverse search is another question, and refusals have a message and no price", async (t) => {
  const { ask, usage } = open(t, "", { reverse: () => Promise.resolve(MATCHES) });
  assert.equal((await ask("/reverse?lat=1&lon=2")).statusCode, 200);
  const refused = await ask("/api");
  assert.equal(refused.statusCode, 400);
  assert.deepEqual(refused.json(), { message: "'q' is missing" });
  assert.equal(refused.headers["cache-control"], "no-store");
  await turn();
  const rows = await usage.listUsage({ month: "2026-11" });
  assert.deepEqual(
    rows.map(({ operation, units }) => [operation, units]),
    [["reverseGeocode", 1]],
  );
});

test("where it is switched off, its paths are unknown", async (t) => {
  const { app } = stubServer();
  t.after(() => app.close());
  assert.equal((await call(app, { url: "/photon/api?q=a" })).statusCode, 404);
});
