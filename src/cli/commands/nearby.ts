import { AskError, URL_OPTION, bodyOf, clientFor, serverUrl, toJsonText } from "#cli/ask.ts";
import { exitOf, numberOption, SEARCH_EXITS, textOption, toPoint } from "#cli/command.ts";
import type { Command, Parsed } from "#cli/command.ts";
import { formatNearby } from "#cli/print/nearby.ts";
import { createPaint } from "#cli/print/paint.ts";
import type { NearbyBodyValue } from "#contract/nearby.ts";
import type { NearbyQuery } from "#client/client.ts";

export const nearby: Command = {
  name: "nearby",
  summary: "ask what is near a coordinate and print it as a table",
  positionals: ["LAT,LON"],
  options: {
    radius: { value: "M", help: "metres (default and maximum: 400)" },
    modes: { value: "A,B", help: "of bicycle, scooter, moped, car (default: all)" },
    include: { value: "A,B", help: "of places, lines, stations, vehicles, alerts" },
    limit: { value: "N", help: "at most so many (default: 100)" },
    offset: { value: "N", help: "skip so many (default: 0)" },
    debug: { help: "show how the sources did" },
    url: URL_OPTION,
  },
  examples: [
    "vicinity nearby 48.8566,2.3522",
    "vicinity nearby -33.9249,18.4241 --modes bicycle --limit 10",
  ],
  exits: SEARCH_EXITS,
  run: async (parsed, context) => {
    const { io, env } = context;
    const query = toQuery(parsed);
    const reply = await clientFor(parsed, context).nearby(query);
    const body = bodyOf(reply, serverUrl(parsed, context));
    if (!Array.isArray(body.results?.stations)) throw new AskError("the answer has no results");
    const paint = createPaint(io.out, env);
    io.out.write(
      parsed.options["json"]
        ? toJsonText(body)
        : formatNearby(body, { out: io.out, paint, now_ms: io.now(), offset: query.offset ?? 0 }),
    );
    return exitOf(body.status, foundIn(body));
  },
};

/** Lines and alerts are not in `total`. */
function foundIn({ total, results }: NearbyBodyValue): number {
  return total + results.lines.length + results.alerts.length;
}

function toQuery(parsed: Parsed): NearbyQuery {
  const any = { min: -1e9, max: 1e9 };
  const members = {
    radius: numberOption(parsed, "radius", any),
    modes: textOption(parsed, "modes"),
    include: textOption(parsed, "include"),
    limit: numberOption(parsed, "limit", { ...any, integer: true }),
    offset: numberOption(parsed, "offset", { ...any, integer: true }),
    debug: parsed.options["debug"] === true ? true : undefined,
  };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return { ...toPoint(parsed), ...Object.fromEntries(given) };
}
