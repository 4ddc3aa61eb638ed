/** What the commands share that write to the store: which store, which plans, and their refusals. */
import { atPath, EXIT, optionBy, UsageError, textOption } from "#cli/command.ts";
import type { CommandContext, OptionRule, Parsed } from "#cli/command.ts";
import { printMessage } from "#cli/print/print-message.ts";
import { NAME } from "#core/keys/issue.ts";
import { choiceRule } from "#kit/rule.ts";
import type { AdminStorage } from "#storage/open-storage.ts";

export type CliAccounts = AdminStorage["accounts"];
export type CliAccount = Awaited<ReturnType<CliAccounts["listAccounts"]>>[number];

export const SANDBOX_OPTION: OptionRule = { help: "in the store of the sandbox" };
export const CONFIG_OPTION: OptionRule = {
  value: "FILE",
  help: "the configuration file that names the plans (default: VICINITY_CONFIG, else the shipped plans)",
};

export function isSandbox(parsed: Parsed): boolean {
  return parsed.options["sandbox"] === true;
}

/** The accounts of the store, which is closed whatever becomes of the task. */
export function withAccounts(
  parsed: Parsed,
  context: CommandContext,
  task: (accounts: CliAccounts) => Promise<number>,
  wish: Wish = {},
): Promise<number> {
  return withStore(parsed, context, ({ accounts }) => task(accounts), wish);
}

/**
 * `reads`: nothing is written, so that a store that is not there is not made either; `uses_folder`: it is
 * about what is in the data folder.
 */
type Wish = { reads?: boolean; uses_folder?: boolean };

/** Opens the store, and closes it whatever becomes of the task. */
export async function withStore(
  parsed: Parsed,
  context: CommandContext,
  task: (store: AdminStorage) => Promise<number>,
  wish: Wish = {},
): Promise<number> {
  const store = await context.io.openStore({
    sandbox: isSandbox(parsed),
    env: context.env,
    ...wish,
  });
  if ("problem" in store) return refuseCommand(context, store.problem);
  const place = { name: "VICINITY_DATA_DIR", path: context.env.data_dir };
  try {
    return await atPath(place, "write", () => task(store));
  } finally {
    await store.close();
  }
}

/** One line, exit 1. */
export function refuseCommand({ io }: CommandContext, message: string): number {
  printMessage(io.err, message);
  return EXIT.failed;
}

/** What is no id of ours is not repeated: it may be a key, and the line may be logged. */
export function unknownId(kind: "account" | "key", id: string): string {
  const output = /^(acc|key)_\w{1,40}$/.test(id) ? id : "with such an id";
  return `there is no ${kind} ${output}; see vicinity ${kind}s list`;
}

/** The plan of --plan, which the configuration must know; undefined when it is not given. */
export async function planOption(
  parsed: Parsed,
  { env }: CommandContext,
): Promise<string | undefined> {
  const plan = textOption(parsed, "plan");
  if (plan === undefined) return undefined;
  const file = textOption(parsed, "config");
  const mode = isSandbox(parsed) ? "sandbox" : "live";
  // Loaded here: the configuration knows every source, and other commands need none.
  const { loadPlans } = await import("#config/load.ts");
  const plans = loadPlans({ mode, env, ...(file === undefined ? {} : { file }) });
  if (!plans.ok) throw new UsageError(plans.message);
  const names = Object.keys(plans.value);
  return optionBy(parsed, "plan", { ...choiceRule(names), words: `one of ${names.join(", ")}` });
}

/** A name as it is kept; `where` says which one it is. */
export function readName(text: string, where: string): string {
  const name = NAME.read(text);
  if (name !== undefined) return name;
  throw new UsageError(`${where}: expected ${NAME.words}`);
}
