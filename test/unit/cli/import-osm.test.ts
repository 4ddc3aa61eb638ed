/** `vicinity import osm`: what is passed on, what is printed, how far it is, and how it fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type { ExtractProgress, ExtractReport, GivenIo } from "#cli/io.ts";
import { displayWidth } from "#cli/print/wrap.ts";
import { run, terminal } from "./support.ts";

const ARGV = ["import", "osm", "ch.osm.pbf", "--id", "ch"];
const REPORT: ExtractReport = {
  id: "ch",
  region: null,
  terms: { licence: "ODbL-1.0", attribution: "© OpenStreetMap contributors" },
  data_at_s: Date.UTC(2026, 10, 20) / 1000,
  imported_at_ms: 0,
  box: [45.8, 5.9, 47.8, 10.5],
  counts: { nodes: 3_400_000, ways: 420_000, relations: 9_000 },
  section_counts: {
    services: { toilets: 1_200, water: 30, left_out: 4 },
    walk: { vertices: 9_000, edges: 12_000, stairs: 40, steps_unknown: 7 },
  },
  dropped: [{ reason: "node_outside_the_globe", count: 2, examples: ["N1", "N2"] }],
  repaired: [],
  file_bytes: 506_000_000,
  pack_bytes: 48_100_000,
  elapsed_ms: 51_240,
};

type Import = GivenIo["importBase"];
const STEPS: readonly ExtractProgress[] = [
  { fraction: 0.2, bytes: 900, bytes_per_s: null },
  { pass: "pages", fraction: 0.5, bytes: 12_000_000, bytes_per_s: 45_000_000, remaining_ms: 2.5e5 },
  { fraction: 1, bytes: 700_000_000, bytes_per_s: 45_000_000 },
].map((step) => ({ pass: "nodes", remaining_ms: null, ...step, counts: REPORT.counts }));

const reading =
  (report: ExtractReport, input: Parameters<Import>[0][] = []): Import =>
  (options) => {
    input.push(options);
    for (const step of STEPS) options.onProgress(step);
    return Promise.resolve({ ok: true, report });
  };

test("the report lists what was read, what the base holds, and what was left out and why", async () => {
  const ran = await run(ARGV, { importBase: reading(REPORT) });
  assert.equal(ran.code, 0, ran.err);
  assert.deepEqual(ran.out.split("\n"), [
    "3 400 000 nodes, 420 000 ways, 9 000 relations of 2026-11-20; 506 MB became 48 MB in 51.2 s",
    "holds 1 200 toilets, 30 water, 4 left out; ways on foot: 9 000 vertices, 12 000 edges, 40 stairs, 7 steps unknown",
    "",
    "left out  why                     such as",
    "       2  node outside the globe  N1, N2",
    "",
  ]);
  assert.equal(ran.err, "reading ch.osm.pbf\n", "no bar where errors are no terminal");
});

test("an unknown date and a base without anything are said, not made up", async () => {
  const bare = { ...REPORT, data_at_s: null, section_counts: {}, dropped: [] };
  const { out } = await run(ARGV, { importBase: reading(bare) });
  assert.match(out, /relations of –; /);
  assert.match(out, /^holds nothing$/m);
  assert.ok(!out.includes("1970"));
});

test("a part that is left out is passed on, and missing ways on foot are said", async () => {
  const input: Parameters<Import>[0][] = [];
  const { walk: _, ...section_counts } = REPORT.section_counts;
  const importBase = reading({ ...REPORT, section_counts }, input);
  const { out, code } = await run([...ARGV, "--without", "walk,map"], { importBase });
  await run(ARGV, { importBase });
  assert.deepEqual([code, ...input.map(({ without }) => without)], [0, ["walk", "map"], []]);
  assert.match(out, /left out; no ways on foot: minutes on foot need a new import$/m);
});

test("nothing of an extract moves the cursor, and the table fits the terminal", async () => {
  const examples = ["\u001B[2J\u202E" + "駅".repeat(200)];
  const hostile = {
    ...REPORT,
    dropped: [{ reason: "node_outside_the_globe", count: 2, examples }],
  };
  const { out } = await run(ARGV, { importBase: reading(hostile), out: terminal(80) });
  for (const control of ["\u001B[2J", "\u202E"]) assert.ok(!out.includes(control));
  const table = out.split("\n").slice(3);
  for (const line of table) assert.ok(displayWidth(line) <= 80, line);
});

test("the options are passed on", async () => {
  const input: Parameters<Import>[0][] = [];
  const importBase = reading(REPORT, input);
  await run([...ARGV, "--region", "CH", "--sandbox"], { importBase });
  await run(ARGV, { importBase });
  assert.deepEqual(
    input.map(({ path, base_id, region, sandbox }) => [path, base_id, region, sandbox]),
    [
      ["ch.osm.pbf", "ch", "CH", true],
      ["ch.osm.pbf", "ch", null, false],
    ],
  );
});

test("a terminal shows how far it is, where errors go; --json is alone on the other", async (t) => {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const importBase: Import = (options) => {
    for (const step of STEPS) {
      options.onProgress(step);
      // The bar is drawn a few times a second.
      t.mock.timers.tick(500);
    }
    return Promise.resolve({ ok: true, report: REPORT });
  };
  const ran = await run([...ARGV, "--json"], { importBase, err: terminal(120) });
  assert.deepEqual(JSON.parse(ran.out), REPORT);
  const drawn = stripVTControlCharacters(ran.err);
  assert.match(drawn, /reading █{6}░{26} 20 %, 900 B, 3 829 000 objects/, "no rate yet");
  assert.match(
    drawn,
    /building pages █{16}░{16} 50 %, 12 MB, 3 829 000 objects, 45 MB\/s, 4 min left/,
  );
  assert.ok(!/null|NaN|undefined/.test(drawn), drawn);
  assert.ok(ran.err.endsWith("\u001B[2K"), "the bar is gone at the end");
});

test("where errors are no terminal, a long import says how far it is now and then", async () => {
  let now_ms = 0;
  const importBase: Import = ({ onProgress }) => {
    for (const fraction of [0.1, 0.2, 0.3, 0.4]) {
      now_ms += 20_000;
      onProgress({ ...STEPS[1]!, fraction });
    }
    return Promise.resolve({ ok: true, report: REPORT });
  };
  const ran = await run(ARGV, { importBase, now: () => now_ms });
  assert.equal(
    ran.err,
    "reading ch.osm.pbf\nbuilding pages: 20 %, 4 min left\nbuilding pages: 40 %, 4 min left\n",
  );
});

test("Ctrl-C stops the import, which is one line", async () => {
  let interrupt = (): void => undefined;
  let listening = false;
  const importBase: Import = ({ signal }) => {
    interrupt();
    assert.ok(signal?.aborted);
    return Promise.resolve({ ok: false, problem: "the import was stopped" });
  };
  const onInterrupt = (listener: () => void): (() => void) => {
    [interrupt, listening] = [listener, true];
    return () => (listening = false);
  };
  const ran = await run(ARGV, { importBase, onInterrupt });
  assert.deepEqual([ran.code, ran.out, listening], [1, "", false]);
  assert.ok(ran.err.endsWith("vicinity: ch.osm.pbf: the import was stopped\n"), ran.err);
});

test("an extract that cannot be read is one line, and exit code 1", async () => {
  const problem = "extract: cut short: the block at byte 77 does not end before 90";
  for (const err of [undefined, terminal(80)]) {
    const importBase: Import = ({ onProgress }) => {
      onProgress(STEPS[0]!);
      return Promise.resolve({ ok: false, problem });
    };
    const ran = await run(ARGV, { importBase, ...(err && { err }) });
    assert.deepEqual([ran.code, ran.out], [1, ""]);
    assert.ok(
      ran.err.replace("end\n", "end ").endsWith(`vicinity: ch.osm.pbf: ${problem}\n`),
      ran.err,
    );
  }
});

for (const [what, argv, says] of [
  ["no id", ["import", "osm", "a.pbf"], /--id/],
  ["an id that is a path", ["import", "osm", "a.pbf", "--id", "../ch"], /--id: expected 1 to 40/],
  ["an id in capitals", ["import", "osm", "a.pbf", "--id", "CH"], /--id: expected 1 to 40/],
  ["no file", ["import", "osm", "--id", "ch"], /FILE/],
  ["a part that stays", [...ARGV, "--without", "services"], /--without: expected map or walk/],
  [
    "a part of a list",
    [...["import", "addresses", "a.csv", "--id", "a"], "--format", "ban", "--without", "walk"],
    /--without: only an extract/,
  ],
  [
    "another kind",
    ["import", "shp", "a", "--id", "ch"],
    /expected gtfs, osm or addresses, got "shp"/,
  ],
] as const)
  test(`wrong: ${what}`, async () => {
    const importBase: Import = () => assert.fail("nothing is imported");
    const ran = await run(argv, { importBase });
    assert.deepEqual([ran.code, ran.out], [2, ""]);
    assert.match(ran.err, says);
  });
