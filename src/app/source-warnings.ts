/** What an operator should know of the sources of a deployment at its start. */
import type { Config } from "#config/load.ts";
import { listSources, type SourceId } from "#providers/registry.ts";
import { isConfigured } from "#providers/source.ts";
import type { SourceItem } from "./answer-types.ts";

/** Sources that are switched on and not asked, for want of configuration: nothing else would say so. */
export function listNotAsked(
  opened: readonly { listSources(now_ms: number): SourceItem[] }[],
): { source: string; reason: string; message: string }[] {
  return opened
    .flatMap((each) => each.listSources(0))
    .flatMap(({ id, problem }) =>
      problem?.word === "not configured"
        ? [{ source: id, reason: problem.reason, message: problem.message }]
        : [],
    );
}

/** Sources whose key costs money and has no bound: it spends whatever strangers ask for. */
export function listUnbounded({ mode, sources }: Pick<Config, "mode" | "sources">): SourceId[] {
  if (mode !== "live") return [];
  return listSources().flatMap(([id, source]) => {
    const settings = sources[id] as { enabled: boolean; calls_per_day?: number | null };
    const { enabled, calls_per_day = null } = settings;
    const isOpen = enabled && isConfigured(source, settings) && calls_per_day === null;
    return source.paid && isOpen ? [id] : [];
  });
}
