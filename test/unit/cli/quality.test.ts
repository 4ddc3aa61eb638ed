/** `vicinity quality`: both spans, reasons with advice, and what is unknown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { QUALITY_EXAMPLE } from "#api/quality-example.ts";
import { answering, run, terminal } from "./support.ts";

const ask = (body: unknown, requested: Request[] = []) =>
  run(["quality", "gbfs:vélib/1"], {
    out: terminal(120),
    fetch: answering([body], { requested }),
  });

test("the id is a segment of the address; spans and findings are tables", async () => {
  const requested: Request[] = [];
  const { code, out } = await ask(QUALITY_EXAMPLE, requested);
  assert.equal(code, 0);
  assert.match(requested[0]!.url, /\/v1\/sources\/gbfs%3Av%C3%A9lib%2F1\/quality$/);
  assert.match(out, /^Vélib' Métropole \(gbfs:velib_metropole\), licence ODbL-1\.0\n/);
  assert.match(out, /24 hours +75\.0 % +4 +1 +40 s +15 min +15 min\n/);
  assert.match(out, /left out:\n.*\ncoordinates_zero +1 .*213688169.*Publish the real position/);
  assert.match(out, /put right: nothing in the last 30 days\n/);
});

test("unknown is a dash or said in words", async () => {
  const span = { ...QUALITY_EXAMPLE.last_24_hours, attempts: 0, failures: 0, slots: [null] };
  const unknown = { ...span, availability: null, age: null };
  const { out } = await ask({
    ...{ ...QUALITY_EXAMPLE, requested: false, last_24_hours: unknown, last_30_days: unknown },
    ...{ dropped: null, repaired: null, contradictions: null },
  });
  assert.match(out, /It was not asked in the last 30 days/);
  assert.match(out, /30 days +– +0 +0 +– +– +–\n/);
  assert.match(out, /contradictions: unknown, no reading of it says so/);
});
