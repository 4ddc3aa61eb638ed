import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { NEARBY_EXAMPLE, SOURCES_EXAMPLE } from "#api/examples.ts";
import { listOperations } from "#api/operations.ts";
import { documentedStatuses } from "../support/documented.ts";
import type { Parameters as ParameterTable } from "#api/primitives.ts";
import { ErrorBody } from "#api/primitives.ts";
import { type Call, call } from "../support/call.ts";
import { NEARBY_PARAMETERS } from "#api/nearby.ts";
import { defaultsOf } from "#api/primitives.ts";
import { FREE, HOME, NOW_MS, okReply, stubServer, type StubOptions } from "../support/server.ts";
import { nearbyRequests, sourcesRequests } from "../support/requests.ts";
import { sized } from "../support/size.ts";

const ajv = addFormats.default(new Ajv2020({ strict: false }));
const isError = ajv.compile(ErrorBody);
const POINT = "/v1/nearby?lat=48.8566&lon=2.3522";

type Headers = Record<string, string>;

/** A store that has whatever dataset it is asked for. */
const ONE_DATASET: StubOptions["capabilities"] = {
  execute: () => Promise.resolve({ kind: "refused", code: "store_unavailable", message: "away" }),
  begin: () => Promise.resolve({ free: false, turn: null, end: () => undefined }),
  read: ({ id, version }) =>
    Promise.resolve({
      kind: "ok",
      bytes: Buffer.from(JSON.stringify(NEARBY_EXAMPLE)),
      row: { id, version, owner: "public", created_at_ms: NOW_MS, expires_at_ms: NOW_MS + 60_000 },
      is_short: false,
    }),
};

async function ask(url: string, options: Omit<Call, "url"> & { stub?: StubOptions } = {}) {
  const { stub, ...rest } = options;
  const server = stubServer(stub);
  const reply = await call(server.app, { url, ...rest });
  await new Promise((resolve) => setImmediate(resolve));
  return { ...server, reply, headers: reply.headers as Headers };
}

function assertError(reply: { payload: string; headers: object }, code: string): void {
  const body = JSON.parse(reply.payload) as { error: { code: string } };
  assert.ok(isError(body), reply.payload);
  assert.equal(body.error.code, code);
  const headers = reply.headers as Headers;
  assert.equal(headers["cache-control"], "no-store");
  assert.match(headers["content-type"] ?? "", /^application\/json/);
}

// Proves §4.1 health
test("health answers the contract's body", async () => {
  const { reply, headers } = await ask("/health");
  assert.equal(reply.statusCode, 200);
  const time = new Date(NOW_MS).toISOString();
  assert.deepEqual(reply.json(), { status: "ok", service: "vicinity", version: "1.1.0", time });
  assert.equal(headers["cache-control"], "no-store");
});

test("nearby passes on the decoded query and sends the body as it is", async () => {
  const { reply, headers, requested } = await ask(`${POINT}&limit=20&modes=car&debug=true`);
  assert.equal(reply.payload, '{"status":"empty"}');
  assert.equal(headers["content-type"], "application/json");
  assert.equal(headers["cache-control"], "public, max-age=12");
  assert.equal(headers["link"], '</v1/sources>; rel="license"');
  assert.equal(headers["vary"], "Accept-Encoding, Authorization");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.match(headers["access-control-expose-headers"] ?? "", /Retry-After/);
  assert.equal(headers["x-vicinity-mode"], undefined);
  assert.deepEqual(requested, [
    {
      question: {
        ...defaultsOf(NEARBY_PARAMETERS),
        lat: 48.8566,
        lon: 2.3522,
        radius: 400,
        modes: ["car"],
        include: ["stations", "vehicles"],
        limit: 20,
        offset: 0,
        format: "json",
        debug: true,
      },
      caller: { kind: "anonymous", plan: FREE, address: HOME },
      remaining_units: FREE.units,
      freshness_policy: null,
      deadline_ms: NOW_MS + 2000,
      now_ms: NOW_MS,
    },
  ]);
});

