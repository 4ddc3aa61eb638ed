/**
 * The fault matrix of places (place-faults.test.ts): the faults that let a question wait. Apart from
 * the others, which work all the time and would eat its deadline.
 */
import { WAITING } from "./place-fault-lanes.ts";
import { testFaults } from "./place-fault-tests.ts";

testFaults(WAITING, { at_once: 6, apart_ms: 300 });
