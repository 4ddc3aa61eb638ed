/**
 * Ways on foot as they really are: GET /v1/walk over the imported base of the simulated world, and
 * the order of services on foot, held against GET /__sandbox/truth/walk.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LIMITS } from "#api/limits.ts";
import type { ServicesBodyValue } from "#api/services.ts";
import type { WayBodyValue } from "#api/way.ts";
import type { TrueWalk } from "../../../sandbox/walks/walk.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { createVerdict, judge, PROFILES } from "../../../trials/walking-truth/judge.ts";
import { listPairs } from "../../../trials/walking-truth/questions.ts";
import { sized } from "../../support/size.ts";
import { serviceFor } from "./support.ts";

const CITIES = "paris";
const SEED = 1;
/** Answers are whole metres. */
const HALF_M = 0.5;
const NEAR_M = 1_000;

type At = { lat: number; lon: number };
const textOf = ({ lat, lon }: At): string => `${lat},${lon}`;

describe("ways on foot of the simulated base", () => {
  const variables = { SANDBOX_SEED: String(SEED) };
  const settings = { sources: { openstreetmap: { places: "embedded" } } };
  const served = serviceFor({ base: true, cities: CITIES, variables, settings });
  const pairs = listPairs(createWorld(SEED, [CITIES]), { seed: 3, count: sized(60, 1_000) });

  async function truthOf(from: At, to: At, profile: string): Promise<TrueWalk> {
    const { client, started } = served;
    const query = `from=${textOf(from)}&to=${textOf(to)}&profile=${profile}`;
    const url = `${started.service.sandbox!.url}/__sandbox/truth/walk?${query}`;
    return (await client.json<{ walk: TrueWalk }>(url)).walk;
  }

  test("GET /v1/walk answers the way, its steps, or why there is none", async (t) => {
    const { client, started } = served;
    const verdict = createVerdict();
    for (const pair of pairs)
      for (const profile of PROFILES) {
        const query = `from=${textOf(pair.from)}&to=${textOf(pair.to)}&profile=${profile}`;
        const body = await client.json<WayBodyValue>(`${started.service.url}/v1/walk?${query}`);
        const { meters, step_free, reason } = body;
        const known = await truthOf(pair.from, pair.to, profile);
        const is_far = known.meters !== null && known.meters > LIMITS.walk.meters_max;
        const truth = is_far ? ({ meters: null, reason: "not_reached" } as const) : known;
        const answer = meters === null ? (reason ?? "no reason") : { meters, step_free };
        judge(verdict, { pair, profile, answer, truth }, HALF_M);
      }
    assert.deepEqual(verdict.wrong, []);
    assert.ok(verdict.outcomes.size >= 5, JSON.stringify([...verdict.outcomes]));
    t.diagnostic(`${verdict.compared} answers`);
  });

  test("services by sort=walk are in the order of their true ways", async (t) => {
    const { client, started } = served;
    let [ways, moved] = [0, 0];
    for (const { from } of pairs.slice(0, sized(25, 200))) {
      const query = `lat=${from.lat}&lon=${from.lon}&radius=${NEAR_M}&limit=20&types=toilets,aed&sort=walk`;
      const { results, walking } = await client.json<ServicesBodyValue>(
        `${started.service.url}/v1/services/nearby?${query}`,
      );
      let least_m = 0;
      for (const { walk, location, name } of results) {
        const { meters } = await truthOf(from, location, "foot");
        if (walk === null || walk === undefined) {
          const is_far = meters === null || meters > walking!.within_meters - 1;
          assert.ok(is_far, `${name}: no way, ${meters} m`);
          continue;
        }
        assert.ok(Math.abs(walk.meters - meters!) < 1, `${name}: ${walk.meters} m, ${meters} m`);
        assert.ok(meters! >= least_m - 1, `${name}: ${meters} m after ${least_m} m`);
        least_m = meters!;
        ways += 1;
      }
      const beelines = results.map(({ distance_meters }) => distance_meters);
      if (beelines.some((each, n) => n > 0 && each < beelines[n - 1]!)) moved += 1;
    }
    assert.ok(ways > 20 && moved > 2, `${ways} ways, ${moved} answers in another order`);
    t.diagnostic(`${ways} ways, ${moved} answers in another order than by beeline`);
  });

  test("a question that is none is refused by its name", async () => {
    const { client, started } = served;
    const url = `${started.service.sandbox!.url}/__sandbox/truth/walk`;
    for (const [query, parameter] of [
      ["to=1,2", "from"],
      ["from=1,2", "to"],
      ["from=1,2,3&to=1,2", "from"],
      ["from=91,2&to=1,2", "from"],
      ["from=1,2&to=1,x", "to"],
      ["from=1,2&to=1,2&profile=bicycle", "profile"],
    ] as const) {
      const { status, text } = await client.call(`${url}?${query}`);
      assert.equal(status, 400, query);
      assert.match(text, new RegExp(`"${parameter}"`), query);
    }
  });
});
