/** What programs find out about a server before they use it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { SANDBOX_DEPLOYMENT } from "#api/deployment.ts";
import { ACTION_DESCRIPTION_MAX, toActions } from "#api/openapi-actions.ts";
import { MCP_REVISIONS } from "#api/mcp-operation.ts";
import { findOperation, listOperations } from "#api/operations.ts";
import { call } from "../support/call.ts";
import { openMcpServer } from "../support/mcp-server.ts";
import { RPC_HEADERS, toRpc } from "../support/mcp.ts";
import { stubServer } from "../support/server.ts";

type Metadata = Record<string, unknown> & { resource: string };

const PATHS = {
  "/.well-known/oauth-protected-resource": "",
  "/.well-known/oauth-protected-resource/mcp": "/mcp",
};

test("the metadata of the resource names the address it was asked at (RFC 9728)", async () => {
  const { app } = stubServer();
  for (const [url, path] of Object.entries(PATHS)) {
    for (const [host, origin] of [
      ["api.example", "https://api.example"],
      ["127.0.0.1:8080", "http://127.0.0.1:8080"],
      ["localhost:1", "http://localhost:1"],
    ] as const) {
      const reply = await call(app, { url, headers: { host } });
      assert.equal(reply.statusCode, 200);
      assert.match(String(reply.headers["content-type"]), /^application\/json/);
      assert.equal(reply.headers["cache-control"], "no-store");
      const metadata = reply.json() as Metadata;
      assert.equal(metadata.resource, `${origin}${path}`);
      assert.deepEqual(metadata["bearer_methods_supported"], ["header"]);
      assert.equal(metadata["resource_documentation"], `${origin}/llms.txt`);
      // No authorization server issues keys.
      assert.equal(metadata["authorization_servers"], undefined);
    }
    const behind = { host: "api.example", "x-forwarded-proto": "http" };
    const plain = (await call(app, { url, headers: behind })).json() as Metadata;
    assert.equal(plain.resource, `http://api.example${path}`);
    const strange = await call(app, { url, headers: { host: 'a"b' } });
    assert.equal(strange.statusCode, 400);
    const posted = await call(app, { url, method: "POST" });
    assert.deepEqual([posted.statusCode, posted.headers["allow"]], [405, "GET, HEAD, OPTIONS"]);
  }
});

/** Rules of the extension for what the card has (its schema v1). */
const CARD_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

type Card = {
  name: string;
  description: string;
  version: string;
  remotes: [{ url: string; supportedProtocolVersions: string[] }];
};

test("the catalogue names the card, and the card the server, at the address that was asked", async () => {
  const { app } = stubServer();
  for (const [host, origin, name, identifier] of [
    ["api.example", "https://api.example", "example.api/vicinity", "urn:air:api.example:vicinity"],
    ["127.0.0.1:80", "http://127.0.0.1:80", "localhost/vicinity", "urn:air:localhost:vicinity"],
    ["[::1]:8080", "http://[::1]:8080", "localhost/vicinity", "urn:air:localhost:vicinity"],
  ] as const) {
    const headers = { host };
    const site = await call(app, { url: "/.well-known/mcp/catalog.json", headers });
    const { entries } = site.json() as { entries: { identifier: string; url: string }[] };
    assert.deepEqual(
      entries.map((entry) => [entry.identifier, entry.url]),
      [[identifier, `${origin}/mcp/server-card`]],
    );
    const reply = await call(app, { url: "/mcp/server-card", headers });
    assert.equal(reply.headers["content-type"], "application/mcp-server-card+json");
    assert.equal(reply.headers["cache-control"], "no-store");
    assert.equal(reply.headers["access-control-allow-origin"], "*");
    const card = reply.json() as Card;
    assert.equal(card.name, name);
    assert.match(card.name, CARD_NAME);
    assert.ok(card.description.length <= 100);
    const [remote] = card.remotes;
    assert.equal(remote.url, `${origin}/mcp`);
    assert.deepEqual(remote.supportedProtocolVersions, MCP_REVISIONS);
  }
  const strange = await call(app, { url: "/mcp/server-card", headers: { host: 'a"b' } });
  assert.equal(strange.statusCode, 400);
});

