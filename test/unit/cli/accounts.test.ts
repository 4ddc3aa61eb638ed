/** `vicinity accounts …`: made, listed and changed in the store of the mode. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { run, storeIn } from "./support.ts";

type AccountJson = {
  id: string;
  name: string;
  plan: string;
  standing: string;
  created_at: string;
};

test("an account is made, listed and changed", async (t) => {
  const io = storeIn(t);
  const made = await run(
    ["accounts", "create", " Ville de Paris ", "--plan=business", "--json"],
    io,
  );
  assert.deepEqual([made.code, made.err], [0, ""]);
  const { id, ...rest } = JSON.parse(made.out) as AccountJson;
  assert.match(id, /^acc_[0-9A-Za-z]{15}$/);
  assert.deepEqual(rest, {
    name: "Ville de Paris",
    plan: "business",
    standing: "active",
    created_at: "2026-11-21T12:00:00Z",
  });
  const set = ["accounts", "set", id, "--standing", "past_due", "--plan", "free"];
  const changed = await run([...set, "--json"], io);
  const now = { id, ...rest, standing: "past_due", plan: "free" };
  assert.deepEqual(JSON.parse(changed.out), now);
  const listed = await run(["accounts", "list", "--json"], io);
  assert.deepEqual(JSON.parse(listed.out), { accounts: [now] });
});

test("people read tables, and one fact a line", async (t) => {
  const io = storeIn(t);
  assert.equal((await run(["accounts", "list"], io)).out, "no accounts\n");
  const made = await run(["accounts", "create", "Ada", "--plan", "developer"], io);
  const id = /acc_\w+/.exec(made.out)?.[0] ?? "";
  assert.equal(made.out, `account   ${id}\nname      Ada\nplan      developer\nstanding  active\n`);
  await run(["accounts", "set", id, "--standing", "past_due"], io);
  assert.deepEqual((await run(["accounts", "list"], io)).out.split("\n"), [
    "id                   name  plan       standing  created",
    `${id}  Ada   developer  past due  2026-11-21 12:00:00`,
    "",
  ]);
});

test("each mode has accounts of its own", async (t) => {
  const io = storeIn(t);
  await run(["accounts", "create", "Ada", "--plan", "developer", "--sandbox"], io);
  assert.equal((await run(["accounts", "list"], io)).out, "no accounts\n");
  assert.match((await run(["accounts", "list", "--sandbox"], io)).out, /Ada/);
});

test("plans are those of the configuration, read without a contact or the keys of sources", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-plans-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "vicinity.json");
  const gold = { rate_per_s: 50, burst: 100, units: null, period: null, hard: false };
  const plans = {
    gold: { ...gold, nearby_limit_max: 300, nearby_offset_max: null, datasets: null },
  };
  writeFileSync(file, JSON.stringify({ plans, sources: { maps: { key: "${NOWHERE}" } } }));
  const io = storeIn(t);
  const create = ["accounts", "create", "Ada", "--json", "--plan"];
  const unknown = await run([...create, "gold"], io);
  const shipped = "free, developer, business, unlimited";
  assert.deepEqual(unknown, {
    code: 2,
    out: "",
    err: `vicinity: --plan: expected one of ${shipped}, got "gold"\n`,
  });
  assert.equal((await run([...create, "gold", "--config", file], io)).code, 0);
  const variables = { VICINITY_CONFIG: file };
  assert.equal((await run([...create, "gold"], { ...io, variables })).code, 0);
  assert.equal((await run([...create, "toString", "--config", file], io)).code, 2);
  writeFileSync(file, '{"plans":{"gold":{"burst":"many"}}}');
  const wrong = await run([...create, "gold", "--config", file], io);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /^vicinity: config: plans\.gold\.burst: expected .*\n$/);
  const none = await run([...create, "gold", "--config", join(folder, "none.json")], io);
  assert.match(none.err, /^vicinity: --config: .*none\.json is not there: check the path\n$/);
});

const WRONG: readonly [argv: string[], code: number, line: string][] = [
  [["create"], 2, "accounts create needs NAME"],
  [["create", "Ada"], 2, "accounts create needs --plan P"],
  [["create", " ", "--plan=free"], 2, "NAME: expected one line of 1 to 100 characters"],
  [["create", "a\nb", "--plan=free"], 2, "NAME: expected one line of 1 to 100 characters"],
  [["set", "acc_1"], 2, "accounts set needs --plan P or --standing S"],
  [
    ["set", "acc_1", "--standing=late"],
    2,
    '--standing: expected one of active, past_due, suspended, got "late"',
  ],
  [["set", "acc_1", "--plan=free"], 1, "there is no account acc_1; see vicinity accounts list"],
];
for (const [argv, code, line] of WRONG) {
  test(`wrong: accounts ${JSON.stringify(argv)}`, async (t) => {
    const ran = await run(["accounts", ...argv], storeIn(t));
    assert.deepEqual(ran, { code, out: "", err: `vicinity: ${line}\n` });
  });
}

test("a store that cannot be opened is one line", async () => {
  const ran = await run(["accounts", "list"]);
  assert.deepEqual(ran, { code: 1, out: "", err: "vicinity: no store in this test\n" });
});
