/** The admin API as docs/accounts.md describes it: routes, members, answers and codes of refusals. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { listAdminRoutes } from "#http/admin/api.ts";
import { ADMIN_STATUSES } from "#http/admin/admin-answer.ts";
import type { AdminApiDeps } from "#http/admin/route.ts";
import { MAX_OVERLAP_MS, DEFAULT_OVERLAP_MS } from "#core/keys/issue.ts";
import { startAdmin } from "../../support/admin.ts";

const PAGE = readFileSync(new URL("../../../docs/accounts.md", import.meta.url), "utf8");
const [, PART = ""] = /\n## The admin API\n([\s\S]*?)\n## /.exec(PAGE) ?? [];
const ROWS = [...PART.matchAll(/^\| (`[A-Z]+ .*) \|$/gm)].map(([, row]) => row!.split(/ ?\| ?/));

const inCode = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

test("every route is listed with the members that it takes, and no other", () => {
  const deps = { plans: { free: {} } } as unknown as AdminApiDeps;
  const documented = new Map(
    ROWS.map(([request = "", must = "", may = ""]) => [
      inCode(request)[0]!,
      { must: inCode(must).toSorted(), may: inCode(may).toSorted() },
    ]),
  );
  const served = listAdminRoutes(deps).map(({ method, path, takes }) => {
    const { required = [] } = takes as { required?: string[] };
    const names = Object.keys(takes.properties);
    const may = names.filter((name) => !required.includes(name)).toSorted();
    return [`${method} /admin${path}`, { must: required.toSorted(), may }] as const;
  });
  assert.deepEqual(documented, new Map(served));
});

test("the answers have the members that are listed", async (t) => {
  const { ask } = await startAdmin(t);
  const listed = (route: string): string[] => {
    const row = ROWS.find(([request = ""]) => inCode(request)[0] === route)!;
    return inCode(row[3]!);
  };
  const of = async (path: string, body?: object): Promise<Record<string, unknown>> =>
    JSON.parse((await ask(path, body ? { body } : {})).text) as Record<string, unknown>;
  const account = await of("/admin/accounts", { name: "Ada", plan: "free" });
  assert.deepEqual(Object.keys(account), listed("POST /admin/accounts"));
  const made = await of("/admin/keys", { account_id: account["id"] });
  assert.deepEqual(Object.keys(made).toSorted(), listed("POST /admin/keys").toSorted());
  const next = await of(`/admin/keys/${String(made["id"])}/rotate`, {});
  assert.deepEqual(Object.keys(next), [...Object.keys(made), "before"]);
  const names = listed("POST /admin/keys/:id/rotate");
  assert.deepEqual(names, ["before", ...Object.keys(next["before"] as object)]);
  assert.deepEqual(Object.keys(await of("/admin/usage")), listed("GET /admin/usage"));
  for (const path of ["accounts", "keys"])
    assert.deepEqual(Object.keys(await of(`/admin/${path}`)), listed(`GET /admin/${path}`));
});

test("bounds of the overlap and codes of refusals are those of the program", () => {
  const shown = (ms: number): string => (ms / 1000).toLocaleString("en");
  assert.ok(
    PART.includes(`0 to ${shown(MAX_OVERLAP_MS)} seconds, ${shown(DEFAULT_OVERLAP_MS)} if`),
  );
  const refusals = PART.slice(PART.indexOf("Refusals have"));
  const codes = [...refusals.matchAll(/(\d{3}) `(\w+)`/g)].map(([, status, code]) => [
    code,
    Number(status),
  ]);
  const own = Object.entries(ADMIN_STATUSES).filter(([code]) => !OMITTED.includes(code));
  assert.deepEqual(new Map(codes as [string, number][]), new Map(own));
});

/** Of every HTTP server. */
const OMITTED = ["method_not_allowed", "internal"];