test("a refused credential leads to the metadata, of /mcp alone", async () => {
  const { app } = stubServer();
  const headers = { ...RPC_HEADERS, authorization: "Bearer wrong", host: "localhost:9" };
  const request = { url: "/mcp", method: "POST", headers, payload: toRpc("ping") };
  const challenge = (await call(app, request)).headers["www-authenticate"];
  const url = "http://localhost:9/.well-known/oauth-protected-resource/mcp";
  assert.equal(challenge, `Bearer realm="api", error="invalid_token", resource_metadata="${url}"`);
  const strange = await call(app, { ...request, headers: { ...headers, host: 'x"y' } });
  assert.equal(strange.headers["www-authenticate"], 'Bearer realm="api", error="invalid_token"');
  const rest = await call(app, { url: "/v1/nearby?lat=1&lon=2", headers });
  assert.equal(rest.headers["www-authenticate"], 'Bearer realm="api", error="invalid_token"');
});

test("/llms.txt names every tool and every request of the present", async () => {
  const { app } = openMcpServer();
  const reply = await call(app, { url: "/llms.txt" });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers["content-type"], "text/plain; charset=utf-8");
  assert.match(reply.payload, /^# Vicinity\n\n> /);
  for (const name of Object.keys(AGENT_TOOLS)) assert.ok(reply.payload.includes(`- ${name}: `));
  let listed = 0;
  for (const { method, path, tag } of listOperations()) {
    if (tag === "Legacy" || tag === "System") continue;
    assert.ok(reply.payload.includes(`- ${method} ${path}: `), path);
    listed++;
  }
  assert.ok(listed > 8);
  const links = [...reply.payload.matchAll(/\]\(([^)]+)\)/g)].map(([, url = ""]) => url);
  assert.ok(links.length > 3);
  for (const url of links) assert.ok([200, 405].includes((await call(app, { url })).statusCode));
});

type Described = {
  paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>;
};

/** Characters; its tokens are counted, and it is linted, in test/judged/openapi.test.ts. */
const ACTIONS_MAX = 83_000;

test("the description for hosts is small, whole and names the server", async () => {
  const { app } = stubServer();
  const headers = { host: "api.example" };
  const reply = await call(app, { url: "/openapi.json?for=actions", headers });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers["cache-control"], "no-store");
  const document = reply.json() as Described;
  assert.deepEqual(document, toActions("https://api.example", SANDBOX_DEPLOYMENT));
  assert.ok(reply.payload.length <= ACTIONS_MAX, String(reply.payload.length));
  const texts = [...reply.payload.matchAll(/"(?:description|summary)":"((?:[^"\\]|\\.)*)"/g)];
  assert.ok(texts.length > 50);
  for (const [, text = ""] of texts) assert.ok(text.length <= ACTION_DESCRIPTION_MAX, text);
  for (const methods of Object.values(document.paths))
    for (const { operationId, parameters } of Object.values(methods)) {
      const row = findOperation(operationId as "getNearby");
      for (const { name } of parameters) assert.ok(Object.hasOwn(row.parameters, name), name);
      assert.ok(!parameters.some(({ name }) => name === "token"));
    }
  assert.ok(Object.keys(document.paths).length >= 8);
  for (const url of ["/openapi.json", "/openapi.json?for=all", "/openapi.json?for=else"]) {
    const whole = (await call(app, { url })).json() as Described;
    assert.equal(
      Object.keys(whole.paths).length,
      new Set(listOperations().map((o) => o.path)).size,
    );
  }
});

const FILE = new URL("../../server.json", import.meta.url);

