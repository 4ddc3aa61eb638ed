/** What every Claims holds (src/ports/claims.ts): of those who claim a key at once one has it. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import type { Claim, Claims } from "#ports/claims.ts";

/** `replicas`: several over one store; `pass`: lets this number of milliseconds go by. */
export type OpenedClaims = {
  replicas: readonly [Claims, Claims];
  pass(ms: number): Promise<void>;
};

let keys = 0;
const newKey = (): Uint8Array => hash("sha256", `key ${++keys}`, "buffer");
const LONG_MS = 60_000;

export function claimsSuite(
  name: string,
  open: () => OpenedClaims | Promise<OpenedClaims>,
  skip: string | false = false,
): void {
  test(
    `${name}: of many who claim at once one has it, and the next one after it has ended`,
    { skip },
    async () => {
      const { replicas } = await open();
      const key = newKey();
      const crowd = Array.from({ length: 40 }, (_, n) => replicas[n % 2]!.claim(key, LONG_MS));
      const claimed = (await Promise.all(crowd)).filter((each) => each !== "held");
      assert.equal(claimed.length, 1);
      assert.equal(await replicas[1].claim(key, LONG_MS), "held");
      const other = await replicas[1].claim(newKey(), LONG_MS);
      assert.ok(isClaim(other), "another key");
      await claimed.map(toClaim)[0]!.end();
      assert.ok(isClaim(await replicas[0].claim(key, LONG_MS)));
    },
  );

  test(
    `${name}: a claim whose holder died expires, and its end does not end the next one`,
    { skip },
    async () => {
      const { replicas, pass } = await open();
      const key = newKey();
      const first = toClaim(await replicas[0].claim(key, 200));
      assert.equal(await replicas[1].claim(key, LONG_MS), "held");
      await pass(300);
      const second = toClaim(await replicas[1].claim(key, LONG_MS));
      await first.end();
      assert.equal(await replicas[0].claim(key, LONG_MS), "held", "the second is not the first's");
      await second.end();
      await second.end();
      assert.ok(isClaim(await replicas[0].claim(key, LONG_MS)));
    },
  );
}

function isClaim(claimed: Awaited<ReturnType<Claims["claim"]>>): claimed is Claim {
  return typeof claimed === "object";
}

function toClaim(claimed: Awaited<ReturnType<Claims["claim"]>>): Claim {
  return isClaim(claimed) ? claimed : assert.fail(claimed);
}
