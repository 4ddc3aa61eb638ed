/** `vicinity import gtfs`: what is passed on, what is printed, and how it ends when it cannot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GivenIo, ImportReport } from "#cli/io.ts";
import { displayWidth } from "#cli/print/wrap.ts";
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
    `runs from ${REPORT.runs_from} until 2099-12-31`,
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
  for (const none of [bare, { ...bare, within_stations: null }])
    assert.match(await say(none), /^runs from /);
});

test("an id is refused that is no text on one line, or a path to elsewhere", async () => {
  const importGtfs = (): never => assert.fail("nothing is read");
  for (const id of [
    "../y",
    "..",
    ".",
    "/y",
    "y/",
    "a//b",
    "a\\..\\b",
    " ",
    "a\nb",
    "a".repeat(129),
  ]) {
    const ran = await run(["import", "gtfs", "a.zip", "--id", id], { importGtfs });
    assert.equal(ran.code, 2, JSON.stringify(id));
    assert.match(ran.err, /--id: expected 1 to 128 characters on one line, and no path/);
  }
  const named = await run(["import", "gtfs", "a.zip", "..", "--json"], { importGtfs });
  assert.match(named.err, /no path such as .* got "\.\."/);
  for (const id of ["bart", "f-u0z~vvs", "mdb-12", "de/berlin", "Zürich 2026", "a.b", "中央"]) {
    const input: Parameters<Import>[0][] = [];
    const argv = ["import", "gtfs", "a.zip", "--id", id];
    const ran = await run(argv, { importGtfs: reading(REPORT, input) });
    assert.equal(ran.code, 0, ran.err);
    assert.equal(input[0]!.feed_id, id);
  }
});

test("there is no table if nothing was left out", async () => {
  const bare = { ...REPORT, modes: [], rejected: [] };
  const { out } = await run(ARGV, { importGtfs: reading(bare) });
  assert.equal(
    out,
    `50 stations of 1 203 stops, 14 routes, 1 operators · no modes\nruns from ${REPORT.runs_from} until 2099-12-31\n`,
  );
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
  // Also while its last night goes on.
  assert.equal(await say(null), "runs from 2020-01-01 until 2021-05-06");
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

test("several timetables are imported at once, by stated ids or by the names of their files", async () => {
  for (const [argv, expected] of [
    [
      ["a.zip", "x/b.ZIP", "c"],
      ["a", "b", "c"],
    ],
    [
      ["a.zip", "b.zip", "--id", "one, two"],
      ["one", "two"],
    ],
    [["a.zip", "--id", "one,two"], ["one,two"]],
  ] as const) {
    const input: Parameters<Import>[0][] = [];
    const ran = await run(["import", "gtfs", ...argv, "--json"], {
      importGtfs: reading(REPORT, input),
    });
    assert.equal(ran.code, 0, ran.err);
    const ids = input.map(({ feed_id }) => feed_id);
    assert.deepEqual(ids, expected);
    if (ids.length === 1) continue;
    const read = JSON.parse(ran.out) as { feed_id: string; report: ImportReport }[];
    assert.deepEqual(
      read.map(({ feed_id, report }) => [feed_id, report]),
      expected.map((id) => [id, REPORT]),
    );
  }
});

test("of several one that fails is named, the others are imported, and the exit code is 1", async () => {
  const ok = reading(REPORT);
  const ran = await run(["import", "gtfs", "a.zip", "b.zip"], {
    importGtfs: (options) =>
      options.feed_id === "a"
        ? Promise.resolve({ ok: false, problem: "stops.txt: not in the feed" })
        : ok(options),
  });
  assert.equal(ran.code, 1);
  assert.match(ran.err, /vicinity: a\.zip: stops\.txt: not in the feed\n$/);
  assert.match(ran.out, /^b\n50 stations of/);
});

test("a box is passed on, and what is none is named", async () => {
  const input: Parameters<Import>[0][] = [];
  const importGtfs = reading(REPORT, input);
  for (const box of ["52.3,13,52.7,13.8", "-20,175,-15,-178"])
    assert.equal((await run([...ARGV, `--bbox=${box}`], { importGtfs })).code, 0);
  assert.deepEqual(
    input.map(({ box }) => box),
    [
      { south: 52.3, west: 13, north: 52.7, east: 13.8 },
      { south: -20, west: 175, north: -15, east: -178 },
    ],
  );
  const refused = async (box: string, says: RegExp): Promise<void> => {
    const ran = await run([...ARGV, `--bbox=${box}`], { importGtfs });
    assert.equal(ran.code, 2, box);
    assert.match(ran.err, says, box);
  };
  for (const box of ["1,2,3", "1,2,3,4,5", "1,2,91,4", "1,2,3,181", "1,,3,4"])
    await refused(box, /--bbox: expected SOUTH,WEST,NORTH,EAST/);
  for (const box of ["0x10,-180,90,180", "1e1,2,30,4", "Infinity,2,30,4"])
    await refused(box, /--bbox: expected SOUTH,WEST,NORTH,EAST/);
  for (const box of ["52.7,13,52.3,14", "1,2,1,4"])
    await refused(box, /--bbox: expected the first number, SOUTH, below the third, NORTH, got/);
  await refused("1,2,3,2", /--bbox: expected the second number, WEST, other than the fourth, EAST/);
});

test("Ctrl-C stops an import, and what was there stays", async () => {
  let interrupt = (): void => assert.fail("nothing listens");
  const ran = await run(ARGV, {
    onInterrupt(listener) {
      interrupt = listener;
      return () => undefined;
    },
    importGtfs: async ({ signal }) => {
      interrupt();
      assert.ok(signal?.aborted);
      return Promise.resolve({ ok: false, problem: "the import was stopped" });
    },
  });
  assert.equal(ran.code, 1);
  assert.match(ran.err, /the import was stopped\n$/);
});

for (const [what, argv, says] of [
  ["an id twice", ["import", "gtfs", "a.zip", "x/a.zip"], /--id: expected different ids, got "a"/],
  ["too few ids", ["import", "gtfs", "a", "b", "--id", "x"], /--id: expected 2 ids/],
  ["an empty one of several ids", ["import", "gtfs", "a", "b", "--id", "x,"], /--id/],
  [
    "several extracts",
    ["import", "osm", "a.pbf", "b.pbf", "--id", "x"],
    /unexpected argument "b.pbf"/,
  ],
  ["a box of an extract", ["import", "osm", "a.pbf", "--id", "x", "--bbox=1,2,3,4"], /--bbox/],
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
  assert.match(out, /^Usage: vicinity import KIND FILE\.\.\. --id ID \[options\]$/m);
  for (const option of ["id", "region", "sandbox", "json"])
    assert.match(out, new RegExp(`--${option}\\b`));
});
