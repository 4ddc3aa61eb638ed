/** A name is a claim: the docks of two feeds show whether they speak of one network. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DIFFERENT, KIN, KINSHIP_UNKNOWN } from "../../identity/kinship.ts";
import { resolveObservations } from "../../identity/match-stations.ts";
import type { Feed, Observation, SourceKind } from "../../identity/observed-station.ts";
import { prepare } from "../../identity/prepare.ts";
import { TUNING } from "../../identity/weights.ts";
import { observe } from "./world.ts";

/** Names alike, and nothing else in common. */
function feed(id: string, kind: SourceKind, more: Partial<Feed> = {}): Feed {
  return { id, kind, system_id: id, names: ["Hubway"], urls: [], ...more };
}

/** Docks at these metres east. */
function docks(of: number, east_m: readonly number[], name = "Oak"): Observation[] {
  return east_m.map((at, i) => observe(of, `${of}-${i}`, { east_m: at }, { name: `${name} ${i}` }));
}

function kinship(feeds: readonly Feed[], observations: readonly Observation[]): number {
  const match = prepare(feeds, observations, TUNING).kinship(0, 1);
  assert.equal(prepare(feeds, observations, TUNING).kinship(1, 0), match, "symmetrical");
  return match;
}

const TEN = Array.from({ length: 10 }, (_, i) => i * 200);

test("a stranger that takes a network's name and one of its docks is no kin of its copy", () => {
  const feeds = [feed("gbfs:stranger", "gbfs"), feed("citybikes:hub", "citybikes")];
  const observations = [...docks(0, [400], "Oak 2"), ...docks(1, TEN)];
  observations[0] = { ...observations[0]!, name: "Oak 2" };
  assert.equal(kinship(feeds, observations), DIFFERENT);
  const { clusters, possible } = resolveObservations(feeds, observations);
  assert.deepEqual([clusters, possible], [[], []]);
});

test("a source that shows half of the docks or more is kin", () => {
  const feeds = [feed("gbfs:hub", "gbfs"), feed("citybikes:hub", "citybikes")];
  const at = (share: number): Observation[] => [
    ...docks(0, TEN),
    ...docks(1, [
      ...TEN.slice(0, share).map((m) => m + 20),
      ...TEN.slice(share).map((m) => m + 100),
    ]),
  ];
  assert.equal(kinship(feeds, at(10)), KIN);
  assert.equal(kinship(feeds, at(5)), KIN);
  assert.equal(kinship(feeds, at(4)), DIFFERENT);
});

test("docks of another town, where the other source shows none, say nothing", () => {
  const feeds = [feed("gbfs:hub", "gbfs"), feed("citybikes:hub", "citybikes")];
  const near = TEN.map((m) => m + 20);
  const far = (to_m: number): number[] => TEN.map((m) => m + to_m);
  for (const [own, other] of [
    [[...TEN, ...far(60_000), ...far(90_000)], near],
    [TEN, [...near, ...far(60_000), ...far(90_000)]],
  ] as const)
    assert.equal(kinship(feeds, [...docks(0, own), ...docks(1, other)]), KIN);
});

test("a map knows few of the docks, and what it knows must be docks", () => {
  const feeds = [feed("gbfs:hub", "gbfs"), feed("openstreetmap:hub", "openstreetmap")];
  assert.equal(kinship(feeds, [...docks(0, TEN), ...docks(1, [205, 1_010])]), KIN);
  const away = [...docks(0, TEN), ...docks(1, [100, 500, 900])];
  assert.equal(
    kinship(feeds, away),
    KINSHIP_UNKNOWN,
    "it counts nothing, so that it can do no harm",
  );
});

test("docks far away say nothing against", () => {
  const feeds = [feed("gbfs:hub", "gbfs"), feed("openstreetmap:hub", "openstreetmap")];
  const elsewhere = TEN.map((m) => m + 50_000);
  assert.equal(kinship(feeds, [...docks(0, TEN), ...docks(1, [...TEN, ...elsewhere])]), KIN);
});

test("two operators' feeds of one name must each show the other's docks", () => {
  const feeds = [feed("gbfs:a", "gbfs"), feed("gbfs:b", "gbfs")];
  assert.equal(kinship(feeds, [...docks(0, TEN), ...docks(1, TEN)]), KIN);
  assert.equal(kinship(feeds, [...docks(0, TEN), ...docks(1, [400])]), DIFFERENT);
});

test("one address or one system is kin, wherever the docks are", () => {
  const urls = ["https://gbfs.example.org/hub/gbfs.json"];
  const one = [feed("a", "gbfs", { urls }), feed("b", "citybikes", { urls })];
  const apart = [...docks(0, TEN), ...docks(1, [400])];
  assert.equal(kinship(one, apart), KIN);
  const system_id = "hub";
  assert.equal(
    kinship([feed("a", "gbfs", { system_id }), feed("b", "gbfs", { system_id })], apart),
    KIN,
  );
});

test("a feed without stations is no kin", () => {
  const feeds = [feed("gbfs:hub", "gbfs"), feed("citybikes:hub", "citybikes")];
  assert.equal(kinship(feeds, docks(0, TEN)), DIFFERENT);
});
