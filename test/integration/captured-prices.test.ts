/**
 * Pricing plans of captured systems: how many are read, and what a ride of ten minutes costs by each. Captures
 * are no part of this repository: where they are missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { costOf } from "#core/ride-cost.ts";
import { ingest } from "#providers/protocols.ts";
import { openStatics } from "#stations/index.ts";
import { NOW_MS } from "../support/domain.ts";

const SHARED =
  process.env["VICINITY_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../shared/data", import.meta.url));
const SETS = join(SHARED, "gbfs");
const skip = existsSync(SETS) ? false : `PRICES NOT COMPARED: no captures at ${SETS}`;

/** Folder, plans, and by hand: what ten minutes cost by some of them, null where that is not known. */
const CAPTURED: readonly [string, number, Readonly<Record<string, number | null>>][] = [
  [
    "divvy-chicago-2025-01",
    3,
    { EBIKE_SINGLE_RIDE: 5.4, BIKE_SINGLE_RIDE: 2.8, SCOOTER_SINGLE_RIDE: 5.4 },
  ],
  // Bundles of minutes that are bought before: what one more ride costs is not said.
  [
    "beryl-greater-manchester-2024-08",
    10,
    { "91-bike": 1, "91-ebike": 2, "1135-bike": null, "1135-ebike": null },
  ],
  // One price for "an hour on average" in words alone.
  ["getaround-stavanger-2024-03", 40, { "YGA:PricingPlan:1322175": null }],
  // Passes, whose fees after an hour are in words.
  [
    "small-helsinki-lillestrom-2021/lillestrom",
    2,
    { "YLS:PricingPlan:D16E7EC0-47F5-427D-9B71-CD079F989CC6": null },
  ],
];

for (const [folder, count, costs] of CAPTURED)
  test(`plans of ${folder}`, { skip }, () => {
    const read = (file: string) => ({
      bytes: readFileSync(join(SETS, folder, `${file}.json`)),
      fetched_at_ms: NOW_MS,
    });
    const { files, statics } = ingest({
      ...{ protocol: "gbfs", system_id: folder, url: "https://feeds.example/gbfs.json" },
      ...{ mode_hint: null, name: null, network: null, has_vehicle_feed: false },
      ...{ now_ms: NOW_MS, statics: null },
      bodies: {
        system_information: read("system_information"),
        system_pricing_plans: read("system_pricing_plans"),
      },
    });
    const { plans = [] } = openStatics(statics!).meta;
    assert.equal(plans.length, count);
    const report = files.system_pricing_plans;
    assert.ok(report?.ok && report.seen === count && report.accepted === count);
    const of_ten = new Map(
      plans.map((plan) => [plan.plan_id, costOf(plan, { minutes: 10, km: null })?.amount ?? null]),
    );
    for (const [id, amount] of Object.entries(costs)) assert.equal(of_ten.get(id), amount, id);
    for (const { currency, text: words } of plans) assert.ok(currency !== null && words !== null);
    // A ride is never free by what is not stated.
    assert.ok([...of_ten.values()].every((amount) => amount !== 0));
  });