test("nearby may answer later, and may answer that it must not be cached", async () => {
  const nearby = async () => ({ ...okReply(), max_age_s: null });
  const { reply, headers } = await ask(POINT, { stub: { nearby } });
  assert.equal(reply.statusCode, 200);
  assert.equal(headers["cache-control"], "no-store");
});

test("the cache time is bounded to 30 s", async () => {
  const nearby = () => ({ ...okReply(), max_age_s: 3600.5 });
  const { headers } = await ask(POINT, { stub: { nearby } });
  assert.equal(headers["cache-control"], "public, max-age=30");
});

// Proves §4.9 geojson
test("geojson keeps its content type", async () => {
  const reply = okReply(undefined, "geojson");
  const { headers } = await ask(`${POINT}&format=geojson`, { stub: { nearby: () => reply } });
  assert.equal(headers["content-type"], "application/geo+json");
});

test("a refusal of the use case keeps its code and message", async () => {
  const message = "offset must be <= 1000 on the plan free";
  const nearby = () => ({ kind: "refused", code: "plan_not_allowed", message }) as const;
  const { reply } = await ask(POINT, { stub: { nearby } });
  assert.equal(reply.statusCode, 403);
  assertError(reply, "plan_not_allowed");
  assert.equal((reply.json() as { error: { message: string } }).error.message, message);
});

for (const [how, nearby] of [
  [
    "throws",
    () => {
      throw new Error("secret detail");
    },
  ],
  ["rejects", () => Promise.reject(new Error("secret detail"))],
] as const) {
  test(`a use case that ${how} is a 500 that reveals nothing, logged at error`, async () => {
    const { reply, lines, metrics } = await ask(POINT, { stub: { nearby } });
    assert.equal(reply.statusCode, 500);
    assertError(reply, "internal");
    assert.doesNotMatch(reply.payload, /secret|stack|at /);
    assert.deepEqual(
      lines.map(({ level, route, st, error }) => ({ level, route, st, error })),
      [{ level: 50, route: "/v1/nearby", st: 500, error: "internal" }],
    );
    assert.equal(metrics.inflight.count, 0);
  });
}

test("sources lists all, or those of a circle", async () => {
  const circles: unknown[] = [];
  const sources = (circle?: unknown) => {
    circles.push(circle);
    return SOURCES_EXAMPLE.sources;
  };
  const { reply, headers } = await ask("/v1/sources", { stub: { sources } });
  assert.deepEqual(reply.json(), SOURCES_EXAMPLE);
  assert.equal(headers["cache-control"], "public, max-age=5");
  await ask("/v1/sources?lat=1&lng=2&radius=1e9", { stub: { sources } });
  await ask("/v1/sources?radius=5", { stub: { sources } });
  assert.deepEqual(circles, [undefined, { lat: 1, lon: 2, radius: 20_037_508 }, undefined]);
});

test("every response states the sandbox mode", async () => {
  for (const url of ["/health", "/v1/nearby", POINT, "/nowhere", "/openapi.json"]) {
    const { headers } = await ask(url, { stub: { mode: "sandbox" } });
    assert.equal(headers["x-vicinity-mode"], "sandbox", url);
  }
});

/** The required parameters, with the values of the description. */
function toExampleUrl({ path, parameters }: { path: string; parameters: ParameterTable }): string {
  const needed = Object.entries(parameters).filter(([, one]) => one.required && one.in !== "path");
  const query = new URLSearchParams(needed.map(([name, { example }]) => [name, example]));
  return `${toExamplePath(path, parameters)}?${query.toString()}`;
}

function toExamplePath(path: string, parameters: ParameterTable): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name]!.example);
}

const allowOf = (method: string): string =>
  method === "GET" ? "GET, HEAD, OPTIONS" : `${method}, OPTIONS`;

