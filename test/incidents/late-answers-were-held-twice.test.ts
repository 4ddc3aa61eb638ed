/**
 * A question that waited for a feed reached the gate by a promise, and had set its page aside before.
 * The gate, which holds every answer whose units must be written down first, held it once more; by
 * then the next question of the same feed had taken the list of hits, and the first was answered 500.
 * It took two callers with keys who waited for one feed at the same time: a fleet that was killed and
 * frozen under load had them at once.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NearbyReply } from "#app/answer-types.ts";
import { deploy, readBody, type Setup, toInput } from "../support/answers.ts";
import { aShard, aStation } from "../support/domain.ts";

/** So old that a question waits for it. */
const OLD = aShard({
  id: "a",
  stations: [aStation("s"), aStation("t")],
  fetched_age_s: 600,
  ttl_s: 60,
});

test("two late answers may both wait, and be rendered in any order once both are made", async () => {
  const refresh: Setup["refresh"] =
    ({ world }) =>
    async () => {
      // Not before both have asked.
      await Promise.resolve();
      world.put(aShard({ id: "a", stations: [aStation("s"), aStation("t")] }));
      return { status: "ok", cache: "revalidated" };
    };
  const deployment = deploy({ shards: [OLD], refresh });
  const ask = (limit: number): NearbyReply | Promise<NearbyReply> =>
    deployment.nearby(toInput(deployment, { limit, freshness_policy: null }));
  const late = [ask(1), ask(2)];
  assert.ok(late.every((each) => each instanceof Promise));
  const replies = await Promise.all(late);
  for (const order of [replies, replies.toReversed()])
    for (const reply of order) {
      assert.ok(reply.kind === "ok");
      assert.equal(readBody(reply).results.stations.length, reply.input.question.limit);
    }
});
