/** /mcp by the letter of each revision: what callers may accept, codes of errors, subscriptions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "../support/call.ts";
import { openMcpServer as open, toStateless } from "../support/mcp-server.ts";
import { RPC_HEADERS, toRpc } from "../support/mcp.ts";
import { ringOf } from "../support/gate.ts";

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
};

/** The messages of an event stream. */
function readEvents(payload: string): Message[] {
  const events = payload.split("\n\n").filter((each) => each !== "");
  return events.map((each) => {
    const data = each.split("\n").filter((line) => line.startsWith("data: "));
    assert.equal(data.length, 1, each);
    return JSON.parse(data[0]!.slice("data: ".length)) as Message;
  });
}

const METHODS = [
  ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"],
] as const;

test("JSON is answered to a caller that takes JSON, in every revision", async () => {
  const { app } = open();
  const stateless = toStateless("tools/list");
  const base = { "content-type": "application/json" };
  const eras = [
    { headers: base, payload: toRpc("tools/list") },
    { headers: { ...base, ...stateless.headers }, payload: toRpc("tools/list", stateless.params) },
  ];
  const accepts = [
    ...[undefined, "*/*", "application/*", "application/json", "text/html, */*;q=0.1"],
    "application/json, text/event-stream",
  ];
  for (const { headers, payload } of eras) {
    for (const accept of accepts) {
      const input = accept === undefined ? {} : { accept };
      const request = { url: "/mcp", method: "POST", headers: { ...headers, ...input }, payload };
      const reply = await call(app, request);
      assert.equal(reply.statusCode, 200, String(accept));
      assert.match(String(reply.headers["content-type"]), /^application\/json/);
      assert.ok((reply.json() as Message).result);
    }
  }
  for (const accept of ["text/html", "application/json;q=0", "text/event-stream"]) {
    const request = { url: "/mcp", method: "POST", headers: { ...base, accept } };
    assert.equal((await call(app, { ...request, payload: toRpc("tools/list") })).statusCode, 406);
  }
});

test("/mcp/ is /mcp", async () => {
  const { ask, app } = open();
  assert.equal((await ask("tools/list", undefined, { url: "/mcp/" })).statusCode, 200);
  const read = await call(app, { url: "/mcp/" });
  assert.deepEqual([read.statusCode, read.headers["allow"]], [405, "POST, OPTIONS"]);
});

test("a credential in the query is refused with the header that would be read", async () => {
  const { app, ran } = open();
  const request = { method: "POST", headers: RPC_HEADERS, payload: toRpc("tools/list") };
  const queries = ["token=any", "api_key=any", "apikey=a", "access_token=a", "api%5Fkey=a"];
  for (const query of [...queries, "api-key=a&api_key=b", "token="]) {
    const reply = await call(app, { ...request, url: `/mcp?${query}` });
    assert.equal(reply.statusCode, 401, query);
    assert.match(reply.payload, /Authorization: Bearer/);
    assert.match(String(reply.headers["www-authenticate"]), /^Bearer .*invalid_token/);
  }
  // Elsewhere `token` is read, and what is not is refused as well.
  const point = "/v1/nearby?lat=1&lon=2";
  assert.equal((await call(app, { url: `${point}&api_key=any` })).statusCode, 401);
  assert.equal((await call(app, { url: `${point}&apikeys=any&order=x` })).statusCode, 200);
  assert.equal((await call(app, { url: `${point}&token=any` })).statusCode, 200);
  // A caller with the header is not anonymous.
  const headers = { ...RPC_HEADERS, authorization: "Bearer any" };
  assert.equal((await call(app, { ...request, headers, url: "/mcp?token=any" })).statusCode, 200);
  assert.deepEqual(ran, []);
});

test("the map is stated, listed, linked from its tool and read, in every revision", async () => {
  const { ask } = open();
  const uri = "ui://vicinity/map";
  const mimeType = "text/html;profile=mcp-app";
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
  const about = { ui: { csp, prefersBorder: false } };
  for (const version of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
    const get = async (method: string, params: Readonly<Record<string, unknown>> = {}) => {
      const stateless = toStateless(method, params);
      const reply =
        version === "2026-07-28"
          ? await ask(method, stateless.params, { headers: stateless.headers })
          : await ask(method, params, { headers: { "mcp-protocol-version": version } });
      return (reply.json() as Message).result!;
    };
    const { tools } = (await get("tools/list")) as { tools: Record<string, unknown>[] };
    const drawn = tools.filter((each) => each["_meta"] !== undefined);
    assert.deepEqual(
      drawn.map((each) => [each["name"], each["_meta"]]),
      [["show_map", { ui: { resourceUri: uri } }]],
    );
    const { resources } = (await get("resources/list")) as { resources: Record<string, unknown>[] };
    assert.deepEqual(
      resources.map((each) => [each["uri"], each["mimeType"], each["_meta"]]),
      [[uri, mimeType, about]],
    );
    const { contents } = await get("resources/read", { uri });
    assert.deepEqual(contents, [{ uri, mimeType, text: "<!doctype html>", _meta: about }]);
    const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: [mimeType] } };
    const clientInfo = { name: "tests", version: "1" };
    const { capabilities } =
      version === "2026-07-28"
        ? await get("server/discover")
        : await get("initialize", { protocolVersion: version, capabilities: {}, clientInfo });
    assert.deepEqual((capabilities as { extensions: object }).extensions, extensions);
  }
});