test("HEAD answers as GET does, without a body", async () => {
  const readable = listOperations().filter(({ method }) => method === "GET");
  assert.ok(readable.length > 10);
  for (const operation of readable) {
    // A stub has no maps provider: geocoding is 503 there; it has stored one dataset, and
    // publishes no changelog: 404. Two legacy routes require a key: 401.
    const url = toExampleUrl(operation);
    const stub = { capabilities: ONE_DATASET };
    const get = await ask(url, { stub });
    const head = await ask(url, { stub, method: "HEAD" });
    assert.equal(head.reply.statusCode, get.reply.statusCode);
    assert.ok([200, 401, 404, 503].includes(head.reply.statusCode), url);
    assert.equal(head.reply.payload, "");
    assert.equal(head.headers["content-length"], get.headers["content-length"], url);
    assert.equal(head.headers["content-type"], get.headers["content-type"]);
  }
});

test("an escaped path is the same path, whatever the method", async () => {
  const { app } = stubServer();
  assert.equal((await call(app, { url: "/%68ealth" })).statusCode, 200);
  const reply = await call(app, { method: "POST", url: "/%68ealth" });
  assert.equal(reply.statusCode, 405);
  assert.equal(reply.headers["allow"], "GET, HEAD, OPTIONS");
});

test("every other method on every known path is 405 with Allow", async () => {
  const { app } = stubServer();
  const methods = METHODS.filter(
    (method) => !["GET", "HEAD", "OPTIONS", "CONNECT"].includes(method),
  );
  assert.ok(methods.length > 25);
  for (const operation of listOperations()) {
    const path = toExamplePath(operation.path, operation.parameters);
    const own = operation.method === "GET" ? ["GET", "HEAD"] : [operation.method];
    for (const method of [...methods, "GET", "HEAD"].filter((each) => !own.includes(each))) {
      const payload =
        method === "POST" ? { payload: "<x/>", headers: { "content-type": "text/xml" } } : {};
      const reply = await call(app, { method, url: `${path}?a=b`, ...payload });
      assert.equal(reply.statusCode, 405, `${method} ${path}`);
      assert.equal(reply.headers["allow"], allowOf(operation.method));
      if (method === "HEAD") continue;
      assertError(reply, "method_not_allowed");
    }
  }
});

test("preflight answers 204 with what may be sent", async () => {
  for (const { path, parameters, method } of listOperations()) {
    const { reply, headers } = await ask(toExamplePath(path, parameters), { method: "OPTIONS" });
    assert.equal(reply.statusCode, 204);
    assert.equal(reply.payload, "");
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.equal(headers["access-control-allow-methods"], allowOf(method));
    assert.match(headers["access-control-allow-headers"] ?? "", /Authorization.*traceparent/);
    assert.equal(headers["access-control-max-age"], "7200");
    assert.equal(headers["access-control-allow-credentials"], undefined);
  }
});

// Proves §7 body
test("unknown paths are 404, unusable ones 400, too long ones 414", async () => {
  for (const url of ["/", "/v1", "/v1/nearby/", "/V1/nearby", "/admin", "/metrics", "/livez"]) {
    const { reply } = await ask(url);
    assert.equal(reply.statusCode, 404, url);
    assertError(reply, "not_found");
  }
  const bad = await ask("/%ff");
  assert.equal(bad.reply.statusCode, 400);
  assertError(bad.reply, "invalid_request");
  for (const url of [`${POINT}&x=${"a".repeat(9000)}`, `/${"a".repeat(9000)}`]) {
    const long = await ask(url);
    assert.equal(long.reply.statusCode, 414);
    assertError(long.reply, "uri_too_long");
  }
});

