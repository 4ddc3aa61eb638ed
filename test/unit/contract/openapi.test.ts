import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { toOpenApi } from "#api/openapi.ts";
import { listOperations } from "#api/operations.ts";
import { documentedStatuses } from "../../support/documented.ts";
import { toOpenApiText } from "#http/openapi.ts";

type Node = { [member: string]: any };

const document: Node = toOpenApi();

test("every documented status has a description, x-request-id, and valid examples", () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document, "api");
  let validated = 0;
  const bytes: string[] = [];
  for (const operation of listOperations()) {
    const method = operation.method.toLowerCase();
    const responses = document["paths"][operation.path][method].responses as Node;
    assert.deepEqual(
      Object.keys(responses).map(Number),
      documentedStatuses(operation).sort((a, b) => a - b),
    );
    for (const [status, response] of Object.entries(responses)) {
      assert.ok(response.description.length > 0);
      assert.ok(response.headers["x-request-id"], `${operation.id} ${status}`);
      if (status === "429" || status === "503") assert.ok(response.headers["Retry-After"]);
      if (status === "304") continue;
      const path = encodeURIComponent(operation.path.replaceAll("/", "~1"));
      const pointer = `/paths/${path}/${method}/responses/${status}`;
      for (const [type, content] of Object.entries(response.content as Node)) {
        // Bytes are no text that a document could have.
        if (content.schema.contentEncoding === "binary") {
          bytes.push(operation.id);
          continue;
        }
        const at = `api#${pointer}/content/${type.replaceAll("/", "~1")}/schema`;
        const validate = ajv.compile({ $ref: at });
        assert.ok(Object.keys(content.examples).length > 0, `${operation.id} ${status} ${type}`);
        for (const [name, example] of Object.entries(content.examples as Node)) {
          assert.ok(validate(example.value), `${name}: ${ajv.errorsText(validate.errors)}`);
          validated++;
        }
      }
    }
  }
  assert.deepEqual(bytes, ["getLiveTile"]);
  assert.ok(validated >= 25, `only ${validated} examples`);
});

// Proves §9 description version
test("additions are marked, contract operations are not", () => {
  assert.equal(document["paths"]["/v1/sources"].get["x-addition"], true);
  assert.equal(document["paths"]["/v1/nearby"].get["x-addition"], undefined);
  assert.equal(document["info"].version, "1.1.0");
});

// Proves §5 token deprecated; §4 optional credentials
test("token is deprecated and credentials are optional where a key may be sent", () => {
  const { parameters, security } = document["paths"]["/v1/nearby"].get;
  const token = parameters.find((one: Node) => one["name"] === "token");
  assert.equal(token.deprecated, true);
  assert.deepEqual(security, [{}, { bearer: [] }]);
  assert.deepEqual(document["paths"]["/health"].get.security, []);
});

// Proves §9 description version
test("the committed openapi.json is what is served", () => {
  const committed = readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8");
  assert.equal(committed, toOpenApiText(), "run npm run generate");
});

test("what the contract marks as required or as a default is described so", () => {
  const find = (path: string, name: string): Node =>
    (document["paths"][path].get.parameters as Node[]).find((each) => each["name"] === name)!;
  for (const path of [
    "/api/realtime/{coords}/{provider}",
    "/api/realtime/{coords}/freefloat/scooter",
  ])
    assert.equal(find(path, "token")["required"], true, path);
  assert.equal(find("/v1/nearby", "token")["required"], undefined);
  const { schema } = find("/v1/transport/nearby", "providers");
  assert.deepEqual(schema.default, ["navitia"]);
  const refused = document["paths"]["/v1/nearby"].get.responses["402"].headers;
  for (const name of ["Retry-After", "RateLimit", "RateLimit-Policy"])
    assert.ok(refused[name], name);
});
