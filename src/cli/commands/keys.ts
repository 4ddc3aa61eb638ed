import { toKeyJson, toNewKeyJson } from "#app/admin/shapes.ts";
import { print } from "#cli/ask.ts";
import { UsageError, textOption } from "#cli/command.ts";
import type { Command, CommandContext, OptionRule, Parsed } from "#cli/command.ts";
import { expiresOption, nameOption, overlapOption, scopesOption } from "#cli/key-options.ts";
import { formatKeys, formatNewKey } from "#cli/print/print-keys.ts";
import { CONFIG_OPTION, isSandbox, planOption, refuseCommand, unknownId } from "#cli/store.ts";
import { type CliAccount, type CliAccounts, SANDBOX_OPTION, withAccounts } from "#cli/store.ts";
import { keyState, newAccount, newKey, successorOf } from "#core/keys/issue.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { DEFAULT_SCOPES, SCOPES } from "#core/keys/scopes.ts";

const EXPIRES_HELP = "when it ends: a date (0:00 UTC), an RFC 3339 time, or from now such as 30d";
const EXPIRES_OPTION: OptionRule = { value: "D", help: EXPIRES_HELP };

const create: Command = {
  name: "keys create",
  summary: "make an API key, which is shown once",
  positionals: [],
  options: {
    account: { value: "A", help: "the id of the account that it belongs to" },
    plan: { value: "P", help: "instead: make a new account on this plan for it" },
    scopes: {
      value: "a,b",
      help: `of ${SCOPES.join(", ")} (default: ${DEFAULT_SCOPES.join(",")})`,
    },
    name: { value: "N", help: "what it is for, for people" },
    expires: { ...EXPIRES_OPTION, help: `${EXPIRES_HELP} (default: never)` },
    config: CONFIG_OPTION,
    sandbox: SANDBOX_OPTION,
  },
  examples: [
    'vicinity keys create --plan developer --name "my app"',
    "vicinity keys create --account acc_4fJq2Wb8Zt1XyR0 --scopes data:read --expires 90d --json",
  ],
  async run(parsed, context) {
    const account_id = textOption(parsed, "account");
    const plan = await planOption(parsed, context);
    if ((account_id === undefined) === (plan === undefined)) {
      throw new UsageError("keys create needs either --account A or --plan P");
    }
    const terms = {
      scopes: scopesOption(parsed),
      name: nameOption(parsed),
      expires_at_ms: expiresOption(parsed, context) ?? null,
    };
    return withAccounts(parsed, context, async (accounts) => {
      const issue = issueOf(parsed, context);
      const match = account_id === undefined ? null : await accounts.findAccount(account_id);
      if (account_id !== undefined && !match) {
        return refuseCommand(context, unknownId("account", account_id));
      }
      const account = match ?? newAccount({ name: terms.name ?? "unnamed", plan: plan! }, issue);
      const made = newKey({ account_id: account.id, ...terms }, issue);
      if (!match) await accounts.createAccount(account);
      await accounts.createKey(made.record);
      return showNew({ made, account }, parsed, context);
    });
  },
};

const list: Command = {
  name: "keys list",
  summary: "list the API keys: whose, how good, when last used",
  positionals: [],
  options: { sandbox: SANDBOX_OPTION },
  examples: ["vicinity keys list", "vicinity keys list --sandbox --json"],
  run(parsed, context) {
    const show = async (accounts: CliAccounts): Promise<number> => {
      const all = await accounts.listAccounts();
      const owners = new Map(all.map((account) => [account.id, account]));
      const rows = (await accounts.listKeys()).map((key) => ({
        key,
        account: owners.get(key.account_id) ?? null,
      }));
      const json = { keys: rows.map((row) => toKeyJson(row, context.io.now())) };
      return print(parsed, context, { json, table: (on) => formatKeys(rows, on) });
    };
    return withAccounts(parsed, context, show, { reads: true });
  },
};

const rotate: Command = {
  name: "keys rotate",
  summary: "make the successor of a key; both work for the overlap",
  positionals: ["ID"],
  options: {
    overlap: { value: "T", help: "how long the old key works on, at most 30d (default: 24h)" },
    expires: { ...EXPIRES_OPTION, help: `${EXPIRES_HELP} (default: as the old one would have)` },
    sandbox: SANDBOX_OPTION,
  },
  examples: ["vicinity keys rotate key_9sKd03LmQa7Vbn2 --overlap 48h"],
  run(parsed, context) {
    const id = parsed.positionals[0] ?? "";
    const overlap_ms = overlapOption(parsed);
    const expires_at_ms = expiresOption(parsed, context);
    return withAccounts(parsed, context, async (accounts) => {
      const issue = issueOf(parsed, context);
      const old = await accounts.findKey(id);
      if (!old) return refuseCommand(context, unknownId("key", id));
      const state = keyState(old, issue.now_ms);
      if (state !== "active")
        return refuseCommand(context, `the key ${id} is ${state}; make a new one`);
      const terms = expires_at_ms === undefined ? old : { ...old, expires_at_ms };
      const made = successorOf(terms, issue);
      if (!(await accounts.rotateKey(id, made.record, issue.now_ms + overlap_ms))) {
        return refuseCommand(context, `the key ${id} has just been revoked`);
      }
      const account = (await accounts.findAccount(old.account_id))!;
      const before = (await accounts.findKey(id))!;
      return showNew({ made, account, before }, parsed, context);
    });
  },
};

const revoke: Command = {
  name: "keys revoke",
  summary: "end a key for good; a running service notices within 5 s",
  positionals: ["ID"],
  options: { sandbox: SANDBOX_OPTION },
  examples: ["vicinity keys revoke key_9sKd03LmQa7Vbn2"],
  run(parsed, context) {
    const id = parsed.positionals[0] ?? "";
    const { io } = context;
    return withAccounts(parsed, context, async (accounts) => {
      if (!(await accounts.revokeKey(id, io.now())))
        return refuseCommand(context, unknownId("key", id));
      const key = (await accounts.findKey(id))!;
      const account = await accounts.findAccount(key.account_id);
      const json = toKeyJson({ key, account }, io.now());
      return print(parsed, context, { json, table: () => `${id} is revoked\n` });
    });
  },
};

/** Commands that write to the store of keys. */
export const KEY_COMMANDS: readonly Command[] = [create, list, rotate, revoke];

function issueOf(parsed: Parsed, { io }: CommandContext) {
  const prefix = KEY_PREFIXES[isSandbox(parsed) ? "sandbox" : "live"];
  return { now_ms: io.now(), draw: io.draw, prefix };
}

type NewKey = Parameters<typeof formatNewKey>[0] & { account: CliAccount };

function showNew(listed: NewKey, parsed: Parsed, context: CommandContext): number {
  const json = toNewKeyJson(listed, context.io.now());
  return print(parsed, context, { json, table: () => formatNewKey(listed) });
}
