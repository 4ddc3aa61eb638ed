/** All cases, in the order in which they are run; those of one stage share its processes. */
import type { Case } from "./case.ts";
import { CLOCK_CASES } from "./cases/clock.ts";
import { FOLDER_CASES } from "./cases/folder.ts";
import { REPLICA_CASES } from "./cases/replicas.ts";
import { SHARED_CASES } from "./cases/shared.ts";
import { SOURCE_CASES } from "./cases/sources.ts";
import { STORE_CASES } from "./cases/stores.ts";

export const CASES: readonly Case[] = [
  ...REPLICA_CASES,
  ...STORE_CASES,
  ...SHARED_CASES,
  ...FOLDER_CASES,
  ...SOURCE_CASES,
  ...CLOCK_CASES,
];
