/** Bodies of POST /v1/capabilities in a short form; `npm run capabilities` is the long one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startListener } from "../../scripts/capabilities/listener.ts";
import { runBodies } from "../../scripts/capabilities/run.ts";

const BODIES = 10_000;

// Proves §4.8 members; §4.8 contract_version; §9 contract_version
test("exactly the valid bodies are accepted, and refusals name the member", async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`again with: npm run capabilities -- --bodies ${BODIES} --seed ${seed}`);
  const listener = await startListener();
  t.after(() => listener.close());
  const { codes, labels, agreed, unsaid, ...tally } = await runBodies({
    ...{ ...listener, seed, bodies: BODIES },
  });
  // A run that met nothing would find nothing.
  assert.equal(tally.bodies, BODIES);
  assert.ok(tally.accepted > BODIES / 3 && tally.accepted < (BODIES * 2) / 3);
  assert.ok(labels.size > 450, `${labels.size} kinds`);
  assert.ok(labels.has("largest") && labels.has("too large"));
  assert.ok(agreed > BODIES / 2, `the schema was asked of ${agreed}`);
  assert.deepEqual([...codes.keys()].toSorted(), [
    ...["200", "body_too_large", "invalid_json", "invalid_request", "unexpected_member"],
    ...["unknown_capability", "unsupported_contract_version", "unsupported_media_type"],
  ]);
  // What a JSON schema has no words for: bytes, headers, members given twice, half of a pair.
  assert.deepEqual([...unsaid].toSorted(), [
    ...["coding", "correlation.conversation_id", "correlation.interaction_id"],
    ...["correlation.parent_request_id", "correlation.request_id", "correlation.turn_id"],
    ...["too", "twice", "type"],
  ]);
});