test("a cursor that no list gave is refused", async () => {
  const { ask } = open();
  for (const method of METHODS) {
    const reply = await ask(method, { cursor: "2" });
    assert.equal((reply.json() as Message).error?.code, -32_602, method);
    const stateless = toStateless(method, { cursor: "2" });
    const same = await ask(method, stateless.params, { headers: stateless.headers });
    assert.equal((same.json() as Message).error?.code, -32_602, method);
    assert.ok(((await ask(method)).json() as Message).result, method);
  }
});

test("a resource that is not there has the code of its revision", async () => {
  const { ask } = open();
  const method = "resources/read";
  const uri = "vicinity:///v1/nothing";
  for (const version of ["2025-06-18", "2025-11-25"]) {
    const reply = await ask(method, { uri }, { headers: { "mcp-protocol-version": version } });
    const { error } = reply.json() as Message;
    assert.deepEqual([error?.code, error?.data], [-32_002, { uri }]);
  }
  const { params, headers } = toStateless(method, { uri });
  const { error } = (await ask(method, params, { headers })).json() as Message;
  assert.deepEqual([error?.code, error?.data], [-32_602, { uri }]);
});

test("a revision that is not served is refused with all that are", async () => {
  const { ask } = open();
  const { params, headers } = toStateless("tools/list", {}, "2099-01-01");
  const reply = await ask("tools/list", params, { headers });
  assert.equal(reply.statusCode, 400);
  const { error } = reply.json() as Message;
  assert.equal(error?.code, -32_022);
  const supported = ["2026-07-28", "2025-11-25", "2025-06-18"];
  assert.deepEqual(error.data, { supported, requested: "2099-01-01" });
  const stateless = toStateless("server/discover");
  const match = await ask("server/discover", stateless.params, { headers: stateless.headers });
  assert.deepEqual((match.json() as Message).result!["supportedVersions"], supported);
  const old = await ask("tools/list", {}, { headers: { "mcp-protocol-version": "2025-03-26" } });
  for (const version of supported) assert.ok(old.payload.includes(version), old.payload);
});

test("tools are read only in every hint that hosts look at", async () => {
  const { ask } = open();
  const { result } = (await ask("tools/list")).json() as Message;
  const tools = result!["tools"] as { annotations: Record<string, boolean> }[];
  assert.ok(tools.length > 0);
  for (const { annotations } of tools) {
    assert.equal(annotations["readOnlyHint"], true);
    assert.equal(annotations["destructiveHint"], false);
  }
});

test("a subscription is acknowledged with what is offered, which is nothing, and ends", async () => {
  const { ask } = open();
  const method = "subscriptions/listen";
  const tag = "io.modelcontextprotocol/subscriptionId";
  const filters = [
    {},
    { toolsListChanged: true, resourceSubscriptions: ["vicinity:///v1/stations/a"] },
  ];
  for (const notifications of filters) {
    const { params, headers } = toStateless(method, { notifications });
    const reply = await ask(method, params, { headers });
    assert.equal(reply.statusCode, 200);
    assert.equal(reply.headers["content-type"], "text/event-stream");
    assert.equal(reply.headers["cache-control"], "no-store");
    const [acknowledged, ended, ...more] = readEvents(reply.payload);
    assert.equal(more.length, 0);
    assert.equal(acknowledged?.method, "notifications/subscriptions/acknowledged");
    assert.deepEqual(acknowledged.params, { notifications: {}, _meta: { [tag]: 1 } });
    assert.equal(ended?.id, 1);
    assert.equal((ended.result!["_meta"] as Record<string, unknown>)[tag], 1);
  }
  const { params, headers } = toStateless(method);
  const unfiltered = (await ask(method, params, { headers })).json() as Message;
  assert.equal(unfiltered.error?.code, -32_602);
  // It was never a method of the earlier revisions.
  const early = (await ask(method, { notifications: {} })).json() as Message;
  assert.equal(early.error?.code, -32_601);
});

test("an unknown key is 401 in every revision", async () => {
  const refused = { ok: false as const, code: "invalid_api_key" as const };
  const { ask } = open({}, { keyring: ringOf(refused) });
  const { params, headers } = toStateless("tools/list");
  assert.equal((await ask("tools/list", params, { headers })).statusCode, 401);
});

test("prompts are listed and filled in, and what does not fit is -32602", async () => {
  const { ask } = open();
  const { params: listing, headers: listed } = toStateless("prompts/list");
  const list = (await ask("prompts/list", listing, { headers: listed })).json() as Message;
  assert.equal(list.result!["cacheScope"], "public");
  const names = (list.result!["prompts"] as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(names, ["ride_there", "accessible_toilet", "charge_my_car", "what_changed"]);
  const input = { name: "accessible_toilet", arguments: { near: "Mairie" } };
  const { params, headers } = toStateless("prompts/get", input);
  for (const reply of [
    await ask("prompts/get", input),
    await ask("prompts/get", params, { headers }),
  ]) {
    const { result } = reply.json() as Message;
    const [message] = result!["messages"] as { role: string; content: { text: string } }[];
    assert.equal(message?.role, "user");
    assert.match(message.content.text, /^Find a toilet near Mairie that can be used/);
  }
  for (const wrong of [{ name: "nothing" }, { name: "ride_there", arguments: { from: "A" } }]) {
    const { error } = (await ask("prompts/get", wrong)).json() as Message;
    assert.equal(error?.code, -32_602);
  }
});
