/**
 * The fault matrix of places (place-faults.test.ts): the faults that let a question wait. Apart from
 * the others, which work all the time and would eat its deadline.
 */
import { WAITING } from "./place-fault-lanes.ts";
import { type Run, testFaults } from "./place-fault-tests.ts";

/** Each of them once. */
const SAMPLE: readonly Run[] = [
  { lane: "photon, the open map", faults: "timeout" },
  { lane: "nominatim", faults: "slow" },
  { lane: "photon, the others", faults: "late" },
];

testFaults(WAITING, SAMPLE, { at_once: 6, apart_ms: 300 });
