/** /mcp passes the gate of every other route: credentials, rates, scopes, standing, quotas, units. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ringOf } from "../support/gate.ts";
import { createStubTools } from "../support/mcp-stub.ts";
import { call } from "../support/call.ts";
import { MCP_CALLER as CALLER, openMcpServer as open } from "../support/mcp-server.ts";
import { RPC_HEADERS, toRpc } from "../support/mcp.ts";
import { stubServer } from "../support/server.ts";
import type { KeyedCaller } from "#app/access/request-caller.ts";
import { createDrainState } from "#http/drain.ts";
import { sized } from "../support/size.ts";

const SEARCH = { name: "search_mobility_nearby", arguments: { lat: 1, lon: 2 } };
const GEOCODE = { name: "geocode", arguments: { q: "Paris" } };
const ENDLESS = { units: null, period: null, rate_per_s: null, burst: null };

type Result = { result?: { isError?: boolean; content: { text: string }[] }; error?: object };

function codeOf(reply: { json(): unknown }): string | undefined {
  const { result } = reply.json() as Result;
  if (!result?.isError) return undefined;
  return (JSON.parse(result.content[0]!.text) as { error: { code: string } }).error.code;
}

test("an invalid credential is 401 with a challenge, whatever the message", async () => {
  const refused = { ok: false as const, code: "invalid_api_key" as const };
  const { ask, ran } = open(
    {},
    {
      keyring: ringOf(refused),
    },
  );
  for (const [method, params] of [
    ["ping", undefined],
    ["tools/call", SEARCH],
  ] as const) {
    const reply = await ask(method, params);
    assert.equal(reply.statusCode, 401);
    const challenge = String(reply.headers["www-authenticate"]);
    const where = "/.well-known/oauth-protected-resource/mcp";
    assert.match(challenge, /^Bearer realm="api", error="invalid_token", resource_metadata="http:/);
    assert.ok(challenge.endsWith(`${where}"`), challenge);
    assert.match(reply.payload, /"code":"invalid_api_key"/);
  }
  assert.deepEqual(ran, []);
});

test("only POST is answered, and other methods are 405", async () => {
  const { app } = open();
  for (const method of ["GET", "DELETE", "PUT", "HEAD"]) {
    const reply = await call(app, { url: "/mcp", method });
    assert.equal(reply.statusCode, 405, method);
    assert.equal(reply.headers["allow"], "POST, OPTIONS", method);
  }
  const preflight = await call(app, { url: "/mcp", method: "OPTIONS" });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers["access-control-allow-methods"], "POST, OPTIONS");
  assert.match(String(preflight.headers["access-control-allow-headers"]), /Mcp-Protocol-Version/);
});

test("a foreign Host and a foreign Origin are 403", async () => {
  const { ask, ran } = open();
  for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
    const reply = await ask("tools/call", SEARCH, { headers });
    assert.equal(reply.statusCode, 403);
    assert.match(reply.payload, /"code":"forbidden_origin"/);
  }
  assert.deepEqual(ran, []);
});

test("a body that is not a single message of at most 64 KiB is 400", async () => {
  const { ask } = open();
  const message = JSON.parse(toRpc("ping")) as object;
  const cases: [string, Record<string, string>, RegExp][] = [
    [JSON.stringify([message, message]), {}, /"code":"invalid_request"/],
    ["x".repeat(65_537), {}, /"code":"body_too_large"/],
    [toRpc("ping"), { "content-type": "text/plain" }, /"code":"unsupported_media_type"/],
    ["{", {}, /"code":-32700/],
    ['{"hello":1}', {}, /"code":-32[67]00/],
  ];
  for (const [payload, headers, code] of cases) {
    const reply = await ask("", undefined, { payload, headers });
    assert.equal(reply.statusCode, 400, payload.slice(0, 40));
    assert.match(reply.payload, code);
  }
});

test("a notification is 202, and a message of an unsupported revision 400", async () => {
  const { ask } = open();
  const payload = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  const taken = await ask("", undefined, { payload });
  assert.deepEqual([taken.statusCode, taken.payload], [202, ""]);
  const old = await ask("tools/list", {}, { headers: { "mcp-protocol-version": "2024-11-05" } });
  assert.equal(old.statusCode, 400);
});

test("beyond the rate a tool call is refused in its result, and other messages with 429", async () => {
  const plan = { ...CALLER.plan, units: null, period: null, rate_per_s: 0.1, burst: 1 };
  const { ask } = open({ plan });
  assert.equal(codeOf(await ask("tools/call", GEOCODE)), undefined);
  const refused = await ask("tools/call", GEOCODE);
  assert.equal(refused.statusCode, 200);
  assert.equal(codeOf(refused), "rate_limited");
  assert.match(refused.payload, /retry_after_s/);
  assert.match(String(refused.headers["ratelimit"]), /"burst";r=0/);
  const listed = await ask("tools/list");
  assert.equal(listed.statusCode, 429);
  assert.ok(Number(listed.headers["retry-after"]) > 0);
});

test("a missing scope, a lapsed plan and a suspended account are reported to the model", async () => {
  const cases: [Partial<KeyedCaller>, object, string | undefined][] = [
    [{ scopes: ["geography:read"] }, SEARCH, "insufficient_scope"],
    [{ scopes: ["geography:read"] }, GEOCODE, undefined],
    [{ scopes: [] }, GEOCODE, "insufficient_scope"],
    [{ standing: "suspended" }, GEOCODE, "account_suspended"],
    [{ standing: "past_due" }, GEOCODE, "plan_not_allowed"],
  ];
  for (const [caller, request, code] of cases) {
    const { ask, ran } = open(caller);
    const reply = await ask("tools/call", request);
    assert.equal(reply.statusCode, 200);
    assert.equal(codeOf(reply), code, JSON.stringify(caller));
    assert.equal(ran.length, code === undefined ? 1 : 0, JSON.stringify(caller));
    // A caller that may read nothing may still list the tools.
    assert.equal((await ask("tools/list")).statusCode, 200);
  }
});

test("units are those of the operation, are reported, and run out", async () => {
  const { ask, ran } = open();
  const first = await ask("tools/call", GEOCODE);
  assert.equal(codeOf(first), undefined, first.payload);
  assert.match(String(first.headers["ratelimit"]), /"month";r=1/);
  assert.equal(codeOf(await ask("tools/call", GEOCODE)), undefined);
  const third = await ask("tools/call", GEOCODE);
  assert.equal(codeOf(third), "quota_exhausted");
  assert.match(third.payload, /retry_after_s/);
  assert.equal(ran.length, 2);
});

test("a reply whose units cannot be recorded is not sent", async () => {
  const meter = { record: () => Promise.resolve(false), flush: () => {} };
  const { ask } = open({}, { meter });
  const reply = await ask("tools/call", GEOCODE);
  assert.equal(codeOf(reply), "store_unavailable");
  assert.ok(!reply.payload.includes("structuredContent"));
});

test("a defect is reported as an internal error without its message", async () => {
  const { ask, faults } = open();
  const request = { name: "find_urban_services", arguments: { lat: 1, lon: 2, types: ["aed"] } };
  const reply = await ask("tools/call", request);
  assert.match(reply.payload, /"code":-32603,"message":"internal error"/);
  assert.doesNotMatch(reply.payload, /secret/);
  assert.equal(faults.length, 1);
});

test("no message causes a defect", async () => {
  const { ask, faults } = open({ plan: { ...CALLER.plan, ...ENDLESS } });
  const method = fc.constantFrom(
    ...["tools/call", "tools/list", "resources/read", "resources/list", "initialize", "ping"],
    ...[
      "server/discover",
      "subscriptions/listen",
      "completion/complete",
      "notifications/cancelled",
    ],
  );
  const tool = fc.constantFrom("geocode", "reverse_geocode", "read_dataset", "no_such_tool");
  const members = fc.record({ name: tool, arguments: fc.jsonValue() }, { requiredKeys: [] });
  const params = fc.oneof(members, fc.record({ uri: fc.string() }), fc.jsonValue());
  const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null));
  const message = fc.record(
    { jsonrpc: fc.constant("2.0"), id, method, params },
    { requiredKeys: ["jsonrpc", "method"] },
  );
  const version = fc.constantFrom("", "2025-11-25", "2026-07-28", "1999-01-01");
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, fc.jsonValue()), version, async (body, input) => {
      const headers: Record<string, string> = input === "" ? {} : { "mcp-protocol-version": input };
      const reply = await ask("", undefined, { payload: JSON.stringify(body), headers });
      statuses.add(reply.statusCode);
      assert.ok([200, 202, 400, 404].includes(reply.statusCode), reply.payload);
      // The library itself reports malformed parameters of its own methods as -32603.
      assert.doesNotMatch(reply.payload, /internal error|node_modules/i);
    }),
    { numRuns: sized(100, 300) },
  );
  assert.deepEqual(faults, []);
  assert.ok(statuses.has(200) && statuses.has(400));
});

test("shedding and draining refuse as everywhere", async () => {
  const shedding = open({}, { shedder: { admits: () => false, hold: () => null } });
  const shed = await shedding.ask("tools/call", GEOCODE);
  assert.equal(shed.statusCode, 503);
  assert.equal(shed.headers["retry-after"], "1");
  const drain = createDrainState();
  const tools = createStubTools();
  const { app } = stubServer({ mcp: tools.answer, drain });
  drain.phase = "closed";
  const late = await call(app, {
    url: "/mcp",
    method: "POST",
    headers: RPC_HEADERS,
    payload: toRpc("tools/call", GEOCODE),
  });
  assert.equal(late.statusCode, 503);
  assert.match(late.payload, /shutting_down/);
});

test("one log line per request, without the query", async () => {
  const { ask, lines } = open();
  await ask("tools/call", GEOCODE);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    lines.map(({ route, st }) => ({ route, st })),
    [{ route: "/mcp", st: 200 }],
  );
  assert.ok(!JSON.stringify(lines).includes("Paris"));
});
