import { AskError, URL_OPTION, bodyOf, clientFor, print, serverUrl } from "#cli/ask.ts";
import { EXIT } from "#cli/command.ts";
import type { Command, Context, Parsed } from "#cli/command.ts";
import { startProgress } from "#cli/print/progress.ts";
import { formatSources, isFailing } from "#cli/print/sources.ts";
import type { SourcesBody } from "#contract/sources.ts";

/** The survey moves by a few systems a second; asking more often would show nothing new. */
const POLL_MS = 500;

export const doctor: Command = {
  name: "doctor",
  summary: "say how every source is: reachable, fresh, how many entities, which licence",
  positionals: [],
  options: {
    url: URL_OPTION,
    wait: { help: "wait until every system has been surveyed (always so on a terminal)" },
  },
  examples: ["vicinity doctor", "vicinity doctor --json --url https://vicinity.example.org"],
  run: async (parsed, context) => {
    const patient = parsed.options["wait"] === true || isInteractive(parsed, context);
    const body = patient ? await waitForSurvey(parsed, context) : await ask(parsed, context);
    print(parsed, context, { json: body, table: (on) => formatSources(body.sources, on) });
    return body.sources.some(isFailing) ? EXIT.failed : EXIT.ok;
  },
};

function isInteractive(parsed: Parsed, { io }: Context): boolean {
  return io.out.isTTY === true && !parsed.options["json"];
}

async function ask(parsed: Parsed, context: Context): Promise<SourcesBody> {
  const body = bodyOf(await clientFor(parsed, context).sources(), serverUrl(parsed, context));
  if (!Array.isArray(body.sources)) throw new AskError("the answer has no sources");
  return body;
}

/** Asks again until nothing is left to survey, or Ctrl-C: then the table shows what is known. */
async function waitForSurvey(parsed: Parsed, context: Context): Promise<SourcesBody> {
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
