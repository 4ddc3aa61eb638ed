/**
 * A valid question of 200 emoji makes an address of 2,400 characters. Our own rules for addresses
 * allowed 2,048: the query was answered 502 although no provider had been called, and each such
 * refusal counted as a failure of the maps provider. Five of them opened its circuit, and geocoding
 * was 503 for all callers (the fuzz found it).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "../integration/service/support.ts";

test("long queries are answered and do not open the circuit", async (t) => {
  const { client, service } = await serve(t, { cities: "all" });
  for (const letter of ["😀", "中", "🚲", "ع", "𝔸", "é"]) {
    const q = encodeURIComponent(letter.repeat(200));
    assert.equal((await client.call(`${service.url}/v1/geocode?q=${q}`)).status, 200, letter);
  }
  const london = await client.json<{ results: object[] }>(`${service.url}/v1/geocode?q=London`);
  assert.ok(london.results.length > 0);
  const tooLong = encodeURIComponent("😀".repeat(201));
  assert.equal((await client.call(`${service.url}/v1/geocode?q=${tooLong}`)).status, 400);
});
