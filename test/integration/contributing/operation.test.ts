/** A new operation: one row, one use case, one handler; what is missing does not compile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFiles, copyTree, filesOf, type Tree } from "./tree.ts";

const CONTRACT = `/** GET /v1/antipode: the opposite point of the Earth. */
import { Type } from "typebox";
import { CREDENTIAL_401, ONE_UNIT, type Operation } from "./operation.ts";
import { closed, LAT, Location, LON_ALONE, TOKEN } from "./primitives.ts";

const Antipode = Type.Object({ antipode: Location }, { title: "Antipode", ...closed });
const EXAMPLE = { antipode: { lat: -48.8566, lon: -177.6478 } };

export const ANTIPODE_OPERATIONS = [
  {
    id: "getAntipode",
    method: "GET",
    path: "/v1/antipode",
    tag: "Geocoding",
    summary: "The opposite point",
    description: "The opposite point of the Earth.",
    parameters: { lat: LAT, lon: LON_ALONE, token: TOKEN },
    success: {
      description: "The point.",
      content: { "application/json": { schema: Antipode, examples: { point: EXAMPLE } } },
    },
    errors: {
      400: ["invalid_request", "conflicting_credentials"],
      401: CREDENTIAL_401,
      429: ["rate_limited"],
      503: ["overloaded", "shutting_down", "store_unavailable"],
    },
    auth: "optional",
    scope: [],
    charge: ONE_UNIT,
    deadline: { name: "antipode", default_ms: 1_234 },
    caching: "no-store",
    licence_link: false,
    addition: true,
  },
] as const satisfies readonly Operation[];
`;

const USE_CASE = `/** The opposite point of the Earth. */
type Point = { lat: number; lon: number };

export function antipodeOf({ lat, lon }: Point): { antipode: Point } {
  return { antipode: { lat: -lat, lon: lon > 0 ? lon - 180 : lon + 180 } };
}
`;

const HANDLER = `    getAntipode: (exchange, caller, point) => {
      const operation = findOperation("getAntipode");
      const ready = readyLines(operation, JSON_TYPE, "no-store", exchange.token_used);
      const metered = { void: false, objects: 1, maps_categories: 0 };
      const body = JSON.stringify(antipodeOf(point));
      return deps.gate.release(
        exchange,
        { operation, caller, metered },
        { send: () => sendData(exchange, { status: 200, ready, headers: [], body }) },
      );
    },
`;

const PROBE = `
import { createClient } from "#api/client/client.ts";
import { ConfigSchema } from "#config/config-schema.ts";
import { stubServer } from "./test/support/server.ts";
const { app } = stubServer();
await app.listen({ port: 0, host: "127.0.0.1" });
const url = "http://127.0.0.1:" + app.server.address().port;
const ask = async (query) => {
  const reply = await fetch(url + "/v1/antipode?" + query);
  return { status: reply.status, body: await reply.json(), left: reply.headers.get("ratelimit") };
};
const found = {
  good: await ask("lat=48.8566&lon=2.3522"),
  wrong: (await ask("lat=48.8566")).status,
  deadline: ConfigSchema.properties.deadlines_ms.properties.antipode.default,
};
await app.close();
console.log(JSON.stringify(found));
`;

type Match = {
  good: { status: number; body: unknown; left: string };
  wrong: number;
  deadline: number;
};

function addRow(tree: Tree): void {
  tree.create("packages/api/antipode.ts", CONTRACT);
  const list = "packages/api/operations.ts";
  tree.edit(
    list,
    "  ...GEOCODING_OPERATIONS,",
    "  ...GEOCODING_OPERATIONS,\n  ...ANTIPODE_OPERATIONS,",
  );
  tree.edit(
    list,
    "import { Health }",
    'import { ANTIPODE_OPERATIONS } from "./antipode.ts";\nimport { Health }',
  );
  tree.create("src/app/antipode.ts", USE_CASE);
}

function addHandler(tree: Tree): void {
  const handlers = "src/http/handlers.ts";
  tree.edit(handlers, "    callMcp:", `${HANDLER}    callMcp:`);
  tree.edit(
    handlers,
    "import type { Caller }",
    'import { antipodeOf } from "#app/antipode.ts";\nimport type { Caller }',
  );
}

function addExpectations(tree: Tree): void {
  tree.edit(
    HAND,
    "  getHealth: [200",
    "  getAntipode: [200, 400, 401, 429, 503],\n  getHealth: [200",
  );
  tree.edit(HAND, "  getHealth: 0", "  getAntipode: 1,\n  getHealth: 0");
  tree.edit(HAND, "  free: {", '  free: { getAntipode: "/v1/antipode?{place}",');
}

const HAND = "test/support/by-hand.ts";
const COMPILED = ["packages/api", "src/http/handlers.ts", HAND];

test(
  "an operation takes six files, and is served, priced and described",
  { timeout: 120_000 },
  async (t) => {
    const tree = copyTree(t);
    addRow(tree);
    addHandler(tree);
    addExpectations(tree);
    tree.create("test/unit/app/antipode.test.ts", "");
    checkFiles(tree, filesOf("an operation", "antipode"), 6);
    const { code, out } = await tree.compile(...COMPILED);
    assert.equal(code, 0, out);
    const { good, wrong, deadline } = await tree.probe<Match>(PROBE);
    assert.equal(good.status, 200);
    assert.deepEqual(good.body, { antipode: { lat: -48.8566, lon: -177.6478 } });
    assert.match(good.left, /r=4999\b/, "it costs one unit");
    assert.deepEqual([wrong, deadline], [400, 1_234]);
    await tree.generate();
    assert.match(tree.read("openapi.json"), /The opposite point of the Earth\.\\n\\nUnits: 1\./);
    assert.match(tree.read("vicinity.schema.json"), /"antipode": \{[^}]*"default": 1234/);
  },
);

test(
  "an operation without a price or a handler does not compile",
  { timeout: 120_000 },
  async (t) => {
    const tree = copyTree(t);
    addRow(tree);
    const unserved = await tree.compile(...COMPILED);
    assert.equal(unserved.code === 0, false);
    assert.match(unserved.out, /src\/http\/handlers\.ts:.*getAntipode/);
    assert.match(unserved.out, /test\/support\/by-hand\.ts:.*getAntipode/);
    addHandler(tree);
    addExpectations(tree);
    tree.edit("packages/api/antipode.ts", "    charge: ONE_UNIT,\n", "");
    const unpriced = await tree.compile(...COMPILED);
    assert.match(unpriced.out, /packages\/api\/antipode\.ts:.*\n?.*charge/);
  },
);
