/** A list of all sources is rendered once for all requests within two seconds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createManualClock } from "../../support/manual-clock.ts";
import { Rendered } from "#http/rendered.ts";

test("rendered once in its life, compressed once for each encoding, and rendered again afterwards", async () => {
  const clock = createManualClock(1_000_000);
  let made = 0;
  const rendered = new Rendered(clock, 2_000, () => `text ${++made}`);
  const first = rendered.plain();
  assert.equal(rendered.plain(), first);
  const [packed, again] = await Promise.all([rendered.packed("gzip"), rendered.packed("gzip")]);
  assert.equal(packed, again);
  assert.equal(gunzipSync(packed).toString(), "text 1");
  await clock.advance(1_999);
  assert.equal(Buffer.from(rendered.plain()).toString(), "text 1");
  await clock.advance(1);
  assert.equal(gunzipSync(await rendered.packed("gzip")).toString(), "text 2");
  assert.equal(made, 2);
});

test("a clock that is set back does not keep an old text", () => {
  let now_ms = 1_000_000;
  let made = 0;
  const clock = { ...createManualClock(0), now: () => now_ms };
  const rendered = new Rendered(clock, 2_000, () => `text ${++made}`);
  rendered.plain();
  now_ms -= 3_600_000;
  rendered.plain();
  assert.equal(made, 2);
});
