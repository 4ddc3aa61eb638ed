/** What pages of bases take in memory, and which of them fail, as series. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "#http/metrics.ts";
import { watchBasePages } from "#observe/base-meter.ts";
import type { HeldBase } from "#upstream/bases/held-base.ts";
import { NO_BASES } from "#upstream/bases/shelf.ts";

test("pages are counted as the cache has them, and failures over all bases", (t) => {
  const metrics = createMetrics();
  t.after(metrics.close);
  const failing = (count: number) => ({ listFailed: () => Array.from({ length: count }) });
  watchBasePages(metrics, {
    list: () => [failing(2), failing(0), failing(1)] as unknown as HeldBase[],
    pageFacts: () => ({
      ...{ bytes_max: 100, bytes: 70, pinned_bytes: 30, pages: 5 },
      ...{ hits: 11, reads: 6, evictions: 4, waits: 3 },
    }),
  });
  const lines = metrics
    .text()
    .split("\n")
    .filter((line) => line.startsWith("svc_base_page"));
  assert.deepEqual(lines.toSorted(), [
    "svc_base_page_evictions_total 4",
    'svc_base_page_requests_total{outcome="hit"} 11',
    'svc_base_page_requests_total{outcome="read"} 6',
    "svc_base_page_waits_total 3",
    'svc_base_pages_bytes{state="bound"} 100',
    'svc_base_pages_bytes{state="memory"} 70',
    'svc_base_pages_bytes{state="pinned"} 30',
    'svc_base_pages{state="failed"} 3',
    'svc_base_pages{state="memory"} 5',
  ]);
});

test("where bases are switched off nothing is in memory", (t) => {
  const metrics = createMetrics();
  t.after(metrics.close);
  watchBasePages(metrics, NO_BASES);
  assert.match(metrics.text(), /^svc_base_pages\{state="failed"\} 0$/m);
});
