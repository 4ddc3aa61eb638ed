/** The committed JSON Schema, as an editor uses it, and the committed live file that must fit it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AuthSchema } from "#providers/settings.ts";
import type { Auth } from "#providers/provider.ts";
import type { Static } from "typebox";

const root = new URL("../../../", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, root), "utf8");

test("the committed live configuration fits the committed schema", () => {
  const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(
    JSON.parse(read("vicinity.schema.json")) as object,
  );
  assert.ok(validate(JSON.parse(read("vicinity.live.json"))), JSON.stringify(validate.errors));
  assert.ok(validate({ sources: { gbfs: { systems: [{ id: "a", url: "${BASE}/gbfs.json" }] } } }));
  assert.ok(!validate({ sources: { gbfs: { systems: [{ id: "a", url: 5 }] } } }));
});

test("the auth kinds of the configuration are those of the providers", () => {
  type Configured = Static<typeof AuthSchema>;
  const forth = (auth: Configured): Auth => auth;
  const back = (auth: Auth): Configured => auth;
  assert.deepEqual(back(forth({ kind: "none" })), { kind: "none" });
});
