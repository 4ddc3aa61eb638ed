/** `vicinity import gtfs`: what is passed on, what is printed, and how it ends when it cannot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GivenIo, ImportReport } from "#cli/io.ts";
import { displayWidth } from "#cli/print/print-table.ts";
import { run, terminal } from "./support.ts";

const ARGV = ["import", "gtfs", "a.zip", "--id", "bart"];
const REPORT: ImportReport = {
  stations: 50,
  stops: 1203,
  routes: 14,
  operators: 1,
  modes: ["metro", "rapid_transit"],
  runs_from: "2020-01-01",
  runs_until: "2099-12-31",
  days_problem: null,
  rejected: [
    { reason: "call_at_no_stop", count: 12_345, examples: ["A", "B", "C", "D"] },
    { reason: "id_duplicate", count: 1, examples: ["中央駅"] },
  ],
};

type Import = GivenIo["importGtfs"];
const reading =
  (report: ImportReport, input: Parameters<Import>[0][] = []): Import =>
  (options) => {
    input.push(options);
    for (const share of [0, 0.5, 1]) options.onProgress(share);
    return Promise.resolve({ ok: true, report });
  };

test("the report lists what was read, and what was left out and why", async () => {
  const ran = await run(ARGV, { importGtfs: reading(REPORT) });
  assert.equal(ran.code, 0, ran.err);
  assert.deepEqual(ran.out.split("\n"), [
    "50 stations of 1 203 stops, 14 routes, 1 operators · metro, rapid transit",
    "",
    "left out  why              such as",
    "  12 345  call at no stop  A, B, C",
    "       1  id duplicate     中央駅",
    "",
  ]);
});

test("what is known of ways within stations is named, and nothing where nothing is", async () => {
  const bare = { ...REPORT, rejected: [] };
  const say = async (report: ImportReport): Promise<string> =>
    (await run(ARGV, { importGtfs: reading(report) })).out.split("\n")[1]!;
  const within_stations = { stations: 98, lifts: 1_212 };
  assert.equal(await say({ ...bare, within_stations }), "ways within 98 stations, 1 212 lifts");
  for (const none of [bare, { ...bare, within_stations: null }]) assert.equal(await say(none), "");
});

test("there is no table if nothing was left out", async () => {
  const bare = { ...REPORT, modes: [], rejected: [] };
  const { out } = await run(ARGV, { importGtfs: reading(bare) });
  assert.equal(out, "50 stations of 1 203 stops, 14 routes, 1 operators · no modes\n");
});

test("a timetable that says nothing of now by its own clocks is warned of, with its days", async () => {
  const say = async (
    days_problem: string | null,
    runs_from: string | null = "2020-01-01",
    runs_until: string | null = "2021-05-06",
  ): Promise<string> => {
    const report = { ...REPORT, runs_from, runs_until, days_problem, rejected: [] };
    const { out } = await run(ARGV, { importGtfs: reading(report) });
    return out.split("\n")[1]!;
  };
  assert.equal(await say("ended_2021-05-06"), "it has ended on 2021-05-06: import a newer one");
  assert.equal(await say(null), "", "its last night goes on");
  assert.match(
    await say("begins_2098-03-04", "2098-03-04", "2099-12-31"),
    /^it has not begun: .* before 2098-03-04$/,
  );
  assert.match(await say("never_runs", null, null), /^nothing in it runs on any day/);
});

test("nothing of a feed moves the cursor, and all fits the terminal", async () => {
  const examples = ["\u001B[2J\u202E" + "駅".repeat(200)];
  const hostile = { ...REPORT, rejected: [{ reason: "id_duplicate", count: 2, examples }] };
  const { out } = await run(ARGV, { importGtfs: reading(hostile), out: terminal(80) });
  for (const control of ["\u001B[2J", "\u202E"]) assert.ok(!out.includes(control));
  for (const line of out.split("\n")) assert.ok(displayWidth(line) <= 80, line);
});

test("the options are passed on", async () => {
  const input: Parameters<Import>[0][] = [];
  const importGtfs = reading(REPORT, input);
  await run([...ARGV, "--region", "bay", "--sandbox"], { importGtfs });
  await run(ARGV, { importGtfs });
  assert.deepEqual(
    input.map(({ path, feed_id, region, sandbox }) => [path, feed_id, region, sandbox]),
    [
      ["a.zip", "bart", "bay", true],
      ["a.zip", "bart", null, false],
    ],
  );
});

test("--json prints the report and nothing else", async () => {
  const ran = await run([...ARGV, "--json"], { importGtfs: reading(REPORT) });
  assert.deepEqual(JSON.parse(ran.out), REPORT);
});

test("a feed that cannot be read is one line, and exit code 1", async () => {
  const problem = "stops.txt line 3: no column stop_lat";
  const ran = await run(ARGV, { importGtfs: () => Promise.resolve({ ok: false, problem }) });
  assert.deepEqual([ran.code, ran.out], [1, ""]);
  assert.ok(ran.err.endsWith(`vicinity: a.zip: ${problem}\n`), ran.err);
});

test("a terminal's progress goes to where errors go", async () => {
  const { out } = await run([...ARGV, "--json"], {
    importGtfs: reading(REPORT),
    err: terminal(80),
  });
  assert.deepEqual(JSON.parse(out), REPORT);
});

for (const [what, argv, says] of [
  ["no id", ["import", "gtfs", "a.zip"], /--id/],
  ["an empty id", ["import", "gtfs", "a.zip", "--id="], /--id/],
  ["no file", ["import", "gtfs", "--id", "x"], /FILE/],
  [
    "another kind",
    ["import", "gbfs", "a.zip", "--id", "x"],
    /expected gtfs, osm or addresses, got "gbfs"/,
  ],
] as const)
  test(`wrong: ${what}`, async () => {
    const ran = await run(argv);
    assert.deepEqual([ran.code, ran.out], [2, ""]);
    assert.match(ran.err, says);
  });

test("--help covers every option", async () => {
  const { out, code } = await run(["import", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /^Usage: vicinity import KIND FILE --id ID \[options\]$/m);
  for (const option of ["id", "region", "sandbox", "json"])
    assert.match(out, new RegExp(`--${option}\\b`));
});
