import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createKeyMatcher } from "../../base/base-keys.ts";
import { THING_KINDS } from "#api/place-classes.ts";
import table from "../../geocoder/kinds.json" with { type: "json" };
import { kindOfTags } from "../../geocoder/osm-kinds.ts";
import { createGeocoderSection } from "../../geocoder/geocoder-section.ts";
import { aNode, aWay } from "../../../../test/support/geocoder.ts";
import { tries } from "../../../../test/support/size.ts";

const TAGS = THING_KINDS.flatMap(({ tags }) => tags);
const VALUES = fc.constantFrom(
  ...[...TAGS, ...table.never, ...table.always].map((tag) => tag.slice(tag.indexOf("=") + 1)),
  ...["no", "yes", "x".repeat(65)],
);

/** By the order of keys, as the table has them. */
function plainKind(tags: ReadonlyMap<string, string>): string | null {
  const matches = table.keys.flatMap((key) => {
    const value = tags.get(key);
    if (value === undefined || value === "no" || value.length > 64) return [];
    const tag = `${key}=${value}`;
    const never = table.never.includes(tag) || table.never.includes(`${key}=*`);
    return never && !table.always.includes(tag) ? [] : [tag];
  });
  return matches.find((tag) => TAGS.includes(tag)) ?? matches[0] ?? null;
}

test("the kind of a thing is its first key's that the table knows, whatever the tags' order", () => {
  const tags = fc.array(fc.tuple(fc.constantFrom(...table.keys, "name"), VALUES), { maxLength: 5 });
  const entries = fc
    .subarray(TAGS, { maxLength: 3 })
    .map((list) => list.map((tag) => tag.split("=")));
  fc.assert(
    fc.property(tags, entries, (some, others) => {
      const all = new Map([...some, ...others] as [string, string][]);
      assert.equal(kindOfTags(all), plainKind(all));
    }),
    { numRuns: tries(500) },
  );
});

function countOf(tags: Readonly<Record<string, string>>): number {
  const section = createGeocoderSection();
  section.node(aNode(1, [47, 9], tags));
  section.way(
    aWay(
      2,
      [
        [47, 9],
        [47, 9.001],
      ],
      tags,
    ),
  );
  const steps = section.finish();
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    const { addresses, streets, places, points_of_interest, areas } = step.value.counts;
    return addresses! + streets! + places! + points_of_interest! + areas!;
  }
}

test("what the section's keys leave out would have become nothing", () => {
  const { keys } = createGeocoderSection();
  const [node, way] = [createKeyMatcher([{ keys }], "node"), createKeyMatcher([{ keys }], "way")];
  const all = [
    ...table.keys,
    "ref",
    "iata",
    "operator",
    "name",
    "name:de",
    "alt_name",
    "alt_name:fr",
    "old_name",
  ];
  const tags = fc.dictionary(fc.constantFrom(...all), VALUES, { maxKeys: 4 });
  let left_out = 0;
  fc.assert(
    fc.property(tags, (input) => {
      if (Object.keys(input).some((key) => node(key) !== 0 || way(key) !== 0)) return;
      left_out++;
      assert.equal(countOf(input), 0);
    }),
    { numRuns: tries(600) },
  );
  assert.ok(left_out > 50, `${left_out} things`);
});

test("a thing with a name in another language only is a thing of interest, a building is not", () => {
  assert.equal(countOf({ natural: "peak", "name:de": "Spitze" }) > 0, true);
  assert.equal(countOf({ building: "hotel", loc_name: "Spitze" }), 0);
  assert.equal(countOf({ building: "hotel", name: "Spitze" }) > 0, true);
});
