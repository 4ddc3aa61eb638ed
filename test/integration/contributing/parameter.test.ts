/** A new parameter of /v1/nearby: one row, and every reader has it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFiles, copyTree, filesOf } from "./tree.ts";

const ROW = `  walk_min: integerParameter({
    description: "Minutes on foot; the radius is at most what can be walked in them.",
    minimum: 1,
    default: 5,
    example: "3",
  }),
`;

const PROBE = `
import { optionsOf } from "#cli/search.ts";
import { SEARCH_PARAMETERS } from "#api/capabilities.ts";
import { NEARBY_PARAMETERS } from "#api/nearby.ts";
import { clampNearby } from "#kit/clamp.ts";
import { createMemberReader } from "#core/members/parameters.ts";
import { compileQuery } from "#http/validation.ts";
import { toInputSchema } from "#mcp/tool-schema.ts";
const decoder = compileQuery({ parameters: NEARBY_PARAMETERS });
const ask = (query) => decoder.decode(decoder.scan("lat=1&lon=2&" + query));
const read = createMemberReader(SEARCH_PARAMETERS, "args");
const max = { radius: 400, limit: 100 };
console.log(JSON.stringify({
  given: ask("walk_min=3").value.walk_min,
  absent: ask("").value.walk_min,
  refused: ask("walk_min=0").message,
  applied: clampNearby({ radius: 400, limit: 1, walk_min: 3 }, max).radius,
  member: read({ lat: 1, lon: 2, walk_min: 4 }).value.walk_min,
  wrong: read({ lat: 1, lon: 2, walk_min: "4" }).message,
  tool: toInputSchema(SEARCH_PARAMETERS).properties.walk_min,
  option: optionsOf(NEARBY_PARAMETERS).walk_min,
}));
`;

const CLIENT = `
import type { Client } from "#api/client/client.ts";
export const ask = (client: Client) => client.nearby({ lat: 1, lon: 2, walk_min: 3 });
// @ts-expect-error: it is a number
export const text = (client: Client) => client.nearby({ lat: 1, lon: 2, walk_min: "3" });
// @ts-expect-error: lon is required
export const half = (client: Client) => client.nearby({ lat: 1 });
// @ts-expect-error: no such mode
export const mode = (client: Client) => client.nearby({ lat: 1, lon: 2, modes: ["tram"] });
// @ts-expect-error: no such parameter
export const typo = (client: Client) => client.nearby({ lat: 1, lon: 2, walk: 3 });
`;

const COMPILED = ["packages/api", "src/core", "src/app/capabilities", "src/app/nearby.ts"];

test("a parameter of /v1/nearby takes four files", { timeout: 120_000 }, async (t) => {
  const tree = copyTree(t);
  tree.edit("packages/api/nearby.ts", "  modes: listParameter({", `${ROW}  modes: listParameter({`);
  tree.edit(
    "packages/api/capabilities.ts",
    "  radius,\n  modes,",
    "  radius,\n  walk_min: NEARBY_PARAMETERS.walk_min,\n  modes,",
  );
  tree.edit(
    "packages/kit/clamp.ts",
    "radius: number; limit: number },\n  max",
    "radius: number; limit: number; walk_min: number },\n  max",
  );
  tree.edit(
    "packages/kit/clamp.ts",
    "Math.min(requested.radius, max.radius)",
    "Math.min(requested.radius, max.radius, requested.walk_min * 80)",
  );
  tree.edit(
    "test/unit/contract/operations.test.ts",
    '"radius", "modes"',
    '"radius", "walk_min", "modes"',
  );
  checkFiles(tree, filesOf("a parameter of /v1/nearby", ""), 4);
  const match = await tree.probe(PROBE);
  assert.deepEqual(match, {
    given: 3,
    absent: 5,
    refused: "walk_min must be an integer >= 1",
    applied: 240,
    member: 4,
    wrong: "args.walk_min must be an integer >= 1, or null",
    tool: {
      type: "integer",
      description: "Minutes on foot; the radius is at most what can be walked in them. Default: 5.",
    },
    option: {
      value: "N",
      help: "minutes on foot; the radius is at most what can be walked in them (default: 5)",
    },
  });
  await tree.generate();
  const api = JSON.parse(tree.read("openapi.json")) as {
    paths: Record<string, { get: { parameters: { name: string }[] } }>;
    components: { schemas: Record<string, { properties: object }> };
  };
  const { parameters } = api.paths["/v1/nearby"]!.get;
  assert.ok(parameters.some(({ name }) => name === "walk_min"));
  assert.ok("walk_min" in api.components.schemas["SearchMobilityArgs"]!.properties);
  tree.create("packages/api/client/tried.ts", CLIENT);
  const { code, out } = await tree.compile(...COMPILED);
  assert.equal(code, 0, out);
});
