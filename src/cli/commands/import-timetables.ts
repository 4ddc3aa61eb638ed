/** `vicinity import gtfs`: one timetable or several, side by side as far as the memory goes. */
import { basename, extname } from "node:path";
import { EXIT, optionBy, textOption, toNumber, UsageError } from "#cli/command.ts";
import type { CommandContext, Parsed } from "#cli/command.ts";
import { print } from "#cli/ask.ts";
import type { CliImportResult } from "#cli/io.ts";
import { sayFailed, startReading, STEPS } from "#cli/commands/import-progress.ts";
import { formatImport } from "#cli/print/print-import.ts";
import { isSandbox } from "#cli/store.ts";
import type { Box } from "#kit/geo.ts";
import { type Rule, textBy } from "#kit/rule.ts";
import { hasControls } from "#kit/text/controls.ts";

const BOX: Rule<Box> = textBy("SOUTH,WEST,NORTH,EAST such as 52.3,13.0,52.7,13.8", (text) => {
  const [south, west, north, east, ...rest] = text.split(",").map((part) => toNumber(part.trim()));
  if (south === undefined || west === undefined || north === undefined || east === undefined)
    return undefined;
  const fits =
    rest.length === 0 &&
    [south, north].every((lat) => Math.abs(lat) <= 90) &&
    [west, east].every((lon) => Math.abs(lon) <= 180);
  return fits ? { south, west, north, east } : undefined;
});
/** West may be greater than east: such a box crosses the antimeridian. */
const SIDES: readonly Rule<Box>[] = [
  boxWhere(({ south, north }) => south < north, "the first number, SOUTH, below the third, NORTH"),
  boxWhere(
    ({ west, east }) => west !== east,
    "the second number, WEST, other than the fourth, EAST",
  ),
];

function boxWhere(fits: (box: Box) => boolean, words: string): Rule<Box> {
  return { words, read: (value) => (fits(value as Box) ? (value as Box) : undefined) };
}

type Wanted = { path: string; feed_id: string };
type Done = Wanted & { result: CliImportResult };

export async function importTimetables(parsed: Parsed, context: CommandContext): Promise<number> {
  const { io, env } = context;
  const wanted = listWanted(parsed);
  const box = optionBy(parsed, "bbox", BOX, ...SIDES) ?? null;
  const progress = startReading(
    context,
    wanted.map(({ path }) => path),
  );
  const shares = wanted.map(() => 0);
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const region = textOption(parsed, "region") ?? null;
  const common = { env, sandbox: isSandbox(parsed), region, box, signal: stop.signal };
  const importing = wanted.map(async ({ path, feed_id }, i): Promise<Done> => {
    const onProgress = (share: number): void => {
      shares[i] = share;
      const done = shares.reduce((sum, each) => sum + each, 0) / shares.length;
      progress.update(Math.floor(done * STEPS), STEPS, `${Math.floor(done * 100)} %`);
    };
    const result = await io.importGtfs({ ...common, path, feed_id, onProgress });
    return { path, feed_id, result };
  });
  const all = await Promise.all(importing).finally(forget);
  const hasFailed = all.some(({ result }) => !result.ok);
  if (hasFailed) progress.stop();
  else progress.finish(STEPS, STEPS);
  for (const { path, result } of all) if (!result.ok) sayFailed(context, path, result.problem);
  printDone(parsed, context, all);
  return hasFailed ? EXIT.failed : EXIT.ok;
}

/** One report as it is; of several, each with the id that it has here. */
function printDone(parsed: Parsed, context: CommandContext, all: readonly Done[]): void {
  const read = all.flatMap(({ path, feed_id, result }) =>
    result.ok ? [{ path, feed_id, report: result.report }] : [],
  );
  if (read.length === 0) return;
  if (all.length === 1) {
    const { report } = read[0]!;
    print(parsed, context, { json: report, table: (on) => formatImport(report, on) });
    return;
  }
  print(parsed, context, {
    json: read,
    table: (on) =>
      read.map(({ feed_id, report }) => `${feed_id}\n${formatImport(report, on)}`).join("\n"),
  });
}

/** The files with their ids: stated in the same order, or of several files their names. */
function listWanted(parsed: Parsed): Wanted[] {
  const wanted = pairWanted(parsed);
  const other = wanted.find(({ feed_id }) => !isFeedId(feed_id));
  if (other === undefined) return wanted;
  throw new UsageError(`--id: expected ${FEED_ID_RULE}, got ${JSON.stringify(other.feed_id)}`);
}

/** Of the configuration (src/providers/gtfs.ts), but for ids that read as a path to elsewhere. */
const MOST_ID = 128;
const FEED_ID_RULE = `1 to ${MOST_ID} characters on one line, and no path such as ../a or /a`;

function isFeedId(text: string): boolean {
  const isText = text.trim() !== "" && text.length <= MOST_ID && !hasControls(text);
  return isText && !text.split(/[/\\]/).some((part) => ["", ".", ".."].includes(part));
}

function pairWanted(parsed: Parsed): Wanted[] {
  const [, ...paths] = parsed.positionals;
  const stated = textOption(parsed, "id");
  if (paths.length === 1) {
    if (!stated) throw new UsageError("import needs --id, what it is called here");
    return [{ path: paths[0]!, feed_id: stated }];
  }
  const ids = stated === undefined ? paths.map(nameOf) : stated.split(",").map((id) => id.trim());
  if (ids.length !== paths.length)
    throw new UsageError(`--id: expected ${paths.length} ids with commas, got ${ids.length}`);
  const twice = ids.find((id, i) => id === "" || ids.indexOf(id) !== i);
  if (twice === "") throw new UsageError("--id: expected an id for each file, got an empty one");
  if (twice !== undefined)
    throw new UsageError(`--id: expected different ids, got ${JSON.stringify(twice)} twice`);
  return paths.map((path, i) => ({ path, feed_id: ids[i]! }));
}

/** Of a file or a folder, without what says that it is an archive. */
function nameOf(path: string): string {
  const name = basename(path);
  return extname(name).toLowerCase() === ".zip" ? name.slice(0, -".zip".length) : name;
}
