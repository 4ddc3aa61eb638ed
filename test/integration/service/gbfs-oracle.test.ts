/**
 * What a service publishes in GBFS of a city with three sources of the same docks, read by an independent
 * reader (test/oracle/gbfs_out.py): it finds no dock twice.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { findPython } from "../../support/python.ts";
import { eventually, serviceFor } from "./support.ts";

const served = serviceFor({ timetables: false, cities: "paris", still: true });

const python = findPython();
const NO_PYTHON = python === null && "PUBLISHED GBFS NOT READ BY ANOTHER READER: no python3";

test("another reader of the files finds no dock twice", { skip: NO_PYTHON }, async (context) => {
  const { service } = served.started;
  // What several sources have is one once all of them are read.
  const near = `${service.url}/v1/nearby?lat=48.8566&lon=2.3522&include=stations`;
  await eventually(
    async () => (await served.client.json<NearbyBodyValue>(near)).status === "success" || null,
    { what: "all sources of the city", within_ms: 60_000 },
  );
  const url = `${service.url}/gbfs/v3/manifest.json`;
  const oracle = fileURLToPath(new URL("../../oracle/gbfs_out.py", import.meta.url));
  const { stdout } = await promisify(execFile)(python!, [oracle, url]);
  const { duplicates, errors, ...numbers } = JSON.parse(stdout) as OracleReport;
  context.diagnostic(JSON.stringify(numbers));
  assert.deepEqual(duplicates, []);
  assert.deepEqual(errors, []);
  assert.ok(numbers.stations > 100 && numbers.merged > 20, stdout);
});

type OracleReport = {
  duplicates: string[][];
  errors: string[];
  stations: number;
  merged: number;
};
