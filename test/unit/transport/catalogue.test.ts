/** Which timetables are read: the named ones, and those of the catalogue's area, also when it comes late. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createManualClock } from "../../support/manual-clock.ts";
import type { Outcome } from "#kit/outcome.ts";
import type { Fetched } from "#upstream/run.ts";
import { followCatalogue } from "#upstream/transit/catalogue.ts";
import { NOW_MS } from "../../support/domain.ts";
import { turn } from "../../support/lookup.ts";
import { createMemoryDocuments } from "../../support/memory-documents.ts";
import { noFault } from "../../support/faults.ts";

const CSV = [
  "id,data_type,urls.direct_download,status,location.bounding_box.minimum_latitude,location.bounding_box.maximum_latitude,location.bounding_box.minimum_longitude,location.bounding_box.maximum_longitude",
  "mdb-7,gtfs,https://feeds.example/7.zip,active,48,49,2,3",
].join("\n");
const FAILED: Outcome<Fetched> = { status: "timeout", reason: "deadline" };
const nothing = {
  last_modified: null,
  max_age_s: null,
  content_type: null,
  link: null,
  etag: null,
};
const READ: Outcome<Fetched> = {
  status: "ok",
  fetched_at_ms: NOW_MS,
  cache: "miss",
  value: { kind: "body", body: Buffer.from(CSV), url: "https://c.example/", ...nothing },
};

test("a catalogue that fails at the start is read later, and the named feeds do not wait", async () => {
  const clock = createManualClock(NOW_MS);
  const added: string[][] = [];
  const state: { reply: Outcome<Fetched>; calls: number } = { reply: FAILED, calls: 0 };
  const followed = followCatalogue(
    {
      enabled: true,
      timeout_ms: 1000,
      catalogue: "https://c.example/",
      feeds: [{ id: "own", path: "own.zip" }],
      area: { south: 48.5, west: 2.5, north: 48.6, east: 2.6 },
    } as unknown as Parameters<typeof followCatalogue>[0],
    {
      expect: () => undefined,
      add: (origins) => Promise.resolve(void added.push(origins.map(({ id }) => id))),
    },
    {
      clock,
      catalogue_worker: new URL("../../../src/main/workers/catalogue.ts", import.meta.url),
      documents: createMemoryDocuments(),
      onFault: noFault,
      onEvent: () => undefined,
      run: () => {
        state.calls++;
        return Promise.resolve(state.reply);
      },
    },
  );
  await followed.start();
  assert.deepEqual(added, [["own"]]);
  await clock.advance(60_000);
  await turn();
  assert.equal(state.calls, 2);
  state.reply = READ;
  await clock.advance(120_000);
  await turn();
  assert.deepEqual(added, [["own"], ["mdb-7"]]);
  await clock.advance(6_000_000);
  assert.equal(state.calls, 3);
  await followed.close();
});
