/** Rules of ways within stations, one drawn station each (docs/walking.md, Within stations). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openFeed } from "../../index.ts";
import {
  findPlatformAccess,
  PLANNED,
  type PlatformAccess,
  type StationState,
} from "../../access/station-network.ts";
import { feedOf, type FeedTexts } from "../../../../test/support/gtfs.ts";
import { packFeed } from "../../../../test/support/transit.ts";

const STOPS =
  "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding,platform_code,level_id";
const WAYS =
  "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,stair_count,max_slope,min_width";

/** Station S with platform P, nodes N and M and the entrance E; further stops. */
function draw(
  ways: readonly string[],
  { stops = [] as string[], station = "", platform = "" } = {},
) {
  const texts: FeedTexts = {
    "stops.txt": [
      STOPS,
      `S,Station,48.85,2.35,1,,${station},,`,
      `P,Platform,48.85,2.35,0,S,${platform},2a,L`,
      "N,Node,48.85,2.35,3,S,,,",
      "M,Node,48.85,2.35,3,S,,,",
      "E,Entrance,48.85,2.35,2,S,,,",
      "A,Other,48.86,2.36,1,,,,",
      "AP,Other,48.86,2.36,0,A,,,",
      ...stops,
    ].join("\n"),
    "stop_times.txt":
      "trip_id,stop_id,stop_sequence,arrival_time,departure_time\nT1,P,1,08:00:00,08:00:00\nT1,AP,2,08:05:00,08:05:00\n",
    "levels.txt": "level_id,level_index,level_name\nL,-1,Lower hall\n",
    "pathways.txt": [WAYS, ...ways].join("\n"),
  };
  const { feed, trail } = feedOf(texts);
  const open = openFeed(packFeed(feed))!;
  const row = open.findStation("S")!;
  return { trail, network: open.access?.network(row) ?? null };
}

function platformOf(
  ways: readonly string[],
  options: Parameters<typeof draw>[1] = {},
  state: Partial<StationState> = {},
): PlatformAccess {
  const [platform] = findPlatformAccess(draw(ways, options).network!, { ...PLANNED, ...state });
  return platform!;
}

const out = (id: string): Partial<StationState> => ({
  liftOf: (lift) => (lift === id ? "out_of_order" : "unstated"),
});

/** Street, lift, platform. */
const LIFT = ["W1,E,N,1,1,30,,,", "L1,N,M,5,1,,,,", "W2,M,P,1,1,12.5,,,"];
const STAIRS = "T1,N,M,2,1,10,20,,";

test("a platform that a lift leads to is reached while the lift is in order", () => {
  assert.deepEqual(platformOf(LIFT), {
    stop_id: "P",
    code: "2a",
    level: "Lower hall",
    to_street: true,
    meters: 43,
  });
  assert.equal(platformOf([...LIFT, STAIRS], {}, out("L1")).to_street, false);
  assert.equal(platformOf([...LIFT, STAIRS], {}, out("L1")).meters, null);
  assert.equal(platformOf([...LIFT, "L2,N,M,5,1,,,,"], {}, out("L1")).to_street, true);
});

test("a lift of which a source is not sure makes it unknown", () => {
  const states = { liftOf: () => "unknown" as const };
  assert.equal(platformOf(LIFT, {}, states).to_street, null);
});

test("stairs and escalators are closed, moving walkways and gates are walked", () => {
  const by = (mode: number): boolean | null =>
    platformOf([`X,E,P,${mode},1,5,,,`, "Y,P,E,7,0,5,,,"]).to_street;
  assert.deepEqual([1, 2, 3, 4, 5, 6].map(by), [true, false, true, false, true, true]);
});

test("a platform that is entered and not left, or left and not entered, is not reached", () => {
  const [inside, outside] = ["X,E,P,1,0,5,,,", "Y,P,E,1,0,5,,,"];
  assert.equal(platformOf([inside]).to_street, false);
  assert.equal(platformOf([outside]).to_street, false);
  assert.equal(platformOf([inside, outside]).to_street, true);
});

test("an exit gate that is said to open both ways opens one", () => {
  const ways = ["X,P,E,7,1,5,,,"];
  assert.equal(platformOf(ways).to_street, false);
  assert.deepEqual(
    draw(ways).trail.repaired.map(({ reason }) => reason),
    ["exit_gate_both_ways"],
  );
});

for (const [what, cells, answer] of [
  ["a slope of 6 %", ",0.06,", true],
  ["a slope down of 6 %", ",-0.06,", true],
  ["a slope of 7 %", ",0.07,", null],
  ["a slope down of 7 %", ",-0.07,", null],
  ["a slope that cannot be read", ",steep,", null],
  ["a width of 90 cm", ",,0.9", true],
  ["a width of 80 cm", ",,0.8", null],
  ["a width that cannot be read", ",,wide", null],
  ["no stairs", "0,,", true],
  ["three stairs", "3,,", null],
  ["stairs that cannot be read", "few,,", null],
  ["nothing further", ",,", true],
] as const)
  test(`a walkway that states ${what} makes it ${String(answer)}`, () => {
    assert.equal(platformOf([`X,E,P,1,1,5,${cells}`]).to_street, answer);
  });

