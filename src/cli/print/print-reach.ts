/** Answers of /v1/walk and /v1/reach for people. */
import type { On } from "#cli/print/print-answer.ts";
import { paintStatus } from "#cli/print/print-answer.ts";
import { minutesOnFoot, walkNotes } from "#cli/print/print-walk.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { UNKNOWN, count, metres } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { ReachBodyValue } from "#api/reach.ts";
import type { WayBodyValue } from "#api/way.ts";

/** `success · 4 min, 281 m, without steps`, or why there is no way. */
export function formatWay(body: WayBodyValue, { paint }: On): string {
  const { status, message, meters, seconds, from_snap_meters, to_snap_meters, walking } = body;
  const head = paintStatus(status, paint);
  if (meters === null || seconds === null) return `${head} · ${oneLine(message ?? "no way")}\n`;
  const time = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  const ends = `${metres(from_snap_meters ?? undefined)} to the first street, ${metres(to_snap_meters ?? undefined)} from the last`;
  const owner = walking.base?.attribution ? `, ${oneLine(walking.base.attribution)}` : "";
  return [
    `${head} · ${time}, ${metres(meters)}, ${stepsOf(body)}\n`,
    `${ends}\n`,
    `on foot at ${walking.speed_meters_per_second} m/s${owner}\n`,
  ].join("");
}

function stepsOf({ step_free }: WayBodyValue): string {
  if (step_free === null) return "not known whether with steps";
  return step_free ? "without steps" : "with steps";
}

const COLUMNS: readonly Column[] = [
  { title: "kind" },
  { title: "count", align: "right" },
  { title: "on foot", align: "right" },
  { title: "away", align: "right" },
  { title: "nearest", elastic: true, least: 16 },
];

/** One line a family; one of which nothing is held is a dash, never 0. */
export function formatReach(body: ReachBodyValue, on: On): string {
  const { status, message, notices = [], minutes, walking, query_origin } = body;
  const { lat, lon } = query_origin;
  const rows = Object.entries(body.reached).map(([family, reached]) => {
    const nearest = reached?.nearest ?? null;
    return [
      family.replaceAll("_", " "),
      reached === null || reached === undefined ? UNKNOWN : count(reached.count),
      nearest === null ? UNKNOWN : minutesOnFoot(nearest.walk, walking.profile),
      nearest === null ? UNKNOWN : metres(nearest.distance_meters),
      nearest === null ? UNKNOWN : oneLine(nearest.name ?? UNKNOWN),
    ];
  });
  const walks = Object.values(body.reached).flatMap((reached) => reached?.nearest?.walk ?? []);
  const words = message === undefined ? "" : `${oneLine(message)}\n`;
  const cuts = notices.flatMap(({ cut, message: text }) => (cut ? [`${oneLine(text)}\n`] : []));
  const unknown = Object.values(body.reached).reduce((sum, each) => sum + (each?.unknown ?? 0), 0);
  return [
    `${paintStatus(status, on.paint)} · within ${minutes} min on foot of ${lat}, ${lon}\n`,
    words,
    ...cuts,
    `\n${renderTable(COLUMNS, rows, on)}`,
    walkNotes(body, walks),
    unknown > 0 ? `of ${count(unknown)} more near enough no way on foot is known\n` : "",
  ].join("");
}
