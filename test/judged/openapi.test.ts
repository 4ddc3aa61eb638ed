/** The descriptions of the API, by a linter and by a counter of tokens that are not ours. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toOpenApi } from "#api/openapi.ts";
import { lintDescription } from "../../trials/judges/openapi.ts";
import { countTokens } from "../../trials/judges/tokens.ts";
import { call } from "../support/call.ts";
import { stubServer } from "../support/server.ts";

type Node = { [member: string]: any };

const document: Node = toOpenApi();

const lint = (source: Node) => lintDescription(JSON.stringify(source), "recommended-strict");

// Proves §4.2 description
test("the description is clean under recommended-strict", async () => {
  const problems = await lint(document);
  assert.deepEqual(
    problems.map((problem) => `${problem.ruleId} ${problem.location[0]?.pointer}`),
    [],
  );
});

test("the lint sees a planted fault", async () => {
  const broken = structuredClone(document);
  delete broken["paths"]["/v1/nearby"].get.summary;
  broken["paths"]["/v1/nearby"].get.responses["200"].content[
    "application/json"
  ].examples.empty.value.status = "odd";
  const rules = (await lint(broken)).map((problem) => problem.ruleId);
  assert.ok(rules.includes("operation-summary"));
  assert.ok(rules.includes("no-invalid-media-type-examples"));
});

test("the description for hosts is clean, and at most 20,000 tokens", async () => {
  const headers = { host: "api.example" };
  const request = { url: "/openapi.json?for=actions", headers };
  const { payload } = await call(stubServer().app, request);
  const problems = await lintDescription(payload, "minimal");
  const errors = problems.filter(({ severity }) => severity === "error");
  assert.deepEqual(
    errors.map(({ ruleId, message }) => `${ruleId} ${message}`),
    [],
  );
  const tokens = countTokens(payload);
  assert.ok(tokens <= 20_000, String(tokens));
});
