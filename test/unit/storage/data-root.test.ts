/** The folder that VICINITY_DATA_DIR names: closed where others can write it, or not used. */
import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type RootDeps, secureFolder } from "#storage/embedded/data-root.ts";
import { openAdminStorage, openStorage } from "#storage/open-storage.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "vicinity-root-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

async function open(data_dir: string): Promise<{ lines: string[] } | { problem: string }> {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const storage = openStorage(
    { data_dir, mode: "live" },
    { onHealth: () => {}, onDefect: () => {}, warn: say, say, onMigrated: () => {} },
  );
  if ("problem" in storage) return storage;
  await Promise.all([storage.usage.close(), storage.datasets.close(), storage.transit.close()]);
  storage.close();
  return { lines };
}

test("a root that others can write is closed, through a link too, and both are said once", async (t) => {
  const [real, link] = [join(folder(t), "real"), join(folder(t), "link")];
  mkdirSync(real);
  chmodSync(real, 0o777);
  symlinkSync(real, link);
  assert.deepEqual(await open(link), {
    lines: [`${link} is a link to ${real}`, `${real} was writable by others: it is closed now`],
  });
  assert.deepEqual([modeOf(real), modeOf(join(real, "live"))], ["700", "700"]);
  assert.ok(readdirSync(join(real, "live")).includes("vicinity.db"));
  assert.deepEqual(await open(link), { lines: [`${link} is a link to ${real}`] });
});

test("a root that an earlier version left open is closed, by a command as well", async (t) => {
  const data_dir = folder(t);
  for (const mode of [0o755, 0o750, 0o770]) {
    chmodSync(data_dir, mode);
    const opened = await open(data_dir);
    assert.ok("lines" in opened && opened.lines.length === 1, JSON.stringify(opened));
    assert.match(opened.lines[0]!, /: it is closed now$/);
    assert.equal(modeOf(data_dir), "700");
  }
  chmodSync(data_dir, 0o755);
  const store = openAdminStorage({ data_dir, mode: "live" });
  assert.ok(!("problem" in store));
  store.close();
  assert.equal(modeOf(data_dir), "700");
});

const OWN = { uid: 1_000, groups: [1_000] };

/** As the system shows the folder, which `chmod` does not change where `fixed`. */
function judge(t: TestContext, stat: { uid: number; gid: number; mode: number }, more?: object) {
  const lines: string[] = [];
  const deps: RootDeps = {
    say: (line) => void lines.push(line),
    user: OWN,
    statOf: () => stat,
    ...more,
  };
  const path = folder(t);
  try {
    secureFolder(path, deps);
    return lines.map((line) => line.replace(path, "it"));
  } catch (error) {
    return (error as Error).message;
  }
}

test("a root that cannot be closed to those who can write it is refused in one line", (t) => {
  const judged = (mode: number, uid = OWN.uid, gid = 1_000): ReturnType<typeof judge> =>
    judge(t, { uid, gid, mode });
  const refused = "can replace what is in it (chmod 700, or another folder)";
  assert.equal(judged(0o777), `every user ${refused}`);
  assert.equal(judged(0o770), `the group 1000 ${refused}`);
  assert.equal(judged(0o777, 0), `every user ${refused}`, "of root");
  assert.equal(judged(0o770, 0, 7), `the group 7 ${refused}`, "a group that is not ours");
  assert.match(String(judged(0o700, 1_234)), /^it belongs to the user 1234, who can replace/);
  // Kubernetes gives a volume to the group of the pod; root's folders are read only for us.
  assert.deepEqual(judged(0o2775 & ~0o002, 0), [], "root's, for our group");
  assert.deepEqual(judged(0o755, 0), [], "root's, which we may read");
  assert.deepEqual(judged(0o1777, 0), [], "sticky: no other user can rename what is ours");
});

test("root may run commands on the folder of the service's user, and no service", (t) => {
  const root = { uid: 0, groups: [0] };
  const theirs = { uid: 1_000, gid: 1_000, mode: 0o700 };
  assert.match(String(judge(t, theirs, { user: root })), /^it belongs to the user 1000/);
  assert.deepEqual(judge(t, theirs, { user: root, isCommand: true }), []);
  assert.deepEqual(judge(t, { ...theirs, mode: 0o777 }, { user: null }), [], "no ids: no rule");
});
