/** The order of hits against a sort of everything, with ids as odd as JSON allows and distances that tie. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createBlobWriter, joinChunks, rankAll } from "#kit/bytes.ts";
import type { Hits } from "#world/nearby-hits.ts";
import { itemId, toFound } from "#world/found.ts";
import { createHits } from "#world/nearby-hits.ts";
import type { CaseView } from "#world/identity/case-view.ts";
import { orderHits } from "#world/order-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { anyText } from "../../support/any-text.ts";
import { tries } from "../../support/size.ts";

type Made = { id: string; decimetres: number; merged: boolean };

const id = fc.oneof(
  anyText(),
  fc.string({ unit: fc.constantFrom("a", "!", "é", '"', "\\", "\n", "😀", "\u{ffff}") }),
);
const made = (most: number): fc.Arbitrary<Made[]> =>
  fc.uniqueArray(fc.record({ id, decimetres: fc.nat({ max: most }), merged: fc.boolean() }), {
    selector: (each) => Buffer.from(each.id).toString("hex"),
    maxLength: 200,
    size: "max",
  });

/** One system of stations; those that are merged have a case, whose id it is. */
function toHits(all: readonly Made[]): Hits {
  const hits = createHits(1);
  const writer = createBlobWriter(all.length, 32);
  for (const each of all)
    writer.add(JSON.stringify({ id: each.merged ? "row" : each.id, more: 1 }));
  const head = joinChunks(writer.finish());
  const rank = rankAll(all.map((each) => (each.merged ? "row" : each.id)));
  // Of two systems with the same rows: which of them a hit is of changes nothing in its place.
  hits.systems = [0, 1].map(
    () => ({ shard: { statics: { head, rank } } }) as unknown as SystemEntry,
  );
  const view = { caseAt: (place: number) => ({ id: all[place]!.id }) } as unknown as CaseView;
  hits.views = [view, view];
  hits.count = all.length;
  hits.order = new Uint32Array(all.length);
  hits.row = Uint32Array.from(all.keys());
  hits.decimetres = Float64Array.from(all, ({ decimetres }) => decimetres);
  hits.system = Uint16Array.from(all, (_, i) => i % 2);
  hits.state = new Uint32Array(all.length);
  hits.case_at = Uint32Array.from(all, (each, i) => (each.merged ? i + 1 : 0));
  return hits;
}

function sorted(all: readonly Made[]): string[] {
  return all
    .toSorted(
      (a, b) => a.decimetres - b.decimetres || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)),
    )
    .map((each) => Buffer.from(each.id).toString());
}

function listIds(hits: Hits, most: number): string[] {
  return toFound(hits, { from: 0, to: most }, false).items.map(itemId);
}

for (const [name, most] of [
  ["all at a few distances", 4],
  ["hardly any at the same", 100_000],
] as const)
  test(`the number of hits that is wanted is in order: ${name}`, () => {
    let [request, ties] = [0, 0];
    fc.assert(
      fc.property(made(most), fc.nat({ max: 220 }), (all, wanted) => {
        const hits = toHits(all);
        orderHits(hits, wanted);
        const listed = listIds(hits, wanted);
        assert.deepEqual(listed, sorted(all).slice(0, wanted));
        request += listed.length;
        ties += all.length - new Set(all.map(({ decimetres }) => decimetres)).size;
      }),
      { numRuns: tries(500) },
    );
    assert.ok(request > tries(10_000) && ties > 50, `${request} hits, ${ties} ties`);
  });

test("however many are at one distance, no id of a pack is read to order them", () => {
  const all = Array.from({ length: 5_000 }, (_, i) => ({
    id: `v${(i * 7_919) % 5_000}`,
    decimetres: 3,
    merged: false,
  }));
  const hits = toHits(all);
  hits.system.fill(0);
  const { rank } = hits.systems[0]!.shard!.statics;
  const unread = {
    get bytes(): never {
      throw new Error("an id was read");
    },
  };
  const blind = { shard: { statics: { head: unread, rank } } } as unknown as SystemEntry;
  const seen = hits.systems[0]!;
  for (const wanted of [100, Infinity]) {
    hits.systems = [blind];
    orderHits(hits, wanted);
    hits.systems = [seen];
    assert.deepEqual(listIds(hits, wanted), sorted(all).slice(0, wanted));
  }
});

test("without a number all are in their order", () => {
  fc.assert(
    fc.property(made(30), (all) => {
      const hits = toHits(all);
      orderHits(hits, Infinity);
      assert.deepEqual(listIds(hits, all.length), sorted(all));
    }),
    { numRuns: tries(200) },
  );
});
