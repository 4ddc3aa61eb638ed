/** Keys: list them, make one, rotate it, revoke it. The key itself is shown once, when made. */
import { Type } from "typebox";
import { type NewKeyRow, toKeyJson, toNewKeyJson } from "#app/admin/shapes.ts";
import {
  DEFAULT_OVERLAP_MS,
  keyState,
  MAX_OVERLAP_MS,
  NAME,
  newAccount,
  newKey,
  successorOf,
} from "#core/keys/issue.ts";
import { DEFAULT_SCOPES, SCOPES } from "#core/keys/scopes.ts";
import type { Account } from "#ports.ts";
import { type AdminAnswer, refuse, type AdminRefusal, unknownIdRefusal } from "./admin-answer.ts";
import { readEnd, readMember, wrong } from "./admin-check.ts";
import { type AdminApiDeps, type AdminRoute, members, planMember, toRoute } from "./route.ts";

/** A date, an RFC 3339 time, or a time from now such as 30d; null: never. */
const END = Type.Optional(Type.Union([Type.String(), Type.Null()]));

export function keyRoutes(deps: AdminApiDeps): AdminRoute[] {
  return [list(deps), create(deps), rotate(deps), revoke(deps)];
}

function list({ accounts, clock }: AdminApiDeps): AdminRoute {
  return toRoute({
    method: "GET",
    path: "/keys",
    action: null,
    takes: members({ account: Type.Optional(Type.String()) }),
    run: async ({ account: only }) => {
      // An account that is mistyped is not one without keys.
      if (only !== undefined && !(await accounts.findAccount(only)))
        return unknownIdRefusal("account", only);
      const all = await accounts.listAccounts();
      const owners = new Map(all.map((account) => [account.id, account]));
      const keys = (await accounts.listKeys())
        .filter(({ account_id }) => only === undefined || account_id === only)
        .map((key) => ({ key, account: owners.get(key.account_id) ?? null }));
      const now_ms = clock.now();
      return { ok: true, status: 200, body: { keys: keys.map((row) => toKeyJson(row, now_ms)) } };
    },
  });
}

function create(deps: AdminApiDeps): AdminRoute {
  const { accounts } = deps;
  return toRoute({
    method: "POST",
    path: "/keys",
    action: "key.create",
    takes: members({
      account_id: Type.Optional(Type.String()),
      plan: Type.Optional(planMember(deps)),
      name: Type.Optional(Type.String()),
      scopes: Type.Optional(
        Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length }),
      ),
      expires_at: END,
    }),
    run: async (input) => {
      const issue = issueOf(deps);
      const name =
        input.name === undefined
          ? { ok: true as const, value: null }
          : readMember("name", input.name, NAME);
      if (!name.ok) return name;
      const end = readEnd(input.expires_at ?? null, issue.now_ms);
      if (!end.ok) return end;
      const owner = await findOwner(deps, { ...input, name: name.value });
      if ("ok" in owner) return owner;
      const { account, isNew } = owner;
      const requests = input.scopes ?? DEFAULT_SCOPES;
      const scopes = SCOPES.filter((scope) => requests.includes(scope));
      const terms = { account_id: account.id, name: name.value, scopes, expires_at_ms: end.value };
      const made = newKey(terms, issue);
      if (isNew) await accounts.createAccount(account);
      await accounts.createKey(made.record);
      return toAnswer({ made, account }, issue.now_ms);
    },
  });
}

type Owner = { account: Account; isNew: boolean };

/** The account that is named, or a new one on the plan that is. */
async function findOwner(
  deps: AdminApiDeps,
  { account_id, plan, name }: { account_id?: string; plan?: string; name: string | null },
): Promise<Owner | AdminRefusal> {
  if (account_id !== undefined && plan === undefined) {
    const account = await deps.accounts.findAccount(account_id);
    return account ? { account, isNew: false } : unknownIdRefusal("account", account_id);
  }
  if (account_id !== undefined || plan === undefined) {
    return wrong("", "expected either account_id or plan");
  }
  const account = newAccount({ name: name ?? "unnamed", plan }, issueOf(deps));
  return { account, isNew: true };
}

function rotate(deps: AdminApiDeps): AdminRoute {
  const { accounts } = deps;
  return toRoute({
    method: "POST",
    path: "/keys/:id/rotate",
    action: "key.rotate",
    of: "key",
    takes: members({
      overlap_s: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_MS / 1000 })),
      expires_at: END,
    }),
    run: async ({ overlap_s = DEFAULT_OVERLAP_MS / 1000, expires_at }, id) => {
      const issue = issueOf(deps);
      const old = await accounts.findKey(id);
      if (!old) return unknownIdRefusal("key", id);
      const state = keyState(old, issue.now_ms);
      if (state !== "active")
        return refuse("key_not_active", `the key is ${state}; make a new one`);
      const end = readEnd(expires_at ?? null, issue.now_ms);
      if (!end.ok) return end;
      // Not stated: as the old one would have ended.
      const expires_at_ms = expires_at === undefined ? old.expires_at_ms : end.value;
      const made = successorOf({ ...old, expires_at_ms }, issue);
      if (!(await accounts.rotateKey(id, made.record, issue.now_ms + overlap_s * 1000))) {
        return refuse("key_not_active", "the key has just been revoked");
      }
      const account = (await accounts.findAccount(old.account_id))!;
      const before = (await accounts.findKey(id))!;
      return toAnswer({ made, account, before }, issue.now_ms);
    },
  });
}

function revoke({ accounts, clock }: AdminApiDeps): AdminRoute {
  return toRoute({
    method: "POST",
    path: "/keys/:id/revoke",
    action: "key.revoke",
    of: "key",
    takes: members({}),
    run: async (_given, id) => {
      const now_ms = clock.now();
      if (!(await accounts.revokeKey(id, now_ms))) return unknownIdRefusal("key", id);
      const key = (await accounts.findKey(id))!;
      const account = await accounts.findAccount(key.account_id);
      const subject = { account_id: key.account_id, key_id: id };
      return { ok: true, status: 200, body: toKeyJson({ key, account }, now_ms), subject };
    },
  });
}

function toAnswer(row: NewKeyRow, now_ms: number): AdminAnswer {
  const subject = { account_id: row.account.id, key_id: row.made.record.id };
  return { ok: true, status: 201, body: toNewKeyJson(row, now_ms), subject };
}

function issueOf({ clock, draw, key_prefix }: AdminApiDeps) {
  return { now_ms: clock.now(), draw, prefix: key_prefix };
}
