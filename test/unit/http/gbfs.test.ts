/** Files of published GBFS over a socket: validators, codings, prices, and who is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import type { NoFile, OutRequest, PublishedFile } from "#app/gbfs/out-types.ts";
import { call, type Called } from "../../support/call.ts";
import { stubServer } from "../../support/server.ts";

const TEXT = JSON.stringify({ data: "x".repeat(3_000) });
const FILE: PublishedFile = {
  kind: "file",
  version: "v1",
  bytes: Buffer.from(TEXT),
  max_age_s: 12,
};
const PATH = "/gbfs/v3/paris%20velo/station_status.json";

/** Calls a server that publishes this; `units`: what was recorded, call by call. */
function open(answer: () => PublishedFile | NoFile = () => FILE) {
  const requested: OutRequest[] = [];
  const units: number[] = [];
  const gbfs = {
    read: (request: OutRequest) => {
      requested.push(request);
      return Promise.try(answer);
    },
  };
  const meter = {
    record: (_caller: unknown, _operation: unknown, count: number) => {
      units.push(count);
      return Promise.resolve(true);
    },
  };
  const { app } = stubServer({ gbfs, gate: { meter } });
  const ask = (url = PATH, headers: Record<string, string> = {}, method = "GET"): Promise<Called> =>
    call(app, { url, headers: { host: "vicinity.example", ...headers }, method });
  return { ask, requested, units };
}

test("a file leaves with a strong tag and the life of what is in it, and costs a unit", async () => {
  const { ask, requested, units } = open();
  const { statusCode, headers, rawPayload } = await ask();
  assert.deepEqual([statusCode, rawPayload.toString()], [200, TEXT]);
  assert.deepEqual([headers["etag"], headers["cache-control"]], ['"v1"', "public, max-age=12"]);
  assert.match(headers["content-type"]!, /^application\/json/);
  assert.deepEqual(units, [1]);
  const { deadline_ms: _, ...request } = requested[0]!;
  assert.deepEqual(request, {
    ...{ version: "3.0", system_id: "paris velo", file: "station_status" },
    ...{ origin: "https://vicinity.example", block: "127.0.0.0/24" },
  });
});

test("the manifest and 2.3 have paths of their own", async () => {
  const { ask, requested } = open();
  await ask("/gbfs/v3/manifest.json");
  await ask("/gbfs/v2/x/free_bike_status.json");
  assert.deepEqual(
    requested.map(({ version, system_id, file }) => [version, system_id, file]),
    [
      ["3.0", null, "manifest"],
      ["2.3", "x", "free_bike_status"],
    ],
  );
});

test("who has the file already gets 304, which costs nothing", async () => {
  const { ask, units } = open();
  const { statusCode, rawPayload } = await ask(PATH, { "if-none-match": '"v1"' });
  assert.deepEqual([statusCode, rawPayload.length, units], [304, 0, []]);
  assert.equal((await ask(PATH, { "if-none-match": "*" })).statusCode, 200);
});

test("a file is compressed as requested, and HEAD has no bytes", async () => {
  const { ask } = open();
  const gzip = await ask(PATH, { "accept-encoding": "gzip" });
  assert.deepEqual(
    [gunzipSync(gzip.rawPayload).toString(), gzip.headers["etag"]],
    [TEXT, '"v1-gzip"'],
  );
  const head = await ask(PATH, {}, "HEAD");
  assert.deepEqual([head.statusCode, head.rawPayload.length], [200, 0]);
  assert.equal(head.headers["content-length"], String(TEXT.length));
});

for (const [kind, status, code] of [
  ["unknown_system", 404, "unknown_system"],
  ["unknown_file", 404, "unknown_system"],
  ["closed", 404, "unknown_system"],
  ["full", 503, "overloaded"],
  ["unread", 503, "provider_unavailable"],
] as const)
  test(`${kind} is ${status} with a problem, and costs nothing`, async () => {
    const { ask, units } = open(() => ({ kind }));
    const { statusCode, rawPayload } = await ask();
    const { error } = JSON.parse(rawPayload.toString()) as { error: { code: string } };
    assert.deepEqual([statusCode, error.code, units], [status, code, []]);
  });

test("a host that is no address is refused, since the files would lead there", async () => {
  const { ask, requested } = open();
  const { statusCode } = await ask(PATH, { host: 'x"y/evil' });
  assert.deepEqual([statusCode, requested], [400, []]);
});
