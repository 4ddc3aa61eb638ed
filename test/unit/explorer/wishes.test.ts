/** Wishes of the page: three values, by the rules that the server's filters have. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isForWheelchairs, isFree } from "#core/places/usable-filter.ts";

type Item = { layer: string; usable: string; raw: object; operator: string | null };
type Wishes = ReadonlySet<string>;

const { choose, doubtsOf } = (await import(
  new URL("../../../explorer/data/wishes.js", import.meta.url).href
)) as {
  choose(items: readonly Item[], state: { wishes: Wishes; operator: string | null }): Item[];
  doubtsOf(item: Item, wishes: Wishes): string[];
};

/** What the page makes of an item: true, false, or null where it is not known. */
function judge(wish: string, item: Partial<Item>): boolean | null {
  const whole = { layer: "service", usable: "yes", raw: {}, operator: null, ...item };
  const wishes = new Set([wish]);
  if (choose([whole], { wishes, operator: null }).length === 0) return false;
  return doubtsOf(whole, wishes).length === 0 ? true : null;
}

test("a service is judged as the server judges it", () => {
  const features = ["free_parking", "paid_parking", "valet_parking"];
  const lists = [undefined, [], ...features.map((each) => [each]), features];
  for (const fee of [undefined, true, false])
    for (const list of lists) {
      const attributes = {
        ...(fee !== undefined && { fee }),
        ...(list && { parking: { features: list } }),
      };
      assert.equal(
        judge("free", { raw: { attributes } }),
        isFree(attributes),
        JSON.stringify(attributes),
      );
    }
  for (const wheelchair of [undefined, "yes", "no", "limited", "unknown"]) {
    const attributes = { ...(wheelchair && { wheelchair }) };
    const shown = [judge("wheelchair", { raw: { attributes } }), isForWheelchairs(attributes)];
    assert.equal(shown[0], shown[1], `${wheelchair}`);
  }
});

test("what a wish says nothing of meets it, and what is not known stays", () => {
  const station = (electric: number | null) => ({
    layer: "station",
    raw: { availability: { electric } },
  });
  const vehicle = (propulsion?: string) => ({
    layer: "vehicle",
    raw: { source: { vehicle_type: { propulsion } } },
  });
  assert.deepEqual(
    [station(2), station(0), station(null)].map((item) => judge("electric", item)),
    [true, false, null],
  );
  assert.deepEqual(
    ["electric_assist", "human", "combustion", undefined].map((each) =>
      judge("electric", vehicle(each)),
    ),
    [true, false, false, null],
  );
  for (const wish of ["wheelchair", "free"])
    assert.equal(judge(wish, vehicle("human")), true, wish);
  assert.equal(judge("electric", { layer: "transit" }), true);
  assert.deepEqual(
    ["yes", "no", "unknown"].map((usable) => judge("usable", { usable })),
    [true, false, null],
  );
});
