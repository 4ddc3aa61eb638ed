/** Identity's thread: the same answers as in place, an end to every job, and life after a death. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type GroupJob, isHidden, openRoles, resolveGroup } from "#stations/resolution.ts";
import type { NoteFault } from "#kit/guard.ts";
import { stationCodec } from "#storage/station-ids-store.ts";
import { createIdentityThread } from "#upstream/identity-thread.ts";
import { aStation, aStatics, HERE, moved } from "../support/domain.ts";
import { collectFaults, noFault } from "../support/faults.ts";

const WORKER = new URL("../../src/main/workers/identity.ts", import.meta.url);
const NAME = "Vélocité Testville";

function open(
  t: TestContext,
  limits: { job_timeout_ms?: number; onFault?: NoteFault } = {},
): ReturnType<typeof createIdentityThread> {
  const thread = createIdentityThread({ worker_url: WORKER, onFault: noFault, ...limits });
  t.after(() => thread.close());
  return thread;
}

function jobOf(docks: number): GroupJob {
  const systems = ["gbfs", "citybikes"].map((source, side) => ({
    source_id: source,
    since_ms: side,
    ids: [JSON.stringify([["s0", `kept-${side}`]])],
    rents: null,
    docks: null,
    statics: aStatics({
      id: source,
      source,
      name: NAME,
      stations: Array.from({ length: docks }, (_, i) =>
        aStation(`s${i}`, { name: `Dock ${i}`, ...moved(HERE, i * 40, side * 3) }),
      ),
    }).buffer,
  }));
  const past = { statics: null, recalled: null };
  return { systems, past, overrides: { always: [], never: [] }, now_s: 1_800_000_000 };
}

test("the thread gives what resolving in place gives", async (t) => {
  const job = jobOf(300);
  const match = await open(t).run(job);
  const here = resolveGroup(job, stationCodec);
  assert.ok(match);
  assert.deepEqual([match.ids, match.changes], [here.ids, here.changes]);
  assert.deepEqual(stationCodec.unpack(match.seen!), stationCodec.unpack(here.seen!));
  assert.deepEqual(Buffer.from(match.roles), Buffer.from(here.roles));
  const roles = openRoles(match.roles);
  assert.equal(roles.of[1]!.filter(isHidden).length, 300, "all of the copy is merged");
  assert.equal(roles.caseAt(0).members.length, 2);
});

test("a job that is not done by the deadline has no result, and the next one has", async (t) => {
  const thread = open(t, { job_timeout_ms: 1 });
  assert.equal(await thread.run(jobOf(2_000)), null);
  const patient = open(t);
  assert.ok(await patient.run(jobOf(10)));
});

test("a thread that dies of its job is replaced", async (t) => {
  const { onFault, faults } = collectFaults();
  const thread = open(t, { onFault });
  const job = jobOf(3);
  const broken = { ...job.systems[0]!, statics: new SharedArrayBuffer(64) };
  assert.equal(await thread.run({ ...job, systems: [broken] }), null);
  assert.equal(faults.length, 1, "the defect is reported once");
  assert.ok(await thread.run(job));
});

test("a thread that was closed has no results", async (t) => {
  const thread = open(t);
  await thread.close();
  assert.equal(await thread.run(jobOf(1)), null);
});
