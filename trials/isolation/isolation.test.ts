/**
 * The short form of `npm run trials -- isolation`: parallel requests of several accounts, whose
 * responses are each held to their own request.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { runIsolation } from "./run.ts";
import { sized } from "../../test/support/size.ts";
import {
  createFolder,
  removeFolder,
  start,
  type Started,
} from "../../test/integration/service/support.ts";

const REQUESTS = sized(400, 2_000);
/** Of each kind, so that it is judged. */
const LEAST = sized(3, 15);
const KINDS = [
  "getNearby",
  "getNearby as GeoJSON",
  "getNearby with debug",
  "getServicesNearby",
  "getTransportNearby",
  "reverseGeocode",
  "executeCapability",
  "executeCapability of a dataset",
  "readDataset of a dataset",
  "tool search_mobility_nearby",
];
let started: Started;

before(async () => {
  started = await start({ data_dir: await createFolder() });
});
after(async () => {
  await started.service.close({ delay_ms: 0 });
  await removeFolder(started.data_dir);
});

test("parallel requests get their own answers, whatever their sources do and whichever callers leave", async () => {
  const { url, sandbox, keys } = started.service;
  const accounts = [
    { name: "anonymous", key: null },
    ...keys.map(({ plan, key }) => ({ name: plan, key })),
  ];
  const tally = await runIsolation(
    { url, sandbox_url: sandbox!.url, accounts },
    { requests: REQUESTS, seed: 18 },
  );
  assert.deepEqual(tally.findings, []);
  const answered = tally.statuses.get(200) ?? 0;
  assert.ok(answered > REQUESTS / 2, `only ${answered} answers to judge`);
  for (const kind of KINDS) assert.ok((tally.kinds.get(kind) ?? 0) > LEAST, `too few: ${kind}`);
  assert.ok(
    tally.kinds.get("readDataset of a dataset")! > sized(10, 50),
    "datasets were read again",
  );
});
