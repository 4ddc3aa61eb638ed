/** Accounts: list them, make one, change its plan or standing. */
import { Type } from "typebox";
import { toAccountJson } from "#app/admin/shapes.ts";
import { NAME, newAccount } from "#core/keys/issue.ts";
import type { Account } from "#ports.ts";
import { type AdminAnswer, unknownIdRefusal } from "./admin-answer.ts";
import { readMember, wrong } from "./admin-check.ts";
import { type AdminApiDeps, type AdminRoute, members, planMember, toRoute } from "./route.ts";

const STANDINGS: Account["standing"][] = ["active", "past_due", "suspended"];

export function accountRoutes(deps: AdminApiDeps): AdminRoute[] {
  return [list(deps), create(deps), change(deps)];
}

function list({ accounts }: AdminApiDeps): AdminRoute {
  return toRoute({
    method: "GET",
    path: "/accounts",
    action: null,
    takes: members({}),
    run: async () => ({
      ok: true,
      status: 200,
      body: { accounts: (await accounts.listAccounts()).map(toAccountJson) },
    }),
  });
}

function create(deps: AdminApiDeps): AdminRoute {
  const { accounts, clock, draw } = deps;
  return toRoute({
    method: "POST",
    path: "/accounts",
    action: "account.create",
    takes: members({ name: Type.String(), plan: planMember(deps) }),
    run: async ({ name, plan }) => {
      const read = readMember("name", name, NAME);
      if (!read.ok) return read;
      const account = newAccount({ name: read.value, plan }, { now_ms: clock.now(), draw });
      await accounts.createAccount(account);
      return toAnswer(201, account);
    },
  });
}

function change(deps: AdminApiDeps): AdminRoute {
  return toRoute({
    method: "PATCH",
    path: "/accounts/:id",
    action: "account.change",
    of: "account",
    takes: members({
      plan: Type.Optional(planMember(deps)),
      standing: Type.Optional(Type.Enum(STANDINGS)),
    }),
    run: async (input, id) => {
      if (Object.keys(input).length === 0) return wrong("", "expected plan, standing or both");
      const account = await deps.accounts.setAccount(id, input);
      return account ? toAnswer(200, account) : unknownIdRefusal("account", id);
    },
  });
}

function toAnswer(status: 200 | 201, account: Account): AdminAnswer {
  const subject = { account_id: account.id, key_id: null };
  return { ok: true, status, body: toAccountJson(account), subject };
}
