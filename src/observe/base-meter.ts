/** Pages of imported bases in memory, as series of /metrics (docs/open-base.md, Memory). */
import { byLabel } from "#http/metric-family.ts";
import type { Metrics } from "#http/metrics.ts";
import type { Bases } from "#upstream/bases/shelf.ts";

type Paged = Pick<Bases, "list" | "pageFacts">;

export function watchBasePages(metrics: Pick<Metrics, "watch">, bases: Paged): void {
  metrics.watch("svc_base_pages_bytes", () => {
    const { bytes, pinned_bytes, bytes_max } = bases.pageFacts();
    return byLabel("state", { memory: bytes, pinned: pinned_bytes, bound: bytes_max });
  });
  metrics.watch("svc_base_pages", () => {
    const failed = bases.list().reduce((sum, base) => sum + base.listFailed().length, 0);
    return byLabel("state", { memory: bases.pageFacts().pages, failed });
  });
  metrics.watch("svc_base_page_requests_total", () => {
    const { hits, reads } = bases.pageFacts();
    return byLabel("outcome", { hit: hits, read: reads });
  });
  metrics.watch("svc_base_page_evictions_total", () => [
    { labels: {}, value: bases.pageFacts().evictions },
  ]);
  metrics.watch("svc_base_page_waits_total", () => [
    { labels: {}, value: bases.pageFacts().waits },
  ]);
}
