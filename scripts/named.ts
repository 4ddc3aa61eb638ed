/**
 * Programs that are chosen by name: `npm run bench`, `npm run reports` and `npm run trials`, each
 * followed by `-- NAME [options]`. Without a name they list what there is; what they do not know is
 * refused in one sentence, followed by what they know.
 */

/** `shows`: what one learns from it; `options`: as in a usage line, `""`: none. */
export type NamedCommand = { shows: string; options: string };

/** `noun`: one of its programs; `usage`: how they are run. */
export type Family<Entry extends NamedCommand> = {
  noun: string;
  usage: string;
  table: Readonly<Record<string, Entry>>;
};

/** Exit codes: 0, and 2 where the wish cannot be understood. */
const OK = 0;
const REFUSED = 2;

/** Runs the program named. `run` resolves with the exit code; null: the program has set one. */
export async function runNamed<Entry extends NamedCommand>(
  family: Family<Entry>,
  [name, ...args]: readonly string[],
  run: (entry: Entry, name: string, args: readonly string[]) => Promise<number | null>,
): Promise<number | null> {
  if (name === undefined || name === "--help") return listAll(family);
  const entry = Object.hasOwn(family.table, name) ? family.table[name] : undefined;
  if (entry === undefined) {
    console.error(`unknown ${family.noun} ${name}`);
    listAll(family);
    return REFUSED;
  }
  if (args.includes("--help")) {
    console.log(`${entry.shows}\n\n${optionsOf(family, name, entry)}`);
    return OK;
  }
  try {
    return await run(entry, name, args);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    console.error(`${family.noun} ${name}: ${refusal}\n${optionsOf(family, name, entry)}`);
    return REFUSED;
  }
}

/** Runs a module as if it had been started with these arguments. */
export async function runModule(url: URL, args: readonly string[]): Promise<null> {
  process.argv.splice(1, Infinity, url.pathname, ...args);
  await import(url.href);
  return null;
}

function listAll<Entry extends NamedCommand>({ usage, table }: Family<Entry>): number {
  console.log(`usage: ${usage}\n`);
  const names = Object.keys(table);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  for (const [name, { shows, options }] of Object.entries(table)) {
    console.log(`  ${name.padEnd(width)}${shows}`);
    if (options !== "") console.log(`${" ".repeat(width + 4)}${options}`);
  }
  return OK;
}

function optionsOf<Entry extends NamedCommand>(
  { usage }: Family<Entry>,
  name: string,
  entry: Entry,
) {
  const command = usage.slice(0, usage.indexOf(" NAME"));
  return `usage: ${command} ${name} ${entry.options}`.trimEnd();
}

/** What is wrong with the options, as a sentence; null: the error is no refusal of them. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS_")) return null;
  return error.message.replace(/\. To specify .*$/s, "");
}
