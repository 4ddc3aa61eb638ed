import { EXIT, textOption, UsageError } from "#cli/command.ts";
import type { Command, CommandContext, Parsed } from "#cli/command.ts";
import { print } from "#cli/ask.ts";
import type { ExtractProgress } from "#cli/io.ts";
import { formatBytes, formatExtract } from "#cli/print/print-bases.ts";
import { sayFailed, startReading, STEPS } from "#cli/commands/import-progress.ts";
import { importTimetables } from "#cli/commands/import-timetables.ts";
import { type Progress, sayLeft } from "#cli/print/print-progress.ts";
import { count } from "#cli/print/print-words.ts";
import { isSandbox } from "#cli/store.ts";
import {
  ADDRESS_FORMATS,
  type AddressFormatName,
  BASE_ID_RULE,
  isBaseId,
  OPTIONAL_SECTIONS,
  type OptionalSection,
} from "#osm/base/base-layout.ts";

export const importFile: Command = {
  name: "import",
  summary:
    "read GTFS feeds, an extract of the open map or a list of addresses; a running service notices",
  positionals: ["KIND", "FILE..."],
  options: {
    id: {
      value: "ID",
      help: "what it is called here: its last import is replaced; of several gtfs with commas, or left out: as their files are called",
      required: true,
    },
    region: {
      value: "NAME",
      help: "gtfs: the region of its stations; osm: the code of its country",
    },
    bbox: {
      value: "BOX",
      help: "gtfs: SOUTH,WEST,NORTH,EAST; stations outside are left out, and trips that call at none within",
    },
    format: {
      value: "F",
      help: `addresses: the format of the list, one of ${ADDRESS_FORMATS.join(", ")}`,
    },
    without: {
      value: "PART",
      help: `osm: a part that is left out (${OPTIONAL_SECTIONS.join(", ")}; several with commas)`,
    },
    sandbox: { help: "into the store of the sandbox" },
  },
  examples: [
    "vicinity import gtfs timetable.zip --id bart",
    "vicinity import gtfs ./unpacked --id bart --sandbox --json",
    "vicinity import gtfs germany.zip --id berlin --bbox 52.3,13.0,52.7,13.8",
    "vicinity import gtfs north.zip south.zip --id north,south",
    "vicinity import osm switzerland-latest.osm.pbf --id ch",
    "vicinity import osm switzerland-latest.osm.pbf --id ch --without walk",
    "vicinity import addresses adresses-31.csv.gz --format ban --id ban-31",
  ],
  run(parsed, context) {
    const [kind = "", , second] = parsed.positionals;
    if (kind === "gtfs") return importTimetables(parsed, context);
    if (second !== undefined)
      throw new UsageError(
        `unexpected argument ${JSON.stringify(second)}: only gtfs takes several`,
      );
    if (parsed.options["bbox"] !== undefined)
      throw new UsageError("--bbox: only of timetables a part is imported");
    if (kind === "osm") return importBase(parsed, context, null);
    if (kind === "addresses") return importBase(parsed, context, formatOf(parsed));
    const got = JSON.stringify(kind);
    throw new UsageError(`KIND: expected gtfs, osm or addresses, got ${got}`);
  },
};

/** What every import is given, and the bar that shows how far it is. */
function begin(parsed: Parsed, context: CommandContext) {
  const [, path = ""] = parsed.positionals;
  const id = textOption(parsed, "id") ?? "";
  if (id === "") throw new UsageError("import needs --id, what it is called here");
  const progress = startReading(context, [path]);
  const region = textOption(parsed, "region") ?? null;
  return { id, progress, common: { path, env: context.env, sandbox: isSandbox(parsed), region } };
}

function formatOf(parsed: Parsed): AddressFormatName {
  const input = textOption(parsed, "format");
  const format = ADDRESS_FORMATS.find((name) => name === input);
  if (format !== undefined) return format;
  throw new UsageError(`--format: expected one of ${ADDRESS_FORMATS.join(", ")}`);
}

/** Sections to leave out; of an extract alone. */
function withoutOf(parsed: Parsed, isExtract: boolean): OptionalSection[] {
  const input = textOption(parsed, "without");
  if (input === undefined) return [];
  if (!isExtract) throw new UsageError("--without: only an extract of the open map has parts");
  return input.split(",").map((text) => {
    const section = OPTIONAL_SECTIONS.find((name) => name === text.trim());
    if (section !== undefined) return section;
    throw new UsageError(`--without: expected ${OPTIONAL_SECTIONS.join(" or ")}`);
  });
}

/** `format`: of a list of addresses; null: it is an extract of the open map. */
async function importBase(
  parsed: Parsed,
  context: CommandContext,
  format: AddressFormatName | null,
): Promise<number> {
  const base_id = textOption(parsed, "id") ?? "";
  if (!isBaseId(base_id)) throw new UsageError(`--id: expected ${BASE_ID_RULE}`);
  const without = withoutOf(parsed, format === null);
  const { progress, common } = begin(parsed, context);
  const { io } = context;
  const line = createLines(io);
  const onProgress = (at: ExtractProgress): void => {
    const more = { verb: verbOf(at.pass), left_ms: at.remaining_ms };
    progress.update(Math.floor(at.fraction * STEPS), STEPS, sayProgress(at), more);
    if (!io.err.isTTY) line(at);
  };
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const input = { ...common, base_id, format, without, onProgress };
  const result = await io.importBase({ ...input, signal: stop.signal });
  forget();
  if (!result.ok) return fail(context, { ...common, ...result, progress });
  progress.finish(STEPS, STEPS);
  const { report } = result;
  return print(parsed, context, { json: report, table: (on) => formatExtract(report, on) });
}

/** `43 %, 12 MB, 3 400 000 objects, 45 MB/s`. */
function sayProgress({ fraction, bytes, counts, bytes_per_s }: ExtractProgress): string {
  const objects = counts.nodes + counts.ways + counts.relations;
  const rate = bytes_per_s === null ? "" : `, ${formatBytes(bytes_per_s)}/s`;
  return `${percent(fraction)}, ${formatBytes(bytes)}, ${count(objects)} objects${rate}`;
}

function percent(fraction: number): string {
  return `${Math.floor(fraction * STEPS)} %`;
}

/** Steps that are not the reading of the file. */
const VERBS: Readonly<Record<string, string>> = {
  splitting: "splitting",
  pages: "building pages",
  names: "merging names",
  packing: "packing",
};

function verbOf(pass: string): string {
  return VERBS[pass] ?? "reading";
}

/** Between two lines of a log. */
const LINE_MS = 30_000;

/** Where errors are no terminal: a line now and then, `building pages: 43 %, 4 min left`. */
function createLines({ err, now }: CommandContext["io"]): (at: ExtractProgress) => void {
  let last_ms = now();
  return ({ pass, fraction, remaining_ms }) => {
    if (now() - last_ms < LINE_MS) return;
    last_ms = now();
    const left = sayLeft(remaining_ms === null ? null : remaining_ms / 1000);
    err.write(`${verbOf(pass)}: ${percent(fraction)}${left}\n`);
  };
}

function fail(
  context: CommandContext,
  { path, problem, progress }: { path: string; problem: string; progress: Progress },
): number {
  progress.stop();
  sayFailed(context, path, problem);
  return EXIT.failed;
}
