import { AskError, URL_OPTION, bodyOf, clientFor, print, serverUrl } from "#cli/ask.ts";
import { EXIT, textOption } from "#cli/command.ts";
import type { Command, CommandContext, Parsed } from "#cli/command.ts";
import { formatChecks } from "#cli/print/node.ts";
import { startProgress } from "#cli/print/print-progress.ts";
import { formatProblems, formatSources, isFailing } from "#cli/print/print-sources.ts";
import { isSandbox } from "#cli/store.ts";
import { readProgramVersion } from "#cli/version.ts";
import type { SourcesBody } from "#api/sources.ts";

/** The survey moves by a few systems a second; asking more often would show nothing new. */
const POLL_MS = 500;

export const doctor: Command = {
  name: "doctor",
  summary:
    "say how every source is, or how this node is: stores, disk, clock, configuration, backup",
  positionals: [],
  options: {
    url: URL_OPTION,
    all: { help: "every source with its figures, not the problems alone" },
    wait: { help: "wait until every system has been surveyed (always so on a terminal)" },
    node: {
      help: "look at the data folder and the service that has it open, not at its sources; changes nothing",
    },
    sandbox: { help: "with --node: the data folder of the sandbox" },
    config: {
      value: "FILE",
      help: "with --node: the configuration file (default: VICINITY_CONFIG)",
    },
  },
  examples: [
    "vicinity doctor",
    "vicinity doctor --all",
    "vicinity doctor --json --url https://vicinity.example.org",
    "vicinity doctor --node",
  ],
  exits: ["1 when a source fails, or with --node a check."],
  run: async (parsed, context) => {
    if (parsed.options["node"] === true) return await runNode(parsed, context);
    const patient = parsed.options["wait"] === true || isInteractive(parsed, context);
    const body = patient ? await waitForSurvey(parsed, context) : await ask(parsed, context);
    const format = parsed.options["all"] === true ? formatSources : formatProblems;
    print(parsed, context, { json: body, table: (on) => format(body.sources, on) });
    return body.sources.some(isFailing) ? EXIT.failed : EXIT.ok;
  },
};

async function runNode(parsed: Parsed, context: CommandContext): Promise<number> {
  const { env, io } = context;
  const file = textOption(parsed, "config");
  const mode = isSandbox(parsed) ? "sandbox" : "live";
  // Loaded here: the configuration knows every source, and other commands need none.
  const { loadConfig } = await import("#config/load.ts");
  const { checkNode } = await import("#cli/node-checks.ts");
  const config = loadConfig({ mode, env, ...(file === undefined ? {} : { file }) });
  const checks = await checkNode({ env, mode, config, version: readProgramVersion(), io });
  print(parsed, context, { json: { checks }, table: (on) => formatChecks(checks, on) });
  return checks.some(({ state }) => state === "failing") ? EXIT.failed : EXIT.ok;
}

function isInteractive(parsed: Parsed, { io }: CommandContext): boolean {
  return io.out.isTTY === true && !parsed.options["json"];
}

async function ask(parsed: Parsed, context: CommandContext): Promise<SourcesBody> {
  const body = bodyOf(await clientFor(parsed, context).sources(), serverUrl(parsed, context));
  if (!Array.isArray(body.sources)) throw new AskError("the answer has no sources");
  return body;
}

/** Asks again until nothing is left to survey, or Ctrl-C: then the table shows what is known. */
async function waitForSurvey(parsed: Parsed, context: CommandContext): Promise<SourcesBody> {
  const { io } = context;
  let body = await ask(parsed, context);
  if (unsurveyed(body) === 0) return body;
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const progress = startProgress(io.err, "surveyed", body.sources.length);
  try {
    while (unsurveyed(body) > 0 && !stop.signal.aborted) {
      progress.update(body.sources.length - unsurveyed(body), body.sources.length);
      await io.sleep(POLL_MS, stop.signal);
      if (!stop.signal.aborted) body = await ask(parsed, context);
    }
  } finally {
    progress.finish(body.sources.length - unsurveyed(body), body.sources.length);
    forget();
  }
  return body;
}

function unsurveyed(body: SourcesBody): number {
  return body.sources.filter((source) => source.state === "not_surveyed").length;
}
