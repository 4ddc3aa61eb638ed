/** What is known of a store by its notices, and what is not when one of them is missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createManualClock } from "../../support/manual-clock.ts";
import { AccountVersion } from "#storage/postgres/account-version.ts";
import type { Query } from "#storage/postgres/pool.ts";

/** A store that says this version when it is asked. */
async function createBench(reported = 10) {
  const store = { reported };
  const query = (() => Promise.resolve([{ version: store.reported }])) as unknown as Query;
  const version = new AccountVersion(
    { query },
    { time: createManualClock(1_000), onFault: (error) => assert.fail(String(error)) },
  );
  await version.look();
  return { store, version };
}

const ADA = { what: "account", id: "acc_ada" } as const;
const KEY = { what: "key", hash: Buffer.from([1, 255]) } as const;

test("notices in a row report what was written, in order", async () => {
  const { version } = await createBench();
  assert.deepEqual(version.changesSince(10), []);
  version.onNotice("11 aacc_ada");
  version.onNotice("12 k01ff");
  assert.equal(version.get(), 12);
  assert.deepEqual(version.changesSince(10), [ADA, KEY]);
  assert.deepEqual(version.changesSince(11), [KEY]);
  assert.deepEqual(version.changesSince(12), []);
  assert.equal(version.changesSince(9), null, "before the first notice");
  assert.equal(version.changesSince(13), null, "of another time of the store");
});

test("a missing or unnamed change may be anything", async () => {
  for (const payload of ["13 k01ff", "12", "12 zebras", "9 aacc_ada"]) {
    const { version } = await createBench();
    version.onNotice("11 aacc_ada");
    version.onNotice(payload);
    assert.equal(version.changesSince(10), null, payload);
    assert.equal(version.changesSince(11), null, payload);
    // What follows is known again.
    const now = version.get();
    version.onNotice(`${now + 1} k01ff`);
    assert.deepEqual(version.changesSince(now), [KEY], payload);
  }
});

test("a version that was learnt by asking names nothing; the same one again changes nothing", async () => {
  const { store, version } = await createBench();
  version.onNotice("11 aacc_ada");
  store.reported = 11;
  await version.look();
  assert.deepEqual(version.changesSince(10), [ADA]);
  store.reported = 12;
  await version.look();
  assert.equal(version.get(), 12);
  assert.equal(version.changesSince(11), null);
  version.onNotice("12 k01ff");
  assert.equal(version.changesSince(11), null, "its notice comes late");
});

test("an unreadable notice makes it ask the store", async () => {
  const { store, version } = await createBench();
  store.reported = 14;
  version.onNotice("bicycles");
  await new Promise((done) => setImmediate(done));
  assert.equal(version.get(), 14);
});

test("an account may be called anything", async () => {
  const { version } = await createBench();
  version.onNotice("11 aan account\nof two lines");
  assert.deepEqual(version.changesSince(10), [{ what: "account", id: "an account\nof two lines" }]);
});

test("as many changes are remembered as a reader may look back, and no more", async () => {
  const { version } = await createBench(0);
  for (let i = 1; i <= 3_000; i++) version.onNotice(`${i} k01ff`);
  assert.equal(version.changesSince(2_000)?.length, 1_000);
  assert.equal(version.changesSince(1_999), null);
});
