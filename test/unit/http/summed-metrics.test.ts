/** Metrics of several threads as one text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "#http/metrics.ts";
import { METRICS } from "#http/metric-table.ts";
import { sumMetrics } from "#http/summed-metrics.ts";
import { readExposition } from "../../support/exposition.ts";

test("counters and histograms are added up, and what is the process's own is said once", (t) => {
  const [main, one, two] = [createMetrics(), createMetrics(), createMetrics()];
  for (const each of [main, one, two]) t.after(() => each.close());
  one.lookedUp("photon", "ok", 0.3);
  two.lookedUp("photon", "ok", 3);
  one.inflight.count = 2;
  two.inflight.count = 3;
  main.watch("svc_store_up", () => 1);
  two.watch("svc_store_up", () => 0);
  main.watch("svc_workers", () => 2);
  one.watch("svc_feeds", () => [{ labels: { state: "ok" }, value: 7 }]);
  const text = sumMetrics([main, one, two].map((each) => each.text()));
  const { series, types } = readExposition(text);
  const valueOf = (name: string, label = "", value = ""): number | undefined =>
    series.find((each) => each.name === name && (label === "" || each.labels[label] === value))
      ?.value;
  const seconds = "svc_provider_request_duration_seconds";
  assert.equal(valueOf(`${seconds}_count`), 2);
  assert.equal(valueOf(`${seconds}_bucket`, "le", "1"), 1);
  assert.equal(valueOf(`${seconds}_bucket`, "le", "+Inf"), 2);
  assert.equal(valueOf("svc_http_inflight", "class", "anonymous"), 5);
  assert.equal(valueOf("svc_store_up"), 0, "the worst of them");
  assert.equal(valueOf("svc_workers"), 2);
  assert.equal(valueOf("svc_feeds", "state", "ok"), undefined, "the main thread has the feeds");
  assert.deepEqual(new Set(types.keys()), new Set(Object.keys(METRICS)));
  const names = series.map(({ name, labels }) => JSON.stringify([name, labels]));
  assert.equal(new Set(names).size, names.length, "each series once");
});