const KEY = `svc_live_${"a".repeat(49)}`;
const CREDENTIALS: [name: string, url: string, headers: Headers, status: number, code: string][] = [
  ["a bearer key", POINT, { authorization: `Bearer ${KEY}` }, 401, "invalid_api_key"],
  ["an empty header", POINT, { authorization: "" }, 401, "invalid_api_key"],
  ["another scheme", POINT, { authorization: "Basic YTpi" }, 401, "invalid_api_key"],
  ["bearer without a key", POINT, { authorization: "Bearer" }, 401, "invalid_api_key"],
  ["a token", `${POINT}&token=${KEY}`, {}, 401, "invalid_api_key"],
  ["an empty token", `${POINT}&token=`, {}, 401, "invalid_api_key"],
  ["a bare token", `${POINT}&token`, {}, 401, "invalid_api_key"],
  ["a broken token", `${POINT}&token=%zz`, {}, 401, "invalid_api_key"],
  ["an escaped name", `${POINT}&t%6fken=x`, {}, 401, "invalid_api_key"],
  ["two tokens", `${POINT}&token=a&token=a`, {}, 400, "invalid_request"],
  [
    "both alike",
    `${POINT}&token=${KEY}`,
    { authorization: `bearer ${KEY}` },
    401,
    "invalid_api_key",
  ],
  [
    "both, different",
    `${POINT}&token=a`,
    { authorization: "Bearer b" },
    400,
    "conflicting_credentials",
  ],
  ["a key before bad parameters", "/v1/nearby?token=a", {}, 401, "invalid_api_key"],
  ["a key for sources", "/v1/sources?token=a", {}, 401, "invalid_api_key"],
];

for (const [name, url, headers, status, code] of CREDENTIALS) {
  // Proves §5 bearer; §5 token deprecated; §7 body
  test(`credentials: ${name} is ${status} ${code}`, async () => {
    const { reply, headers: sent, requested, lines } = await ask(url, { headers });
    assert.equal(reply.statusCode, status);
    assertError(reply, code);
    const challenge = 'Bearer realm="api", error="invalid_token"';
    assert.equal(sent["www-authenticate"], status === 401 ? challenge : undefined);
    const withToken = /token|t%6fken/.test(url);
    assert.equal(sent["deprecation"], withToken ? "@1767225600" : undefined);
    assert.equal(/rel="deprecation"/.test(sent["link"] ?? ""), withToken);
    assert.equal(requested.length, 0);
    assert.doesNotMatch(JSON.stringify([lines, reply.payload]), new RegExp(KEY));
  });
}

// Proves §5 no authentication
test("health and the description do not look at credentials", async () => {
  for (const url of ["/health?token=", "/openapi.json?token=a&token=b"]) {
    const { reply } = await ask(url, { headers: { authorization: "Basic x" } });
    assert.equal(reply.statusCode, 200);
  }
});

