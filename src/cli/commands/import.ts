import { EXIT, textOption, UsageError } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { toJsonText } from "#cli/ask.ts";
import { formatImport } from "#cli/print/import.ts";
import { toOn } from "#cli/print/answer.ts";
import { startProgress } from "#cli/print/progress.ts";
import type { Progress } from "#cli/print/progress.ts";

/** Steps of the bar: a share of the file's bytes, since rows are only known at its end. */
const STEPS = 100;

const SILENT: Progress = {
  update: () => undefined,
  finish: () => undefined,
  stop: () => undefined,
};

export const importFeed: Command = {
  name: "import",
  summary: "read a static GTFS feed into the store; a running service notices",
  positionals: ["KIND", "FILE"],
  options: {
    id: {
      value: "ID",
      help: "what the feed is called here: its last import is replaced",
      required: true,
    },
    region: { value: "NAME", help: "the region of its stations" },
    sandbox: { help: "into the store of the sandbox" },
  },
  examples: [
    "vicinity import gtfs timetable.zip --id bart",
    "vicinity import gtfs ./unpacked --id bart --sandbox --json",
  ],
  async run(parsed, { io, env }) {
    const [kind = "", path = ""] = parsed.positionals;
    if (kind !== "gtfs") throw new UsageError(`expected gtfs, got ${JSON.stringify(kind)}`);
    const feed_id = textOption(parsed, "id") ?? "";
    if (feed_id === "") throw new UsageError("import needs --id, what the feed is called here");
    // A bar on a terminal; elsewhere one line a feed.
    const progress = io.err.isTTY ? startProgress(io.err, "reading", STEPS) : SILENT;
    if (!io.err.isTTY) io.err.write(`reading ${path}\n`);
    const result = await io.importGtfs({
      path,
      env,
      sandbox: parsed.options["sandbox"] === true,
      feed_id,
      region: textOption(parsed, "region") ?? null,
      onProgress: (share) => progress.update(Math.floor(share * STEPS), STEPS),
    });
    if (!result.ok) {
      progress.stop();
      io.err.write(`vicinity: ${path}: ${result.problem}\n`);
      return EXIT.failed;
    }
    progress.finish(STEPS, STEPS);
    const { report } = result;
    const on = toOn(io, env);
    io.out.write(parsed.options["json"] ? toJsonText(report) : formatImport(report, on));
    return EXIT.ok;
  },
};
