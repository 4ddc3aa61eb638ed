/** The request fuzz in a short form; `npm run fuzz` is the long one (docs/fuzz.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CREDENTIAL_LABELS } from "../../scripts/fuzz/generate/headers.ts";
import { MALFORMED_LABELS } from "../../scripts/fuzz/generate/malformed.ts";
import { expectedLabels } from "../../scripts/fuzz/generate/faults.ts";
import { TRANSPORT_LABELS } from "../../scripts/fuzz/generate/requests.ts";
import { PATHS } from "../../scripts/fuzz/generate/rules.ts";
import { IGNORED_LABELS } from "../../scripts/fuzz/generate/search.ts";
import { TRANSPORT_IGNORED } from "../../scripts/fuzz/generate/transport.ts";
import { TEXT_LABELS } from "../../scripts/fuzz/generate/texts.ts";
import { judge } from "../../scripts/fuzz/oracle/judge.ts";
import { describeFailure } from "../../scripts/fuzz/report.ts";
import type { FuzzRequest } from "../../scripts/fuzz/request.ts";
import { runFuzz } from "../../scripts/fuzz/run.ts";
import { startFuzzedService } from "../../scripts/fuzz/service.ts";
import type { Tally } from "../../scripts/fuzz/tally.ts";
import { nearbyRequests, sourcesRequests } from "../support/requests.ts";

/** Enough that every kind of fault is all but certain to be among them. */
const REQUESTS = 12_000;

