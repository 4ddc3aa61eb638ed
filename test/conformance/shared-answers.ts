/** What every SharedAnswers does (ports.ts; reliability 2.4, single-flight across replicas). */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { AnswerClaim, SharedAnswers } from "#ports.ts";

export type OpenedAnswers = {
  /** One more replica at the same store. */
  join(): SharedAnswers | Promise<SharedAnswers>;
  pass(ms: number): Promise<void>;
  /** The store is away until what is returned has resolved. */
  away(): Promise<() => Promise<void>>;
};

const LIFE_MS = 60_000;
/** Keys are texts of people: languages, hash tags of clusters, nothing. */
const ODD_KEYS = ["", "a{b}c", "}{", "a b\r\n", "ключ 🚲", "__proto__", "x".repeat(10_000)];

export function sharedAnswersSuite(
  name: string,
  open: (t: TestContext) => OpenedAnswers | Promise<OpenedAnswers>,
): void {
  const example = (
    what: string,
    body: (opened: OpenedAnswers, a: SharedAnswers, b: SharedAnswers) => Promise<void>,
  ) =>
    test(`${name}: ${what}`, async (t) => {
      const opened = await open(t);
      await body(opened, await opened.join(), await opened.join());
    });

  example("the others read what one replica puts, by its key", async (_opened, a, b) => {
    for (const key of ODD_KEYS) {
      assert.equal(await b.read(key), null);
      const text = `{"${key}":" \u0000ünï 🚲 "}`;
      await (await claimed(a, key)).end({ text, life_ms: LIFE_MS });
      assert.equal(((await b.read(key)) as { text: string }).text, text);
    }
    assert.equal(await b.read("other"), null);
  });

  example("an answer is returned with its age, and expires", async ({ pass }, a, b) => {
    await (await claimed(a, "k")).end({ text: "x", life_ms: 300 });
    await pass(100);
    const stored = await b.read("k");
    assert.ok(stored && stored !== "unreachable");
    assert.ok(stored.age_ms >= 99 && stored.age_ms < 300, `${stored.age_ms} ms`);
    await pass(250);
    assert.equal(await b.read("k"), null);
  });

  example(
    "of many replicas that claim one is granted, and after its end the next",
    async (opened, a, b) => {
      const many = [a, b, ...(await Promise.all([opened.join(), opened.join()]))];
      for (let round = 0; round < 5; round++) {
        const claims = await Promise.all(many.map((each) => each.claim("k", LIFE_MS)));
        const granted = claims.filter((claim) => typeof claim === "object");
        assert.equal(granted.length, 1);
        assert.equal(granted[0]!.kept?.text, round === 0 ? undefined : `${round - 1}`);
        assert.equal(claims.filter((claim) => claim === "held").length, 3);
        await granted[0]!.end({ text: `${round}`, life_ms: LIFE_MS });
      }
    },
  );

  example(
    "replicas that wait are notified of its end, with an answer or without",
    async (_opened, a, b) => {
      for (const answer of [null, { text: "x", life_ms: LIFE_MS }]) {
        const claim = await claimed(a, "k");
        const { promise, resolve } = Promise.withResolvers<void>();
        let others = 0;
        const unwatch = [b.watch("k", resolve), b.watch("other", () => others++)];
        await claim.end(answer);
        await promise;
        assert.equal(others, 0);
        for (const end of unwatch) end();
      }
    },
  );

  example("a dead claim ends by itself, and its late end ends no other", async ({ pass }, a, b) => {
    const dead = await claimed(a, "k", 200);
    assert.equal(await b.claim("k", LIFE_MS), "held");
    await pass(250);
    const next = await claimed(b, "k");
    await dead.end(null);
    assert.equal(await a.claim("k", LIFE_MS), "held");
    await dead.end({ text: "late", life_ms: LIFE_MS });
    assert.equal(((await b.read("k")) as { text: string }).text, "late", "an answer is an answer");
    assert.equal(await a.claim("k", LIFE_MS), "held");
    await next.end(null);
    await claimed(a, "k");
  });

  example("while the store is away each call says so", async ({ away }, a, b) => {
    const claim = await claimed(a, "k");
    const back = await away();
    assert.equal(await b.read("k"), "unreachable");
    assert.equal(await b.claim("k", LIFE_MS), "unreachable");
    await claim.end({ text: "x", life_ms: LIFE_MS });
    await back();
    assert.notEqual(await b.read("k"), "unreachable");
  });
}

async function claimed(
  answers: SharedAnswers,
  key: string,
  life_ms: number = LIFE_MS,
): Promise<AnswerClaim> {
  const claim = await answers.claim(key, life_ms);
  assert.ok(typeof claim === "object", `the claim of ${JSON.stringify(key)} is not granted`);
  return claim;
}
