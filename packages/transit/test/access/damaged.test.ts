/** A timetable whose pathways or levels are damaged is imported all the same, and says why they are not there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { importGtfs, openFeed } from "../../index.ts";
import { findPlatformAccess, PLANNED, type PlatformAccess } from "../../access/station-network.ts";
import type { GtfsReport } from "../../imports.ts";
import { FILE_BOUNDS } from "../../gtfs/gtfs-bounds.ts";
import { MOST_WAYS } from "../../gtfs/access-rows.ts";
import { SMALL } from "../../../../test/support/gtfs.ts";
import { sized } from "../../../../test/support/size.ts";
import { makeZip, zipOf } from "../../../../test/support/zip.ts";

const HEADER =
  "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,stair_count,max_slope,min_width";
const WAYS = [
  HEADER,
  "W1,E2,P1,1,1,30.5,,0.02,1.5",
  '"L1",P1,N,5,1,,,,',
  "W2,N,P2,1,1,8,,,",
  "S1,P1,P2,2,1,8,24,,\n",
].join("\n");
const LEVELS = "level_id,level_index,level_name\nL0,0,Street\nL1,-1,Platforms\n";
const STOPS = [
  SMALL["stops.txt"]!.replaceAll(",0,S,2", ",0,S,1"),
  "E2,Ramp,48.8503,2.3503,2,S,1",
  "N,Node,48.8503,2.3503,3,S,\n",
].join("\n");
const FEED = { ...SMALL, "stops.txt": STOPS };
const OPTIONS = { feed_id: "f", region: null, now_ms: 5 };

type Opened = { platforms: PlatformAccess[] | null; report: GtfsReport };

async function open(bytes: Uint8Array, options: Partial<typeof OPTIONS> = {}): Promise<Opened> {
  const result = await importGtfs({ bytes }, { ...OPTIONS, ...options });
  assert.ok(result.ok, result.ok ? "" : result.problem);
  const feed = openFeed(result.pack)!;
  const network = feed.access?.network(feed.findStation("S")!) ?? null;
  return {
    platforms: network && findPlatformAccess(network, PLANNED),
    report: result.report,
  };
}

const openTexts = (texts: Readonly<Record<string, string | Uint8Array>>): Promise<Opened> =>
  open(zipOf({ ...FEED, ...texts }));

function reasonsOf({ rejected }: GtfsReport): string[] {
  return rejected.map(({ reason }) => reason);
}

test("the undamaged files lead to both platforms", async () => {
  const { platforms, report } = await openTexts({ "pathways.txt": WAYS, "levels.txt": LEVELS });
  assert.deepEqual(
    platforms!.map(({ to_street }) => to_street),
    [true, true],
  );
  assert.deepEqual(reasonsOf(report), []);
  assert.deepEqual(report.within_stations, { stations: 1, lifts: 1 });
});

test("damaged files of pathways leave the timetable as it is, with a reason where less is known", async () => {
  const whole = Buffer.from(WAYS);
  const arbDamage = fc.oneof(
    fc.record({ kind: fc.constant("cut" as const), at: fc.nat(whole.length - 1) }),
    fc.record({
      kind: fc.constant("bytes" as const),
      at: fc.nat(whole.length - 1),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
    }),
    fc.record({
      kind: fc.constant("text" as const),
      at: fc.nat(whole.length - 1),
      text: fc.constantFrom('"', ",", "\n", "\r", ",,,,", "-1", "NaN", "1e999", "\u0000", "P1"),
    }),
  );
  const seen = { less: 0, same: 0 };
  const check = async (damage: (typeof arbDamage extends fc.Arbitrary<infer D> ? D : never)[]) => {
    let bytes: Uint8Array = whole;
    for (const each of damage) {
      const at = Math.min(each.at, bytes.length);
      const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
      if (each.kind === "cut") bytes = head;
      else if (each.kind === "text") bytes = Buffer.concat([head, Buffer.from(each.text), tail]);
      else bytes = Buffer.concat([head, each.bytes, tail.subarray(each.bytes.length)]);
    }
    const { platforms, report } = await openTexts({ "pathways.txt": bytes });
    assert.equal(report.stations, 2);
    const isWhole = platforms?.every(({ to_street }) => to_street === true) ?? false;
    seen[isWhole ? "same" : "less"]++;
    // Stairs that end up as a way of another kind are what the file says; nothing else adds one.
    for (const each of [...report.rejected, ...report.repaired]) {
      assert.match(each.reason, /^[a-z_]+$/);
      assert.ok(each.examples.length <= 5);
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(arbDamage, { minLength: 1, maxLength: 3 }), check), {
    numRuns: sized(250, 1_000),
  });
  assert.ok(seen.less > 25 && seen.same > 25, JSON.stringify(seen));
});

for (const [what, text] of [
  ["a column that is missing", WAYS.replace("pathway_mode", "mode")],
  ["a quote that is left open", `${WAYS}"`],
  ["text after a quote", WAYS.replace('"L1"', '"L1"x')],
  ["nothing but a blank line", "\n"],
  ["another encoding", Buffer.from(`\uFEFF${WAYS}`, "utf16le")],
] as const)
  test(`pathways.txt with ${what} is left out with its reason`, async () => {
    const { platforms, report } = await openTexts({ "pathways.txt": text });
    assert.equal(platforms, null);
    assert.equal(report.within_stations, null);
    assert.deepEqual(reasonsOf(report), ["unreadable_file"]);
    assert.match(report.rejected[0]!.examples[0]!, /^pathways\.txt(:| line)/);
  });

test("levels.txt that cannot be read leaves the names of levels out, and nothing else", async () => {
  const { platforms, report } = await openTexts({ "pathways.txt": WAYS, "levels.txt": '"' });
  assert.deepEqual(
    platforms!.map(({ to_street }) => to_street),
    [true, true],
  );
  assert.deepEqual(reasonsOf(report), ["unreadable_file"]);
});

test("pathways beyond the bounds of their file are left out, and the timetable is not", async () => {
  const texts = { ...FEED, "pathways.txt": WAYS };
  for (const bound of [
    { rows: 2, bytes: 1_000_000 },
    { rows: 1_000, bytes: 40 },
  ]) {
    const bounds = { ...FILE_BOUNDS, "pathways.txt": bound };
    const result = await importGtfs({ bytes: zipOf(texts) }, { ...OPTIONS, bounds });
    assert.ok(result.ok);
    assert.equal(openFeed(result.pack)!.access, null);
    assert.deepEqual(reasonsOf(result.report), ["unreadable_file"]);
  }
});

test("pathways whose packed bytes are broken are left out, and the timetable is not", async () => {
  const entries = Object.entries({ ...FEED, "pathways.txt": WAYS.repeat(20) });
  const zip = makeZip(entries.map(([name, text]) => ({ name, data: Buffer.from(text) })));
  const at = zip.indexOf("pathways.txt") + "pathways.txt".length + 20;
  zip[at]! ^= 0xff;
  const { platforms, report } = await open(zip);
  assert.equal(platforms, null);
  assert.deepEqual(reasonsOf(report), ["unreadable_file"]);
});

test("a station with more ways than any has keeps none, and no other is without its own", async () => {
  const many = Array.from({ length: MOST_WAYS + 1 }, (_, i) => `X${i},E2,P1,1,1,5,,,`);
  const { platforms, report } = await openTexts({ "pathways.txt": [HEADER, ...many].join("\n") });
  assert.equal(platforms, null);
  assert.deepEqual(reasonsOf(report), ["too_many_pathways"]);
});

test("a stop of the import goes on through pathways", async () => {
  const signal = AbortSignal.abort();
  const result = await importGtfs(
    { bytes: zipOf({ ...FEED, "pathways.txt": WAYS }) },
    { ...OPTIONS, signal },
  );
  assert.equal(result.ok, false);
});