// Proves §7 statuses; §7 body
test("no generated request is answered otherwise than documented", async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}; again with: npm run fuzz -- --requests ${REQUESTS} --seed ${seed}`);
  const service = await startFuzzedService();
  try {
    const { port, sandbox_url } = service;
    const { tally, failure } = await runFuzz({ port, sandbox_url, seed, requests: REQUESTS });
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
    ...TEXT_LABELS,
    ...IGNORED_LABELS,
    ...TRANSPORT_IGNORED,
    ...CREDENTIAL_LABELS,
    ...TRANSPORT_LABELS,
    ...MALFORMED_LABELS,
  ];
  const unmet = wanted.filter((label) => !tally.labels.has(label));
  assert.deepEqual(unmet, [], "kinds of fault that did not occur");
  for (const path of Object.values(PATHS)) {
    const met = tally.statuses.get(path);
    for (const status of ["200", "400", "401", "405", "HEAD 200", "HEAD 400"])
      assert.ok(met?.has(status), `${path} never answered ${status}`);
  }
  for (const status of ["204", "403"])
    assert.ok(tally.statuses.get("/v1/nearby")?.has(status), `no ${status}`);
  assert.ok(tally.statuses.get("/openapi.json")?.has("304"), "no 304");
  assertAnswered(tally);
}

/** Every operation found something, and nothing. */
function assertAnswered({ answers, twins }: Tally): void {
  for (const path of ["/v1/geocode", "/v1/place-search", "/v1/reverse-geocode"])
    for (const answer of ["found", "nothing"])
      assert.ok(answers.get(path)?.has(answer), `${path}: never ${answer}`);
  const { nearby, services, parking, charging, transport } = PATHS;
  for (const path of [nearby, services, parking, charging, transport])
    for (const answer of ["success", "empty"])
      assert.ok(answers.get(path)?.has(answer), `${path}: never ${answer}`);
  for (const kind of ["head", "coding", "longer", "same"])
    assert.ok((twins.get(kind) ?? 0) > 5, `${twins.get(kind) ?? 0} pairs of ${kind}`);
  for (const kind of ["pages", "lines", "reworded", "fewer modes", "closer"])
    assert.ok(twins.has(kind), `no pairs of ${kind}`);
}

/** A third opinion on the rules (decisions, Conventions), beside the service and the oracle. */
const RULES: readonly (readonly [path: string, query: string, status: number])[] = [
  ["/v1/geocode", `q=${"x".repeat(200)}`, 200],
  ["/v1/geocode", `q=${"x".repeat(201)}`, 400],
  ["/v1/geocode", `q=${"%F0%9F%98%80".repeat(200)}`, 200],
  ["/v1/geocode", `q=${"%F0%9F%98%80".repeat(201)}`, 400],
  ["/v1/geocode", `q=${"e%CC%81".repeat(200)}`, 200],
  ["/v1/geocode", `q=${"%E0%A5%98".repeat(101)}`, 400],
  ["/v1/geocode", `q=+${"x".repeat(200)}%E3%80%80`, 200],
  ["/v1/geocode", "q=+%C2%A0%0A", 400],
  ["/v1/geocode", "q=", 400],
  ["/v1/geocode", "", 400],
  ["/v1/geocode", "q=%00&lat=91&lng=x&radius=0", 200],
  ["/v1/geocode", "q=a&country=Fr&language=zh-Hant-TW", 200],
  ["/v1/geocode", "q=a&country=FRA", 400],
  ["/v1/geocode", "q=a&language=pt_BR", 400],
  ["/v1/place-search", "q=a&lat=1&lon=2", 200],
  ["/v1/place-search", "q=a&lat=1", 400],
  ["/v1/place-search", "q=a&lat=1&lng=2", 400],
  ["/v1/place-search", "q=a&lng=2&country=FRA", 200],
  ["/v1/reverse-geocode", "lat=1&lon=2&q=", 200],
  ["/v1/reverse-geocode", "lat=1&lng=2", 400],
  ["/v1/services/nearby", "lat=1&lon=2&types=aed,+aed,drinking_water", 200],
  ["/v1/services/nearby", "lat=1&lon=2&types=aed,,wifi", 400],
  ["/v1/services/nearby", "lat=1&lon=2&types=AED", 400],
  ["/v1/services/nearby", "lat=1&lon=2", 400],
  ["/v1/services/nearby", "lat=1&lon=2&types=aed&radius=5e-324&limit=1000000&language=_", 200],
  ["/v1/services/nearby", "lat=1&lon=2&types=aed&radius=0", 400],
  ["/v1/services/nearby", "lat=1&lng=2&types=aed", 400],
  ["/v1/parking/nearby", "lat=1&lon=2&limit=0", 400],
  ["/v1/parking/nearby", "lat=1&lon=2&country=FRA&types=x&lng=3", 200],
  ["/v1/charging/nearby", "lat=1&lon=2&language=", 400],
  ["/v1/charging/nearby", "lat=1&lon=2&limit=1e1", 400],
  ["/v1/transport/nearby", "lat=1&lon=2", 200],
  ["/v1/transport/nearby", "lat=1&lng=2&radius=1e300&limit=1000000", 200],
  ["/v1/transport/nearby", "lat=1&lng=2&lon=2.0", 200],
  ["/v1/transport/nearby", "lat=1&lng=2&lon=2.5", 400],
  ["/v1/transport/nearby", "lat=1", 400],
  ["/v1/transport/nearby", "lng=1&lon=1", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&radius=5e-324&limit=001", 200],
  ["/v1/transport/nearby", "lat=1&lon=2&radius=-0", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&limit=0", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&limit=1.0", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&modes=bus,+taxi,other,bus", 200],
  ["/v1/transport/nearby", "lat=1&lon=2&modes=car", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&modes=moped", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&modes=bus,", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&providers=gbfs,+navitia,gtfs,transitland", 200],
  ["/v1/transport/nearby", "lat=1&lon=2&providers=motis", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&providers=GTFS", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&providers=", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&realtime=true&debug=false&language=fr", 200],
  ["/v1/transport/nearby", "lat=1&lon=2&realtime=1", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&language=fr_FR", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&country=FRA&types=?&offset=-1&format=xml", 200],
];

test("the oracle of the searches agrees with the table of cases", () => {
  for (const [path, query, status] of RULES) {
    const [verdict, ...others] = judge(plainRequest(path, query)).verdicts;
    assert.deepEqual([verdict?.status, others.length], [status, 0], `${path}?${query}`);
  }
});

test("the oracle and the generator of the unit tests, written apart, agree", () => {
  fc.assert(
    fc.property(fc.oneof(nearbyRequests(), sourcesRequests()), ({ url, valid, why }) => {
      const [path = "", ...query] = url.split("?");
      const request = plainRequest(path, query.length === 0 ? null : query.join("?"));
      const [verdict] = judge(request).verdicts;
      // The bound of the plan is not the grammar's business.
      assert.equal(verdict?.status === 200 || verdict?.status === 403, valid, `${url} (${why})`);
    }),
    { numRuns: 3000 },
  );
});

function plainRequest(path: string, query: string | null): FuzzRequest {
  const headers = [["host", "x"]] as const;
  const plain = { method: "GET", path, version: "1.1" as const, headers, body: "", labels: [] };
  return { ...plain, query: query === null ? null : [query] };
}