test("x-request-id: the caller's, else the trace id, else ours", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const parent = `00-${trace}-00f067aa0ba902b7-01`;
  const cases: [Headers, RegExp][] = [
    [{ "x-request-id": "a.B-9_z" }, /^a\.B-9_z$/],
    [{ "x-request-id": "a".repeat(65), traceparent: parent }, new RegExp(`^${trace}$`)],
    [{ "x-request-id": "a b" }, /^[\w-]{6}-\w+$/],
    [{ traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` }, /^[\w-]{6}-\w+$/],
    [{ traceparent: `ff-${trace}-00f067aa0ba902b7-01` }, /^[\w-]{6}-\w+$/],
    [{ traceparent: `00-${trace}-00f067aa0ba902b7-01-more` }, /^[\w-]{6}-\w+$/],
    [{ traceparent: `01-${trace}-00f067aa0ba902b7-01-more` }, new RegExp(`^${trace}$`)],
    [{}, /^[\w-]{6}-\w+$/],
  ];
  for (const url of [POINT, "/v1/nearby", "/health", "/nowhere"]) {
    for (const [headers, expected] of cases) {
      const { headers: sent, lines } = await ask(url, { headers });
      assert.match(sent["x-request-id"] ?? "", expected);
      const { id, ref = id } = lines[0] as { id: string; ref?: string };
      assert.equal(ref, sent["x-request-id"]);
      // The log says of each request what no other has, and so does the answer.
      assert.match(id, /^[\w-]{6}-\w+$/);
      const own = ref === id ? undefined : id;
      assert.equal(sent["x-vicinity-request-id"], own);
    }
  }
});

test("one log line a request, with no query, credential or coordinate", async () => {
  const { app, lines } = stubServer();
  const headers = { authorization: "Bearer canary-header" };
  await call(app, { method: "GET", url: `${POINT}&x=canary-query` });
  await call(app, { method: "GET", url: `${POINT}&token=canary-token` });
  await call(app, { method: "GET", url: POINT, headers });
  await call(app, { method: "POST", url: "/v1/nearby?canary=1", payload: "canary-body" });
  await call(app, { method: "GET", url: "/canary-path" });
  const seen = lines.map(({ route, st }) => `${String(route)} ${String(st)}`);
  assert.deepEqual(seen, [
    ...["/v1/nearby 200", "/v1/nearby 401", "/v1/nearby 401", "/v1/nearby 405", "unmatched 404"],
  ]);
  assert.doesNotMatch(JSON.stringify(lines), /canary|48\.8|2\.35/);
  for (const line of lines) assert.equal(typeof line["ms"], "number");
});

const LONG = JSON.stringify({ ...NEARBY_EXAMPLE, padding: "é".repeat(2000) });

const OPENERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  identity: (bytes) => bytes,
};

test("data are compressed only when asked for and above 1 KiB", async () => {
  const nearby = () => okReply(Buffer.from(LONG));
  const cases: [string | undefined, string | undefined][] = [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.9", "gzip"],
    ["*", "br"],
    ["br;q=0, *;q=0.1", "gzip"],
    ["identity", undefined],
    ["deflate", undefined],
    ["gzip;q=0", undefined],
    ["", undefined],
    [undefined, undefined],
  ];
  for (const [accepted, coding] of cases) {
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    const { reply, headers: sent } = await ask(POINT, { headers, stub: { nearby } });
    assert.equal(sent["content-encoding"], coding, String(accepted));
    assert.equal(sent["vary"], "Accept-Encoding, Authorization");
    const open = OPENERS[coding ?? "identity"];
    assert.equal(open?.(reply.rawPayload).toString(), LONG);
  }
  const small = await ask(POINT, { headers: { "accept-encoding": "br" } });
  assert.equal(small.headers["content-encoding"], undefined);
  const head = await ask(POINT, {
    method: "HEAD",
    headers: { "accept-encoding": "br" },
    stub: { nearby },
  });
  assert.equal(head.headers["content-encoding"], "br");
  assert.equal(head.reply.payload, "");
});

test("after the drain delay nearby refuses with 429, sources with 503", async () => {
  const draining = await ask(POINT, { stub: { drain: { phase: "draining" } } });
  assert.equal(draining.reply.statusCode, 200);
  assert.equal(draining.headers["connection"], "close");
  const stub: StubOptions = { drain: { phase: "closed" } };
  const nearby = await ask(POINT, { stub });
  assert.equal(nearby.reply.statusCode, 429);
  assertError(nearby.reply, "overloaded");
  assert.equal(nearby.headers["retry-after"], "1");
  const sources = await ask("/v1/sources", { stub });
  assert.equal(sources.reply.statusCode, 503);
  assertError(sources.reply, "shutting_down");
  assert.equal((await ask("/health", { stub })).reply.statusCode, 200);
});

for (const [path, arbitrary] of [
  ["/v1/nearby", nearbyRequests()],
  ["/v1/sources", sourcesRequests()],
] as const) {
  // Proves §7 statuses; §7 rule 1
  test(`${path}: generated requests get the documented statuses and the right verdict`, async () => {
    // A bound of the plan is no verdict on the question.
    const plan = { ...FREE, nearby_offset_max: null };
    const { app } = stubServer({ gate: { plan: () => plan } });
    const operation = listOperations().find((one) => one.path === path);
    assert.ok(operation);
    const documented = documentedStatuses(operation);
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ url, valid, why }) => {
        const reply = await call(app, { method: "GET", url });
        assert.equal(reply.statusCode, valid ? 200 : 400, `${url} (${why})`);
        assert.ok(documented.includes(reply.statusCode));
        if (!valid) assertError(reply, "invalid_request");
      }),
      { numRuns: sized(400, 2_000) },
    );
  });
}
