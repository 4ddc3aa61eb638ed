/** The simulated sources disagree at least as much as real ones do (issue: identity resolution). */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { formatRates } from "../../trials/sandbox-rates/print.ts";
import { compareRates, realRates, simulatedRates } from "../../trials/sandbox-rates/rates.ts";

const SHARED =
  process.env["VICINITY_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../shared/data", import.meta.url));
const PAIRS = join(SHARED, "pairs");
const skip = existsSync(PAIRS)
  ? false
  : `RATES OF DISAGREEMENT NOT COMPARED: no labelled captures at ${PAIRS}`;

const SEEDS = [1, ...Array.from({ length: 3 }, () => randomInt(2 ** 32))];

for (const seed of SEEDS)
  test(`seed ${seed} is as difficult as real pairs of sources`, { skip }, async (t) => {
    const rows = compareRates(await simulatedRates(seed), realRates(PAIRS));
    t.diagnostic(`\n${formatRates(rows)}`);
    assert.deepEqual(
      rows.filter(({ enough }) => enough === false),
      [],
    );
    assert.ok(rows[0]!.simulated > 1_500, "pairs of observations were compared");
  });

test("a world that is too easy is detected", () => {
  const wild = { share: 0.5, pairs: 1 };
  const rates = { ...wild, "moved more than 5 m": 0.1 } as never;
  const real = { ...wild, "moved more than 5 m": 0.2 } as never;
  const found = compareRates(rates, real).filter(({ enough }) => enough === false);
  assert.deepEqual(
    found.map(({ name }) => name),
    ["moved more than 5 m"],
  );
});