test("a platform that no way touches is unknown, and so is a station without an entrance", () => {
  assert.equal(platformOf(["X,E,N,1,1,5,,,"]).to_street, null);
  assert.equal(platformOf(["X,N,P,1,1,5,,,"]).to_street, null);
  assert.equal(platformOf(["X,E,N,1,1,5,,,", "Y,M,P,1,1,5,,,"]).to_street, false);
});

test("a station without ways has no network, and a feed without ways costs nothing", () => {
  assert.equal(draw([]).network, null);
  const { feed } = feedOf({});
  assert.equal("access" in feed, false);
  assert.equal(openFeed(packFeed(feed))!.access, null);
});

test("a length that is not stated leaves the metres unknown", () => {
  const way = platformOf(["X,E,P,1,1,,,,"]);
  assert.deepEqual([way.to_street, way.meters], [true, null]);
});

test("a platform is reached where all of its boarding areas are", () => {
  const stops = ["B1,,48.85,2.35,4,P,,,", "B2,,48.85,2.35,4,P,,,"];
  const [one, two] = ["X,E,B1,1,1,5,,,", "Y,E,B2,1,1,7,,,"];
  assert.equal(platformOf([one, two], { stops }).to_street, true);
  assert.equal(platformOf([one, two], { stops }).meters, 7);
  assert.equal(platformOf([one], { stops }).to_street, null);
  assert.equal(platformOf([one, "Y,E,B2,2,1,7,,,"], { stops }).to_street, null);
  assert.equal(platformOf(["X,E,B1,2,1,5,,,", "Y,E,B2,2,1,7,,,"], { stops }).to_street, false);
  const refused = [stops[0]!, stops[1]!.replace(",P,,,", ",P,2,,")];
  assert.equal(platformOf([one, two], { stops: refused }).to_street, null);
});

test("what wheelchair_boarding says is never contradicted", () => {
  // No: not reached for certain, whatever the plan says.
  assert.equal(platformOf(LIFT, { platform: "2" }).to_street, null);
  assert.equal(platformOf(LIFT, { station: "2" }).to_street, null);
  assert.equal(platformOf(LIFT, { station: "2", platform: "1" }).to_street, null);
  // Yes: the plan that does not reach it does not say so; a lift that is out of order does.
  assert.equal(platformOf([...LIFT.slice(0, 1), STAIRS, LIFT[2]!]).to_street, false);
  assert.equal(
    platformOf([...LIFT.slice(0, 1), STAIRS, LIFT[2]!], { platform: "1" }).to_street,
    null,
  );
  assert.equal(platformOf(LIFT, { platform: "1" }, out("L1")).to_street, false);
});

test("an entrance that is not for wheelchairs is none for certain", () => {
  const stops = ["F,Entrance,48.85,2.35,2,S,2,,"];
  assert.equal(platformOf(["X,F,P,1,1,5,,,"], { stops }).to_street, null);
  assert.equal(platformOf(["X,F,P,1,1,5,,,", ...LIFT], { stops }).to_street, true);
});

test("a stop in doubt is not passed for certain, and a station in doubt has no yes", () => {
  const doubts = (...ids: string[]): Partial<StationState> => ({ doubts: new Set(ids) });
  for (const id of ["E", "N", "M", "P"])
    assert.equal(platformOf(LIFT, {}, doubts(id)).to_street, null, id);
  assert.equal(platformOf(LIFT, {}, doubts("S")).to_street, true);
  assert.equal(platformOf(LIFT, {}, { is_doubtful: true }).to_street, null);
  assert.equal(platformOf(["X,E,P,2,1,5,,,"], {}, { is_doubtful: true }).to_street, false);
  const stops = ["B1,,48.85,2.35,4,P,,,"];
  assert.equal(platformOf(["X,E,B1,1,1,5,,,"], { stops }, doubts("P")).to_street, null);
});

for (const [reason, row] of [
  ["pathway_without_id", ",E,P,1,1,5,,,"],
  ["unknown_pathway_mode", "X,E,P,8,1,5,,,"],
  ["unknown_pathway_mode", "X,E,P,,1,5,,,"],
  ["unknown_pathway_direction", "X,E,P,1,,5,,,"],
  ["unknown_pathway_direction", "X,E,P,1,2,5,,,"],
  ["pathway_of_unknown_stop", "X,E,GONE,1,1,5,,,"],
  ["pathway_of_unknown_stop", "X,,P,1,1,5,,,"],
  ["pathway_of_station", "X,S,P,1,1,5,,,"],
  ["pathway_between_stations", "X,P,AP,1,1,5,,,"],
  ["duplicate_pathway", "T1,E,P,1,1,5,,,"],
] as const)
  test(`a way that is left out (${reason}: ${row}) leaves what is not reached unknown`, () => {
    const ways = ["W1,E,N,1,1,5,,,", STAIRS, "W2,M,P,1,1,5,,,"];
    const { trail, network } = draw([...ways, row]);
    assert.deepEqual(
      trail.dropped.map((entry) => entry.reason),
      [reason],
    );
    assert.equal(network!.is_partial, true);
    assert.equal(findPlatformAccess(network!, PLANNED)[0]!.to_street, null);
    assert.equal(findPlatformAccess(draw(ways).network!, PLANNED)[0]!.to_street, false);
    // A way that is there is there.
    const whole = draw([...ways, row, "L1,N,M,5,1,,,,"]).network!;
    assert.equal(findPlatformAccess(whole, PLANNED)[0]!.to_street, true);
  });
