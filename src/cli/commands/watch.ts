/** What is near a coordinate while it changes: a table that is kept current, or one line a change. */
import { bodyOf, clientFor, serverUrl, URL_OPTION } from "#cli/ask.ts";
import {
  type Command,
  type CommandContext,
  EXIT,
  numberOption,
  optionBy,
  type Parsed,
  textOption,
  toNumber,
  toPoint,
  UsageError,
} from "#cli/command.ts";
import { openFace, toLine } from "#cli/live-faces.ts";
import { type Around, LiveView } from "#cli/live-view.ts";
import { toOn } from "#cli/print/print-answer.ts";
import { formatLive } from "#cli/print/print-live.ts";
import { count } from "#cli/print/print-words.ts";
import { optionsOf, queryOf } from "#cli/search.ts";
import type { StreamQuery } from "#api/client/client.ts";
import type { LiveEvent } from "#api/client/live-event.ts";
import { LIMITS } from "#api/limits.ts";
import { type LiveSnapshotValue, STREAM_PARAMETERS } from "#api/live.ts";
import { type Box, boxAround, middleOf } from "#kit/geo.ts";
import { textBy } from "#kit/rule.ts";

const { modes, include } = STREAM_PARAMETERS;
const PARAMETERS = { modes, include };

const RADIUS_M = 500;
/** The box around a larger circle is larger than a box may be. */
const RADIUS_MAX_M = Math.floor((Math.sqrt(LIMITS.live.box_km2_max) * 1_000) / 2) - 1;

export const watch: Command = {
  name: "watch",
  summary: "watch what is near a coordinate, or in a box, while it changes",
  positionals: ["[LAT,LON]"],
  options: {
    radius: {
      value: "M",
      help: `of the circle in metres (default: ${RADIUS_M}, maximum: ${RADIUS_MAX_M})`,
    },
    bbox: { value: "W,S,E,N", help: "a box in place of a coordinate, in degrees" },
    ...optionsOf(PARAMETERS),
    once: { help: "print what is there now, and end" },
    key: { value: "KEY", help: "the API key (default: VICINITY_API_KEY, which others do not see)" },
    url: URL_OPTION,
  },
  examples: [
    "vicinity watch 48.8566,2.3522",
    "vicinity watch 48.8566,2.3522 --radius 300 --modes bicycle --include stations",
    "vicinity watch --bbox 2.345,48.852,2.36,48.862 --json",
  ],
  exits: [
    "0 when it is ended with Ctrl-C.",
    "3 when --once shows nothing while a source is lost or has not been read: there may be something.",
  ],
  run: (parsed, context) => {
    const area = toArea(parsed);
    const query = { bbox: area.bbox, ...queryOf(parsed, PARAMETERS) };
    const watching = { parsed, context: withKey(parsed, context), area, query };
    return parsed.options["once"] === true ? showOnce(watching) : showChanges(watching);
  },
};

type Area = { bbox: string; around: Around; where: string };
type Watching = { parsed: Parsed; context: CommandContext; area: Area; query: StreamQuery };

function toArea(parsed: Parsed): Area {
  const box = optionBy(parsed, "bbox", BOX);
  const radius_m = numberOption(parsed, "radius", { min: 1, max: RADIUS_MAX_M });
  const has_point = parsed.positionals.length > 0;
  if ((box !== undefined) === has_point) throw new UsageError("watch needs LAT,LON or --bbox");
  if (box !== undefined) {
    if (radius_m !== undefined) throw new UsageError("--radius: a box has none");
    const bbox = toText(box);
    return { bbox, around: { centre: middleOf(box), radius_m: Infinity }, where: `in ${bbox}` };
  }
  const centre = toPoint(parsed);
  // Else the server would name a box, which is not what was given.
  for (const name of ["lat", "lon"] as const) {
    const { min, max } = LIMITS[name];
    if (centre[name] < min || centre[name] > max)
      throw new UsageError(`LAT,LON: ${name} must be from ${min} to ${max}, got ${centre[name]}`);
  }
  const around = { centre, radius_m: radius_m ?? RADIUS_M };
  const where = `within ${count(around.radius_m)} m of ${centre.lat}, ${centre.lon}`;
  return { bbox: toText(boxAround(centre, around.radius_m)), around, where };
}

const BOX = textBy("W,S,E,N such as 2.345,48.852,2.36,48.862", (text): Box | undefined => {
  const [west, south, east, north, ...rest] = text.split(",").map((part) => toNumber(part.trim()));
  if (west === undefined || south === undefined || east === undefined || north === undefined)
    return;
  return rest.length > 0 ? undefined : { west, south, east, north };
});

/** A tenth of a metre. */
function toText({ west, south, east, north }: Box): string {
  return [west, south, east, north].map((side) => Number(side.toFixed(6))).join(",");
}

function withKey(parsed: Parsed, context: CommandContext): CommandContext {
  const api_key = textOption(parsed, "key");
  return api_key === undefined ? context : { ...context, env: { ...context.env, api_key } };
}

async function showOnce({ parsed, context, area, query }: Watching): Promise<number> {
  const { io, env } = context;
  const reply = await clientFor(parsed, context).snapshot(query);
  const body: LiveSnapshotValue = bodyOf(reply, serverUrl(parsed, context));
  const event: LiveEvent = { kind: "snapshot", id: "", body };
  const view = new LiveView(area.around);
  view.note(event, io.now());
  const on = { ...toOn(io, env), height: Infinity, where: area.where };
  io.out.write(parsed.options["json"] ? toLine({ kind: "snapshot", body }) : formatLive(view, on));
  const is_unsure = body.sources.some(({ state }) => state === "lost" || state === "waiting");
  return view.rows.length === 0 && is_unsure ? EXIT.unknown : EXIT.ok;
}

async function showChanges(watching: Watching): Promise<number> {
  const { parsed, context, area, query } = watching;
  const { io } = context;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const forget = io.onInterrupt(end);
  // A reader such as `head` has seen enough.
  io.out.once("error", end).once("close", end);
  const view = new LiveView(area.around);
  const face = openFace({ parsed, context, view, where: area.where, signal: stop.signal });
  try {
    const events = clientFor(parsed, context).stream(query, { signal: stop.signal });
    for await (const event of events) {
      checkEvent(event, view, serverUrl(parsed, context));
      await face.show(event);
    }
  } finally {
    forget();
    end();
    io.out.off("error", end).off("close", end);
    await face.close();
  }
  return EXIT.ok;
}

/** What the stream ends with is an error; so is a server that was never there. */
function checkEvent(event: LiveEvent, view: LiveView, url: string): void {
  const { kind } = event;
  if (kind === "refused" || kind === "stranger" || kind === "unreachable") bodyOf(event, url);
  if (kind === "interrupted" && event.status === null && !view.has_begun)
    bodyOf({ kind: "unreachable", reason: event.reason }, url);
}
