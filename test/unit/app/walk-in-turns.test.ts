/** Ways on foot to what an answer has already: each target has its own, and what is not known is no number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS } from "#api/limits.ts";
import { walkInTurns } from "#app/walk/walk-in-turns.ts";
import { drawnWalks, UNMAPPED } from "../../support/walks.ts";

const HERE = { lat: 48.85, lon: 2.35 };
const WISH = { profile: "foot", speed: 1, within_s: null, sorts: true } as const;
const MOST = LIMITS.walk.candidates_max;

const pointAt = (n: number) => ({ lat: HERE.lat + n * 1e-6, lon: HERE.lon });
const numberOf = ({ lat }: { lat: number }): number => Math.round((lat - HERE.lat) * 1e6);
const WALKS = drawnWalks((_, point) => [numberOf(point), true]);

test("each target has its own way, wherever those without a location are", async () => {
  const targets = [undefined, pointAt(7), undefined, undefined, pointAt(3), pointAt(9), undefined];
  const { ways, walking } = await walkInTurns(WALKS, HERE, targets, WISH);
  assert.deepEqual(
    ways.map((way) => (typeof way === "string" ? way : way.meters)),
    targets.map((target) => (target ? numberOf(target) : "target_off_network")),
  );
  assert.equal(walking.reached, 3);
});

test("what comes after the bound of candidates is not looked at, and has no way", async () => {
  const targets = Array.from({ length: MOST + 3 }, (_, n) => pointAt(n));
  const { ways } = await walkInTurns(WALKS, HERE, targets, WISH);
  assert.equal(ways.length, targets.length);
  assert.deepEqual(ways.slice(MOST - 1), [
    { meters: MOST - 1, seconds: MOST - 1, step_free: true },
    ...["not_looked", "not_looked", "not_looked"],
  ]);
});

test("where no base is nothing has a way, and neither is there an error without targets", async () => {
  const { ways, walking } = await walkInTurns(UNMAPPED, HERE, [pointAt(1), undefined], WISH);
  assert.deepEqual(ways, ["outside_bases", "target_off_network"]);
  assert.equal(walking.reason, "outside_bases");
  for (const walks of [WALKS, UNMAPPED])
    assert.deepEqual((await walkInTurns(walks, HERE, [], WISH)).ways, []);
});
