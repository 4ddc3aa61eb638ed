/** The request fuzz in a short form; `npm run fuzz` is the long one (docs/fuzz.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CREDENTIAL_LABELS } from "../../scripts/fuzz/generate/headers.ts";
import { MALFORMED_LABELS } from "../../scripts/fuzz/generate/malformed.ts";
import { expectedLabels } from "../../scripts/fuzz/generate/query.ts";
import { TRANSPORT_LABELS } from "../../scripts/fuzz/generate/requests.ts";
import { judge } from "../../scripts/fuzz/oracle/judge.ts";
import { describeFailure } from "../../scripts/fuzz/report.ts";
import { runFuzz } from "../../scripts/fuzz/run.ts";
import { startFuzzedService } from "../../scripts/fuzz/service.ts";
import type { Tally } from "../../scripts/fuzz/tally.ts";
import { nearbyRequests, sourcesRequests } from "../support/requests.ts";

/** Enough that every kind of fault is all but certain to be among them. */
const REQUESTS = 24_000;

test("no generated request is answered otherwise than documented", async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}; again with: npm run fuzz -- --requests ${REQUESTS} --seed ${seed}`);
  const service = await startFuzzedService();
  try {
    const { tally, failure } = await runFuzz({ port: service.port, seed, requests: REQUESTS });
    assert.equal(failure && describeFailure(failure, seed), null, service.output());
    assert.equal(service.ended(), null, service.output());
    assertMet(tally);
    t.diagnostic(`${tally.requests} requests, ${tally.labels.size} kinds of fault`);
  } finally {
    await service.close();
  }
});

/** A run that met nothing would find nothing. */
function assertMet(tally: Tally): void {
  assert.ok(tally.requests >= REQUESTS, `${tally.requests} requests`);
  assert.ok(tally.malformed > REQUESTS / 50, `${tally.malformed} malformed`);
  assert.ok(tally.items > REQUESTS, `${tally.items} items`);
  assert.ok(tally.unknown > 0, "no unknown count was seen");
  const wanted = [
    ...expectedLabels(),
    ...CREDENTIAL_LABELS,
    ...TRANSPORT_LABELS,
    ...MALFORMED_LABELS,
  ];
  const unmet = wanted.filter((label) => !tally.labels.has(label));
  assert.deepEqual(unmet, [], "kinds of fault that did not occur");
  const nearby = tally.statuses.get("/v1/nearby");
  for (const status of ["200", "204", "400", "401", "403", "405", "HEAD 200", "HEAD 400"])
    assert.ok(nearby?.has(status), `/v1/nearby never answered ${status}`);
  assert.ok(tally.statuses.get("/openapi.json")?.has("304"), "no 304");
}

test("the oracle and the generator of the unit tests, written apart, agree", () => {
  fc.assert(
    fc.property(fc.oneof(nearbyRequests(), sourcesRequests()), ({ url, valid, why }) => {
      const [path = "", ...query] = url.split("?");
      const headers = [["host", "x"]] as const;
      const expected = judge({
        ...{ method: "GET", path, version: "1.1", headers, body: "", labels: [] },
        query: query.length === 0 ? null : [query.join("?")],
      });
      const [verdict] = expected.verdicts;
      // The bound of the plan is not the grammar's business.
      assert.equal(verdict?.status === 200 || verdict?.status === 403, valid, `${url} (${why})`);
    }),
    { numRuns: 3000 },
  );
});
