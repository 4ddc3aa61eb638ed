/** What was left out of a file is said once, and again when the reasons are others. */
import type { FeedFile, FileReport } from "#providers/provider.ts";
import type { Context, SystemState } from "#upstream/feeds/state.ts";

export function tellDropped(
  ctx: Context,
  state: SystemState,
  file: FeedFile,
  report: FileReport | undefined,
): void {
  if (!report?.ok || report.trail.dropped.length === 0) return;
  const { seen, trail } = report;
  const reasons = trail.dropped.map(({ reason }) => reason).join(" ");
  if (state.said.get(file) === reasons) return;
  state.said.set(file, reasons);
  const event = { kind: "dropped", outcome: "ok", reason: null, elapsed_ms: 0 } as const;
  ctx.onEvent?.({ ...event, source_id: state.system.id, file, seen, dropped: trail.dropped });
}
