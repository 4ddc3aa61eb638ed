/** Notices about departures, once each: what ends a ride before what delays it. */
import { AROUND } from "#api/agent-around.ts";
import type { ReplyAt } from "#api/operations.ts";
import { cutText } from "#kit/text/cut.ts";
import { toBriefLink } from "./brief.ts";
import type { AnswerOf } from "./tool.ts";

type Results = ReplyAt<"/v1/departures/nearby">["results"];
type Notice = Results["alerts"][number];

/** Words of GTFS and Navitia, the worst first; others follow. */
const EFFECTS: readonly (string | null)[] = [
  ...["no_service", "stop_moved", "accessibility_issue"],
  ...["significant_delays", "reduced_service", "detour", "modified_service"],
];

/** Returns the notices about these departures; no members where there are none. */
export function toDepartureNotices(
  departures: readonly Pick<Results["departures"][number], "alerts">[],
  notices: readonly Notice[],
): Pick<AnswerOf<"find_departures">, "alerts" | "alerts_total"> {
  const named = new Set(departures.flatMap(({ alerts }) => alerts));
  const known = notices.filter(({ id }) => named.has(id));
  if (named.size === 0) return {};
  const ranked = known.toSorted((a, b) => rankOf(a) - rankOf(b));
  return { alerts: ranked.slice(0, AROUND.alerts_max).map(toNotice), alerts_total: named.size };
}

function rankOf({ effect }: Notice): number {
  const at = EFFECTS.indexOf(effect?.toLowerCase() ?? null);
  return at < 0 ? EFFECTS.length : at;
}

/** Of its periods the first that has not ended. */
function toNotice({ id, effect, cause, header, description, url, active_periods }: Notice) {
  const cut = (text: string | null) => text && cutText(text, AROUND.text_max);
  const [period = { from: null, to: null }] = active_periods;
  return {
    ...{ id, effect, cause },
    ...{ header: cut(header), description: cut(description), url: toBriefLink(url) },
    ...{ from: period.from, to: period.to },
  };
}
