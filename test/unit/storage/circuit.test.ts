/** Whether the shared store answers: probes, and what came too late to say anything. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Circuit, type CircuitEvent } from "#storage/valkey/circuit.ts";
import { noFault } from "../../support/faults.ts";

function open(answers: () => boolean | Promise<boolean>) {
  const events: CircuitEvent[] = [];
  let probes = 0;
  const circuit = new Circuit({
    probe: async () => (probes++, answers()),
    onEvent: (event) => void events.push(event),
    onFault: (error) => noFault("circuit", error),
  });
  const retryNow = async (): Promise<void> => {
    circuit.probeNow();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { circuit, events, retryNow, probes: () => probes };
}

test("it begins open, a probe closes it, a failure opens it, and each is reported once", async (t) => {
  let exists = false;
  const { circuit, events, retryNow } = open(() => exists);
  t.after(() => circuit.close());
  await retryNow();
  assert.equal(circuit.isOpen(), true);
  exists = true;
  await retryNow();
  await retryNow();
  assert.equal(circuit.isOpen(), false);
  for (const reason of ["late", "later"]) circuit.fail(circuit.era(), reason);
  assert.equal(circuit.isOpen(), true);
  assert.deepEqual(events, [{ state: "back" }, { state: "away", reason: "late" }]);
});

test("after a failure it is in doubt until it has been asked again, and asked now and then", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let exists = true;
  const { circuit, retryNow, probes } = open(() => exists);
  t.after(() => circuit.close());
  const pass = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  assert.equal(circuit.isDoubtful(), false, "at the start nothing has failed");
  await retryNow();
  circuit.fail(circuit.era(), "late");
  assert.equal(circuit.isDoubtful(), true);
  await pass(499);
  assert.deepEqual([probes(), circuit.isDoubtful()], [1, true]);
  await pass(1);
  assert.deepEqual([probes(), circuit.isOpen(), circuit.isDoubtful()], [2, false, false]);
  exists = false;
  circuit.fail(circuit.era(), "late");
  await pass(500);
  assert.deepEqual([probes(), circuit.isOpen(), circuit.isDoubtful()], [3, true, false]);
  await pass(499);
  assert.equal(probes(), 3);
  await pass(1);
  assert.equal(probes(), 4);
});

test("a call begun before it was open does not open it again", async (t) => {
  const { circuit, retryNow } = open(() => true);
  t.after(() => circuit.close());
  await retryNow();
  const era = circuit.era();
  circuit.fail(era, "one");
  await retryNow();
  circuit.fail(era, "another of that time");
  assert.equal(circuit.isOpen(), false);
});

test("one probe at a time; after its end it stays open and probes no more", async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { circuit, events, retryNow, probes } = open(() => promise);
  await retryNow();
  await retryNow();
  assert.equal(probes(), 1);
  circuit.close();
  resolve(true);
  await retryNow();
  assert.equal(circuit.isOpen(), true);
  assert.deepEqual([events.length, probes()], [0, 1]);
});
