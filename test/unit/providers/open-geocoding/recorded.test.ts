/**
 * Recorded answers of geocoders, real ones: each is read by who it is from, and by the others, too,
 * who may refuse it but not be thrown by it.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import {
  checkMeant,
  GEOCODERS,
  type Meant,
  type Operation,
  type Provider,
  PROVIDERS,
  readAs,
} from "./support.ts";

const ROOT = new URL("../../../../../shared/data/responses/geocoders/", import.meta.url);
const MISSING = "no recorded answers of geocoders in ../shared/data";

type Recorded = { path: string; provider: Provider | null; body: Uint8Array };

function listRecorded(): Recorded[] {
  return readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(json|txt|xml|json\.gz)$/.test(path))
    .sort()
    .map((path) => {
      const bytes = readFileSync(new URL(path, ROOT));
      const name = path.replace("error-and-edge/", "");
      const provider = PROVIDERS.find((one) => name.startsWith(one)) ?? null;
      return { path, provider, body: path.endsWith(".gz") ? gunzipSync(bytes) : bytes };
    });
}

/** Nominatim answers a reverse question with one object. */
function operationOf({ provider, body }: Recorded): Operation {
  return provider === "nominatim" && body[0] === 0x7b ? "reverse" : "geocode";
}

test("recorded answers of a geocoder are understood by its reader", (t) => {
  if (!existsSync(ROOT)) return t.skip(MISSING);
  const own = listRecorded().filter(({ provider }) => provider !== null);
  const counts = { photon: 0, nominatim: 0, pelias: 0 };
  const failures: string[] = [];
  let candidates = 0;
  for (const recorded of own) {
    const intended: Meant = readAs(recorded.provider!, recorded.body, {
      operation: operationOf(recorded),
    });
    checkMeant(intended, recorded.path);
    assert.deepEqual(intended.dropped, {}, recorded.path);
    counts[recorded.provider!]++;
    if (!intended.ok) failures.push(`${recorded.path} ${intended.reason}`);
    else candidates += intended.value.length;
  }
  t.diagnostic(`${own.length} bodies, ${candidates} candidates`);
  assert.ok(counts.photon >= 10 && counts.nominatim >= 12 && counts.pelias >= 18, t.name);
  assert.ok(candidates >= 89, `only ${candidates} candidates`);
  assert.deepEqual(failures, [
    "error-and-edge/nominatim_over_limit.txt not_json",
    "error-and-edge/photon_invalid_request.json wrong_shape",
  ]);
});

test("recorded answers of others are refused, or are sound", (t) => {
  if (!existsSync(ROOT)) return t.skip(MISSING);
  const all = listRecorded();
  assert.ok(all.length >= 130, `only ${all.length} bodies`);
  let reads = 0;
  for (const { path, body } of all)
    for (const provider of PROVIDERS)
      for (const operation of Object.keys(GEOCODERS[provider]) as Operation[])
        for (const status of [200, 403]) {
          checkMeant(readAs(provider, body, { operation, status }), `${provider} ${path}`);
          reads++;
        }
  assert.equal(reads, all.length * 18);
});
