import { AskError, bodyOf, clientFor, serverUrl, toJsonText, URL_OPTION } from "#cli/ask.ts";
import { EXIT, numberOption, textOption, toPoint } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatExplained } from "#cli/print/explain.ts";
import { createPaint } from "#cli/print/paint.ts";

export const explain: Command = {
  name: "explain",
  summary: "show who observes each station near a coordinate, and why they are one or not",
  positionals: ["LAT,LON"],
  options: {
    radius: { value: "M", help: "metres (default and maximum: 400)" },
    modes: { value: "A,B", help: "of bicycle, scooter, moped, car (default: all)" },
    limit: { value: "N", help: "at most so many (default: 100)" },
    url: URL_OPTION,
  },
  examples: ["vicinity explain 48.8566,2.3522", "vicinity explain 52.52,13.405 --radius 150"],
  run: async (parsed, context) => {
    const { io, env } = context;
    const any = { min: -1e9, max: 1e9 };
    const members = {
      radius: numberOption(parsed, "radius", any),
      modes: textOption(parsed, "modes"),
      limit: numberOption(parsed, "limit", { ...any, integer: true }),
    };
    const given = Object.entries(members).filter(([, value]) => value !== undefined);
    const query = { ...toPoint(parsed), include: "stations", debug: true };
    const reply = await clientFor(parsed, context).nearby({
      ...query,
      ...Object.fromEntries(given),
    });
    const body = bodyOf(reply, serverUrl(parsed, context));
    if (!body.debug) throw new AskError("the answer explains nothing: it has no debug block");
    const { entities, resolution } = body.debug;
    io.out.write(
      parsed.options["json"]
        ? toJsonText({ resolution, entities })
        : formatExplained(body, createPaint(io.out, env)),
    );
    return EXIT.ok;
  },
};
