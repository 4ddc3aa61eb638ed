/** Modules as one script: what each sees is what it imports, and a form that is not known is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { joinModules } from "#http/pages/join-page.ts";
import { createAgentMap } from "#http/pages/agent-map.ts";

const ENTRY = new URL("file:///a/main.js");

function join(files: Record<string, string>): string {
  return joinModules(ENTRY, (url) => files[url.pathname] ?? assert.fail(url.pathname));
}

/** What the entry leaves in `seen`. */
async function run(files: Record<string, string>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const Script = Object.getPrototypeOf(async () => {}).constructor as new (
    ...parts: string[]
  ) => (seen: unknown[]) => Promise<void>;
  await new Script("seen", join(files))(seen);
  return seen;
}

test("a module is run once, before those that import it, and keeps its own names", async () => {
  const seen = await run({
    "/a/main.js":
      'import { one as two, add } from "./b.js";\nimport {\n  one,\n} from "../c.js";\nconst own = 5;\nseen.push(two, one, add(own));\n',
    "/a/b.js":
      'import { one as three } from "../c.js";\nconst own = 1;\nexport const one = three + 1;\nexport function add(n) {\n  return n + own;\n}\n',
    "/c.js": "seen.push('once');\nexport const one = 1;\nexport async function unused() {}\n",
  });
  assert.deepEqual(seen, ["once", 2, 1, 6]);
});

test("classes are exported, and what is imported later is part of the script and run once", async () => {
  const seen = await run({
    "/a/main.js":
      'import { b } from "./b.js";\nconst { A } = await import("./late.js");\nseen.push(new A().value, b);\n',
    "/a/b.js": 'const { one } = await import("./late.js");\nexport const b = one;\n',
    "/a/late.js":
      '/** @type {import("./types.js").T} */\nseen.push("once");\nexport const one = 1;\nexport class A {\n  value = 2;\n}\n',
  });
  assert.deepEqual(seen, ["once", 2, 1]);
});

test("circles and other forms of import and export are refused", () => {
  const circle = {
    "/a/main.js": 'import { a } from "./b.js";\n',
    "/a/b.js": 'import { b } from "./main.js";\n',
  };
  assert.throws(() => join(circle), /imports itself/);
  for (const line of [
    'import a from "./b.js";',
    'import "./b.js";',
    "export default 1;",
    "export let a = 1;",
    'import { a } from "package";',
  ])
    assert.throws(
      () => join({ "/a/main.js": `${line}\n`, "/a/b.js": "" }),
      /main\.js: (?:import|export)/,
      line,
    );
});

test("the map of agents is one document that names nothing to load", () => {
  const make = createAgentMap("9.8.7");
  const html = make();
  assert.equal(make(), html);
  assert.match(html, /^<!doctype html>/);
  assert.match(html, /content="9\.8\.7"/);
  assert.doesNotMatch(
    html,
    /\b(?:src|href|srcset)=|@import|url\(|\bfetch\(|innerHTML|outerHTML|insertAdjacentHTML/,
  );
  assert.equal(html.match(/<\/script>/g)?.length, 1);
  assert.equal(html.match(/<\/style>/g)?.length, 1);
  // Addresses in it are names alone.
  const addresses = new Set(html.match(/https?:\/\/[^\s"'`)<]+/g));
  assert.deepEqual([...addresses], ["http://www.w3.org/2000/svg"]);
});
