/** All cases, in the order in which they are run; those of one stage share its processes. */
import type { FaultCase } from "./case.ts";
import { CLOCK_CASES } from "./cases/clock.ts";
import { CONNECTION_CASES } from "./cases/connections.ts";
import { DIFFER_CASES } from "./cases/differ.ts";
import { FOLDER_CASES } from "./cases/folder.ts";
import { IMPORT_CASES } from "./cases/imports.ts";
import { REPLICA_CASES } from "./cases/replicas.ts";
import { SHARED_CASES } from "./cases/shared.ts";
import { SOURCE_CASES } from "./cases/sources.ts";
import { STORE_CASES } from "./cases/stores.ts";

export const CASES: readonly FaultCase[] = [
  ...REPLICA_CASES,
  ...STORE_CASES,
  ...SHARED_CASES,
  ...DIFFER_CASES,
  ...FOLDER_CASES,
  ...SOURCE_CASES,
  ...CONNECTION_CASES,
  ...IMPORT_CASES,
  ...CLOCK_CASES,
];
