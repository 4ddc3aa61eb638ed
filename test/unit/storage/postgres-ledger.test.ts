/** Totals in memory: in any order of arrival the highest is kept; an unknown one is no zero. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PeriodRow } from "#storage/usage/usage-ledger.ts";
import { PeriodTotals } from "#storage/postgres/totals.ts";
import { forAll } from "../../support/domain.ts";

const anyRow: fc.Arbitrary<PeriodRow> = fc.record({
  account_id: fc.constantFrom("a", "b"),
  period: fc.constantFrom("2026-10", "2026-11", "2026-12"),
  units: fc.nat(100),
});

test("the order in which answers arrive does not matter", () => {
  forAll(
    fc.property(fc.array(anyRow), fc.nat(), (rows, at) => {
      const totals = new PeriodTotals();
      const loaded = rows.length === 0 ? 0 : at % rows.length;
      // Some are raised before all are loaded.
      totals.raise(rows.slice(loaded));
      totals.load("2026-11", { rows: rows.slice(0, loaded), complete: true });
      for (const month of ["2026-11", "2026-12"])
        for (const id of ["a", "b"]) {
          const own_rows = rows.filter((row) => row.account_id === id && row.period === month);
          assert.equal(
            totals.unitsOf(id, month),
            Math.max(0, ...own_rows.map(({ units }) => units)),
          );
        }
      assert.throws(() => totals.unitsOf("a", "2026-10"), /2026-10 is not known/);
    }),
  );
});

test("nothing is known before it was loaded, and not from before it begins", () => {
  const totals = new PeriodTotals();
  const row = { account_id: "a", period: "2026-11", units: 7 };
  totals.raise([row]);
  assert.throws(() => totals.unitsOf("a", "2026-11"), /not known/);
  totals.load("2026-10", { rows: [], complete: true });
  assert.equal(totals.unitsOf("a", "2026-11"), 7);
  totals.load("2026-12", { rows: [], complete: false });
  assert.throws(() => totals.unitsOf("a", "2026-11"), /not known/);
  totals.load("2026-10", { rows: [], complete: false });
  assert.throws(() => totals.unitsOf("a", "2026-11"), /not known/, "some of it was let go");
  totals.load("2026-10", { rows: [row], complete: true });
  assert.equal(totals.unitsOf("a", "2026-11"), 7);
});
