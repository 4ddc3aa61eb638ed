/** A new capability: one row and what it does; a missing execution does not compile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFiles, copyTree, filesOf, type Tree } from "./tree.ts";

const ROW = `  check_dataset: {
    parameters: READ_PARAMETERS,
    title: "CheckDatasetArgs",
    description: "Of the dataset whose observation is checked.",
    free: true,
  },
`;

const EXECUTION = `      case "check_dataset": {
        const found = await read(request.args, "observation", who);
        return wrap(correlation, encoder.encode(JSON.stringify({ stored: found.kind === "ok" })), true);
      }
`;

const PROBE = `
import { createExecute } from "#app/capabilities/execute.ts";
import { CAPABILITY_ROWS } from "#api/capabilities.ts";
import { readCapabilityRequest } from "#core/capabilities/capability-request.ts";
const execute = createExecute({
  read: async ({ id }) => (id === "nearby_a" ? { kind: "ok" } : { kind: "refused" }),
}).execute;
const id = "1";
const correlation = { conversation_id: id, interaction_id: id, request_id: id, parent_request_id: null, turn_id: 1 };
const ask = async (args) => {
  const request = { capability: "check_dataset", args };
  const body = { contract_version: "1.0.0", correlation, request, freshness_policy: null };
  const decoded = readCapabilityRequest(JSON.stringify(body));
  if (!decoded.ok) return decoded;
  const reply = await execute(decoded.value, {}, { free: true, turn: null, end() {} });
  return JSON.parse(Buffer.from(reply.body).toString()).observation;
};
console.log(JSON.stringify([
  await ask({ id: "nearby_a", version: "1" }),
  await ask({ id: "nearby_b", version: "1" }),
  (await ask({ id: "nearby_a" })).message,
  CAPABILITY_ROWS.check_dataset.free,
]));
`;

function addRow(tree: Tree): void {
  tree.edit("packages/api/capabilities.ts", "  read_dataset: {", `${ROW}  read_dataset: {`);
}

const COMPILED = ["packages/api", "src/app/capabilities", "src/http/capability-handlers.ts"];

test(
  "a capability takes five files, and is read, executed and described",
  { timeout: 120_000 },
  async (t) => {
    const tree = copyTree(t);
    addRow(tree);
    const unexecuted = await tree.compile(...COMPILED);
    assert.match(unexecuted.out, /src\/app\/capabilities\/execute\.ts:/);
    tree.edit(
      "src/app/capabilities/execute.ts",
      '      case "read_dataset": {',
      `${EXECUTION}      case "read_dataset": {`,
    );
    checkFiles(tree, filesOf("a capability", "check_dataset"), 5);
    const { code, out } = await tree.compile(...COMPILED);
    assert.equal(code, 0, out);
    assert.deepEqual(await tree.probe(PROBE), [
      { stored: true },
      { stored: false },
      "request.args.version is required and must be text",
      true,
    ]);
    await tree.generate();
    const api = tree.read("openapi.json");
    assert.match(api, /"const": "check_dataset"/);
    assert.match(
      api,
      /Units: search_mobility 2, check_dataset and read_dataset and error observations 0\./,
    );
  },
);