/** The rules of the registry for what this file has, as its schema of 2025-12-11 states them. */
const SERVER_SCHEMA = {
  type: "object",
  required: ["$schema", "name", "description", "version", "packages", "remotes"],
  additionalProperties: false,
  properties: {
    $schema: {
      const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    },
    name: {
      type: "string",
      minLength: 3,
      maxLength: 200,
      pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
    },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { $ref: "#/$defs/version" },
    packages: { type: "array", minItems: 1, items: { $ref: "#/$defs/package" } },
    remotes: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["type", "url"],
        additionalProperties: false,
        properties: {
          type: { const: "streamable-http" },
          url: { type: "string", pattern: "^https://[^\\s]+$" },
          variables: { type: "object", additionalProperties: { $ref: "#/$defs/input" } },
          headers: {
            type: "array",
            items: {
              allOf: [{ $ref: "#/$defs/input" }, { type: "object", required: ["name"] }],
            },
          },
        },
      },
    },
  },
  $defs: {
    version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+$" },
    package: {
      type: "object",
      required: ["registryType", "identifier", "transport"],
      additionalProperties: false,
      properties: {
        registryType: { const: "npm" },
        identifier: { type: "string", pattern: "^(@[a-z0-9._-]+/)?[a-z0-9._-]+$" },
        version: { $ref: "#/$defs/version" },
        runtimeHint: { const: "npx" },
        runtimeArguments: { type: "array", items: { $ref: "#/$defs/argument" } },
        packageArguments: { type: "array", items: { $ref: "#/$defs/argument" } },
        environmentVariables: { type: "array", items: { $ref: "#/$defs/input" } },
        transport: { const: { type: "stdio" } },
      },
    },
    argument: {
      type: "object",
      required: ["type"],
      properties: { type: { enum: ["positional", "named"] }, name: {}, value: {}, valueHint: {} },
      anyOf: [{ required: ["name"] }, { required: ["value"] }, { required: ["valueHint"] }],
    },
    input: {
      type: "object",
      properties: {
        name: { type: "string" },
        description: { type: "string" },
        placeholder: { type: "string" },
        value: { type: "string" },
        isRequired: { type: "boolean" },
        isSecret: { type: "boolean" },
        variables: { type: "object", additionalProperties: { $ref: "#/$defs/input" } },
      },
      additionalProperties: false,
    },
  },
};

type ServerFile = {
  name: string;
  version: string;
  packages: {
    identifier: string;
    version: string;
    packageArguments: { value: string; variables?: object }[];
  }[];
  remotes: {
    url: string;
    variables: object;
    headers: { name: string; value: string; variables: Record<string, { isSecret?: boolean }> }[];
  }[];
};

type Manifest = { name: string; version: string; mcpName: string; bin: Record<string, string> };

test("server.json is what a registry takes, of this version, and every variable is explained", () => {
  const file = JSON.parse(readFileSync(FILE, "utf8")) as ServerFile;
  const validate = new Ajv2020({ strict: false }).compile(SERVER_SCHEMA);
  assert.ok(validate(file), JSON.stringify(validate.errors));
  const root = new URL("../../package.json", import.meta.url);
  assert.equal(file.version, (JSON.parse(readFileSync(root, "utf8")) as ServerFile).version);
  const namesOf = (text: string): string[] =>
    [...text.matchAll(/\{(\w+)\}/g)].map(([, n = ""]) => n);
  // The registry takes a package whose manifest has the name of the server.
  const { name, version, bin, mcpName } = JSON.parse(readFileSync(root, "utf8")) as Manifest;
  for (const each of file.packages) {
    assert.deepEqual([each.identifier, each.version], [name, version]);
    // npx runs the program that has the package's name.
    assert.ok(name in bin && each.packageArguments[0]?.value === "mcp");
    for (const { value, variables = {} } of each.packageArguments)
      assert.deepEqual(namesOf(value), Object.keys(variables));
  }
  assert.equal(file.name, mcpName);
  for (const { url, variables, headers } of file.remotes) {
    assert.deepEqual(namesOf(url), Object.keys(variables));
    assert.ok(url.endsWith("/mcp"));
    for (const header of headers) {
      assert.deepEqual(namesOf(header.value), Object.keys(header.variables));
      for (const each of Object.values(header.variables)) assert.equal(each.isSecret, true);
    }
  }
});
