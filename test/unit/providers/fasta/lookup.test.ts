/** The request to the register of lifts, and what may be kept of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fasta, { fastaLifts } from "#providers/fasta.ts";
import { isConfigured } from "#providers/source.ts";
import { SETTINGS } from "./readers.ts";

test("all lifts are asked for at once, and no escalators, with both parts of the key as headers", () => {
  assert.deepEqual(fastaLifts.request(null, SETTINGS), {
    url: "https://lifts.example/v2/facilities?type=ELEVATOR",
    headers: { accept: "application/json" },
    auth: { kind: "headers", headers: { "DB-Client-Id": "client", "DB-Api-Key": "key" } },
  });
  assert.equal(fastaLifts.keyOf(null), fastaLifts.keyOf(null));
});

test("without both parts of its key it is not there", () => {
  const settings = { ...SETTINGS, client_id: "client", api_key: null };
  assert.equal(isConfigured(fasta, settings), false);
  assert.equal(fasta.without!(SETTINGS), "absent");
  assert.equal(isConfigured(fasta, SETTINGS), true);
});
