/** What a filter keeps: all that is not known to miss it (docs/design/places.md, "Usable now"). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { UNKNOWN_COUNTS } from "#api/usable.ts";
import {
  hasConnector,
  isForWheelchairs,
  isFree,
  isPublic,
  keepUsable,
} from "#core/places/usable-filter.ts";

type Reading = [attributes: Record<string, unknown>, fits: boolean | null];

const READERS: [name: string, read: typeof isFree, cases: Reading[]][] = [
  [
    "wheelchair: only a whole yes is one",
    isForWheelchairs,
    [
      [{ wheelchair: "yes" }, true],
      [{ wheelchair: "limited" }, false],
      [{ wheelchair: "no" }, false],
      [{ wheelchair: "unknown" }, null],
      [{ wheelchair: "probably" }, null],
      [{ wheelchair: true }, null],
      [{}, null],
    ],
  ],
  [
    "fee: what is not known, or differs between the spaces of a car park, is neither yes nor no",
    isFree,
    [
      [{ fee: false }, true],
      [{ fee: true }, false],
      [{ fee: "no" }, null],
      [{}, null],
      [{ parking: { features: ["free_parking"] } }, true],
      [{ parking: { features: ["paid_garage_parking", "valet_parking"] } }, false],
      [{ parking: { features: ["free_parking", "paid_parking"] } }, null],
      [{ parking: { features: ["valet_parking"] } }, null],
      [{ parking: { features: [] } }, null],
      [{ parking: { features: "free_parking" } }, null],
      [{ fee: true, parking: { features: ["free_parking"] } }, false],
    ],
  ],
  [
    "access: customers and the like are not all",
    isPublic,
    [
      [{ access: "yes" }, true],
      [{ access: "permissive" }, true],
      [{ access: "customers" }, false],
      [{ access: "restricted" }, false],
      [{ access: "unknown" }, null],
      [{ access: "private" }, null],
      [{}, null],
    ],
  ],
];

for (const [name, read, cases] of READERS)
  test(name, () => {
    for (const [attributes, fits] of cases)
      assert.equal(read(attributes), fits, JSON.stringify(attributes));
  });

const CCS = { types: ["CCS2"], min_kw: 50, free: true };
const ccs = (change: object = {}): object => ({
  type: "CCS2",
  max_kw: 50,
  available_count: 1,
  ...change,
});

test("connector: one and the same has the type, the power and a free place", () => {
  const cases: [connectors: object[] | undefined, fits: boolean | null, change?: object][] = [
    [[ccs()], true],
    [[ccs({ type: "Type 2" })], false],
    [[ccs({ type: "Other" })], null],
    [[ccs({ type: "Other", max_kw: 2.3 })], false],
    [[ccs({ max_kw: 49.9 })], false],
    [[ccs({ max_kw: undefined })], null],
    [[ccs({ available_count: 0 })], false],
    [[ccs({ available_count: 0 })], true, { free: false }],
    [[ccs({ available_count: undefined })], null],
    [[ccs({ available_count: undefined, max_kw: 11 })], false],
    [[ccs({ max_kw: 11 }), ccs({ available_count: 0 })], false],
    [[ccs({ max_kw: 11 }), ccs({ type: "NACS" })], false],
    [[ccs({ max_kw: 11 }), ccs()], true],
    [[ccs({ available_count: 0 }), ccs({ max_kw: undefined })], null],
    [[ccs({ type: "NACS", max_kw: 350 })], true, { types: null }],
    [[ccs({ max_kw: undefined })], true, { min_kw: 0 }],
    [[], null],
    [undefined, null],
  ];
  for (const [connectors, fits, change] of cases) {
    const attributes = connectors === undefined ? {} : { charging: { connectors } };
    const wish = { ...CCS, ...change };
    assert.equal(hasConnector(attributes, wish), fits, JSON.stringify([connectors, change]));
  }
});

const anyFit = fc.constantFrom(true, false, null);

test("a filter keeps some of the items, in their order, and all of which nothing is known", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyFit, anyFit, anyFit, anyFit), { maxLength: 30 }),
      fc.subarray([0, 1, 2, 3] as const),
      (items, set) => {
        const wishes = set.map((at) => ({
          count: UNKNOWN_COUNTS[at],
          fits: (item: readonly (boolean | null)[]) => item[at]!,
        }));
        const { items: stored_items, unknown } = keepUsable(items, wishes);
        assert.deepEqual(
          stored_items,
          items.filter((item) => set.every((at) => item[at] !== false)),
        );
        assert.deepEqual(
          Object.keys(unknown),
          set.map((at) => UNKNOWN_COUNTS[at]),
        );
        for (const at of set) {
          const fitting: number = stored_items.filter((item) => item[at] === true).length;
          assert.equal(unknown[UNKNOWN_COUNTS[at]]! + fitting, stored_items.length);
        }
      },
    ),
  );
});
