/**
 * Terms of sources for the credits of an answer: the list of all sources is made once a second, whatever
 * number of answers and of sources in them asks. It was made for each source of each try of a list for
 * agents, which was 22 % of the list's time in a city.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTermsOf } from "#app/capabilities/terms.ts";

type Parts = Parameters<typeof createTermsOf>;
/** No operator has set terms of their own. */
const SOURCES = new Proxy(
  {},
  {
    get: (_, name) => (name === "registers" ? [] : {}),
  },
) as Parts[0];

test("the list of sources is made once a second, and terms of an import are seen then", () => {
  let [now_ms, lists] = [5_000, 0];
  let licence = "CC-BY-4.0";
  const others = () => {
    lists++;
    return [{ id: "gtfs:bart", licence, attribution: "BART" }];
  };
  const termsOf = createTermsOf(SOURCES, {
    findFeed: () => null,
    others,
    now: () => now_ms,
  } as unknown as Parts[1]);
  for (let i = 0; i < 200; i++) assert.equal(termsOf("gtfs:bart").licence, "CC-BY-4.0");
  assert.equal(lists, 1);
  assert.deepEqual(termsOf("unknown"), {
    ...{ provider: "unknown", licence: null, attribution: null, store: "ids" },
  });
  assert.equal(lists, 1);
  licence = "ODbL-1.0";
  now_ms += 1_000;
  assert.equal(termsOf("gtfs:bart").licence, "ODbL-1.0");
  assert.equal(lists, 2);
});
