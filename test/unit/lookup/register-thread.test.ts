/** Documents of registers in a thread: the same places, and a fault is that of the document alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "#core/places/place.ts";
import { createTrail } from "#kit/trail.ts";
import source, { openAedMap as reader } from "#providers/openaedmap.ts";
import { toRegistry } from "#providers/source.ts";
import { threadReader } from "#upstream/register-thread.ts";
import { noFault } from "../../support/faults.ts";

const openAedMap = toRegistry(source, reader);

const worker_url = new URL("../../../src/main/workers/register.ts", import.meta.url);
const hog_url = new URL("workers/hog.ts", import.meta.url);
const settings = { url: "https://a.example", timeout_ms: 1_000, countries: [] };

function documentOf(count: number): Uint8Array {
  const features = Array.from({ length: count }, (_, i) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [i % 7 === 0 ? null : 2 + i / 1e5, 48] },
    properties: { "@osm_id": i + 1, "@osm_type": "node", name: `Nº ${i}` },
  }));
  return new TextEncoder().encode(JSON.stringify({ type: "FeatureCollection", features }));
}

async function readIn(body: Uint8Array, limits = {}) {
  const places: Place[] = [];
  let most = 0;
  const read = await threadReader({ worker_url, onFault: noFault, ...limits })(
    { id: openAedMap.id, settings, body, companions: { bodies: [] } },
    {
      take: (batch) => {
        most = Math.max(most, batch.length);
        places.push(...(batch as Place[]));
        return Promise.resolve();
      },
      signal: new AbortController().signal,
    },
  );
  return { ...read, places, most };
}

test("a thread reads what would be read here, in batches", async () => {
  const trail = createTrail();
  const here = [...openAedMap.open(documentOf(2_000), { settings, trail })!].filter(
    (one) => one !== null,
  );
  const other = await readIn(documentOf(2_000));
  assert.equal(other.reason, null);
  assert.deepEqual(other.places, here);
  assert.deepEqual(other.trail, trail.toTrail());
  assert.ok(other.most <= 256 && here.length > 1_000);
});

test("a document that is not of the register is of another shape", async () => {
  assert.equal((await readIn(new TextEncoder().encode('{"error":"no"}'))).reason, "wrong_shape");
});

test("a document that needs too much memory or time ends its thread, and nothing else", async () => {
  const limits = { worker_url: hog_url, max_heap_mb: 16 };
  assert.equal((await readIn(documentOf(10), limits)).reason, "out_of_memory");
  assert.equal((await readIn(documentOf(10), { job_timeout_ms: 1 })).reason, "too_slow");
});
