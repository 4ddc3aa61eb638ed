import { toAccountJson } from "#app/admin/shapes.ts";
import { print } from "#cli/ask.ts";
import { optionBy, UsageError } from "#cli/command.ts";
import type { Command, CommandContext, Parsed } from "#cli/command.ts";
import { PEOPLE_COMMANDS } from "#cli/commands/people.ts";
import { formatAccount, formatAccounts } from "#cli/print/print-accounts.ts";
import {
  CONFIG_OPTION,
  planOption,
  readName,
  refuseCommand,
  SANDBOX_OPTION,
  unknownId,
} from "#cli/store.ts";
import { type CliAccount, type CliAccounts, withAccounts } from "#cli/store.ts";
import { newAccount } from "#core/keys/issue.ts";
import { choiceRule } from "#kit/rule.ts";

const STANDINGS: readonly CliAccount["standing"][] = ["active", "past_due", "suspended"];

const create: Command = {
  name: "accounts create",
  summary: "make an account, which keys belong to",
  positionals: ["NAME"],
  options: {
    plan: { value: "P", help: "what it may ask for and how often", required: true },
    config: CONFIG_OPTION,
    sandbox: SANDBOX_OPTION,
  },
  examples: ['vicinity accounts create "Ville de Paris" --plan business'],
  async run(parsed, context) {
    const name = readName(parsed.positionals[0] ?? "", "NAME");
    const plan = await planOption(parsed, context);
    if (plan === undefined) throw new UsageError("accounts create needs --plan P");
    const { io } = context;
    return withAccounts(parsed, context, async (accounts) => {
      const account = newAccount({ name, plan }, { now_ms: io.now(), draw: io.draw });
      await accounts.createAccount(account);
      return showOne(account, parsed, context);
    });
  },
};

const list: Command = {
  name: "accounts list",
  summary: "list the accounts",
  positionals: [],
  options: { sandbox: SANDBOX_OPTION },
  examples: ["vicinity accounts list --json"],
  run(parsed, context) {
    const show = async (accounts: CliAccounts): Promise<number> => {
      const rows = await accounts.listAccounts();
      const json = { accounts: rows.map(toAccountJson) };
      return print(parsed, context, { json, table: (on) => formatAccounts(rows, on) });
    };
    return withAccounts(parsed, context, show, { reads: true });
  },
};

const set: Command = {
  name: "accounts set",
  summary: "change the plan or the standing of an account",
  positionals: ["ID"],
  options: {
    plan: { value: "P", help: "its plan from now on" },
    standing: {
      value: "S",
      help: `its standing from now on: ${STANDINGS.join(", ")}`,
    },
    config: CONFIG_OPTION,
    sandbox: SANDBOX_OPTION,
  },
  examples: ["vicinity accounts set acc_4fJq2Wb8Zt1XyR0 --standing suspended"],
  async run(parsed, context) {
    const id = parsed.positionals[0] ?? "";
    const plan = await planOption(parsed, context);
    const standing = optionBy(parsed, "standing", choiceRule(STANDINGS));
    if (plan === undefined && standing === undefined) {
      throw new UsageError("accounts set needs --plan P or --standing S");
    }
    return withAccounts(parsed, context, async (accounts) => {
      const account = await accounts.setAccount(id, {
        ...(plan === undefined ? {} : { plan }),
        ...(standing === undefined ? {} : { standing }),
      });
      return account
        ? showOne(account, parsed, context)
        : refuseCommand(context, unknownId("account", id));
    });
  },
};

/** Commands about accounts. */
export const ACCOUNT_COMMANDS: readonly Command[] = [create, list, set, ...PEOPLE_COMMANDS];

function showOne(account: CliAccount, parsed: Parsed, context: CommandContext): number {
  return print(parsed, context, {
    json: toAccountJson(account),
    table: () => formatAccount(account),
  });
}
