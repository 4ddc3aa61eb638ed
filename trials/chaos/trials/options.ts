/** Options of the trials of a fleet: whole numbers within bounds, `--help`, and nothing else. */
import { parseArgs } from "node:util";

type Rule = { default: number | null; min: number; max: number; help: string };
export type Rules = Readonly<Record<string, Rule>>;

/** Of every trial. null: drawn at random. */
export const SEED: Rule = {
  default: null,
  min: 0,
  max: 2 ** 31 - 1,
  help: "draws all that is drawn",
};

/** Prints and ends the process on --help, and on what is none of the options. */
export function readOptions<R extends Rules>(
  args: readonly string[],
  usage: string,
  rules: R,
  flags: readonly string[] = [],
): { [N in keyof R]: number } & { flags: ReadonlySet<string>; json: string | null } {
  const options = Object.fromEntries([
    ...Object.keys(rules).map((name) => [name, { type: "string" }] as const),
    ...["help", ...flags].map((name) => [name, { type: "boolean" }] as const),
    ["json", { type: "string" }] as const,
  ]);
  const lines = Object.entries(rules).map(
    ([name, { help, default: usual }]) => `  --${name} N  ${help} (default: ${usual ?? "any"})`,
  );
  const help = [`usage: ${usage}`, ...lines, "  --json FILE  writes the report there"].join("\n");
  const parsed = parseOrNull(args, options);
  if (!parsed || parsed["help"] === true) {
    console[parsed ? "log" : "error"](help);
    process.exit(parsed ? 0 : 2);
  }
  const numbers = Object.entries(rules).map(([name, rule]) => {
    const stated = parsed[name];
    const usual = rule.default ?? Math.floor(Math.random() * rule.max);
    const value = stated === undefined ? usual : Number(stated);
    if (Number.isInteger(value) && value >= rule.min && value <= rule.max) return [name, value];
    console.error(`--${name}: expected a whole number from ${rule.min} to ${rule.max}`);
    return process.exit(2);
  });
  const json = typeof parsed["json"] === "string" ? parsed["json"] : null;
  const raised = new Set(flags.filter((name) => parsed[name] === true));
  return { ...(Object.fromEntries(numbers) as { [N in keyof R]: number }), flags: raised, json };
}

type Parsed = Record<string, string | boolean | undefined>;

function parseOrNull(
  args: readonly string[],
  options: Record<string, { type: "string" | "boolean" }>,
): Parsed | null {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** A signal ends the trial with all that it started (each child hangs on the event "exit"). */
export function endOnSignal(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => process.exit(1));
}
