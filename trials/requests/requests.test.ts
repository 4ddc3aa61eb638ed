/** Generated requests in a short form; `npm run trials -- requests` is the long one (docs/lab/requests.md). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { toOpenApiText } from "#http/openapi.ts";
import { type Program, startProgram } from "../program.ts";
import { readAgain } from "./datasets.ts";
import { type Description, listOperations } from "./description.ts";
import { listLawless } from "./laws/data.ts";
import { MALFORMED } from "./malformed.ts";
import { listFaults, type Outcome, plainRequest, runRequests, type Tally } from "./run.ts";
import { TWINS } from "./twins.ts";
import { createOracle } from "./verdict.ts";
import { sized } from "../../test/support/size.ts";
import { nearbyRequests, sourcesRequests } from "../../test/support/requests.ts";

/** Enough that every operation is met with every status; the trial asks more. */
const REQUESTS = sized(4_000, 5_000);
const DATASETS = 12;
const READS = 200;

const description = JSON.parse(toOpenApiText()) as Description;
const operations = listOperations(description);
const ANONYMOUS = { key: null, limit_max: 100, offset_max: 1000 };
const oracle = createOracle(operations, [ANONYMOUS]);

let program: Program;
let outcome: Outcome;
const seed = sized(20_261_122, Math.floor(Math.random() * 2 ** 31));

before(async () => {
  program = await startProgram();
  outcome = await runRequests({
    port: Number(new URL(program.ready.url).port),
    sandbox_url: program.ready.sandbox_url!,
    keys: program.keys.map(({ key }) => key),
    seed,
    requests: REQUESTS,
  });
});
after(() => program.close());

// Proves §7 statuses; §7 body; §4.8 members; §4.8 contract_version; §9 contract_version
test("every generated request is answered as described", (t) => {
  t.diagnostic(`again with: npm run trials -- requests --requests ${REQUESTS} --seed ${seed}`);
  assert.deepEqual(outcome.findings, [], program.output());
  assert.equal(program.ended(), null, program.output());
  assertMet(outcome.tally);
  t.diagnostic(`${outcome.tally.requests} requests, ${outcome.tally.refused.size} kinds of fault`);
});

// Proves §4.8 read_dataset
test("datasets are read after kill -9 and after a restart byte for byte, and no source is asked", async () => {
  const remaining = [...outcome.context.kept.values()].slice(-DATASETS);
  const { findings, datasets, reads } = await readAgain(program, remaining, READS);
  assert.deepEqual(findings, []);
  assert.deepEqual([datasets, reads], [DATASETS, READS]);
});

/** Not published here, or asked with ids that are drawn, of which nothing is known. */
const NOT_FOUND: ReadonlySet<string> = new Set([
  ...[
    "getChangelog",
    "getPlace",
    "getPlaceHistory",
    "getSourceQuality",
    "getGbfsFile",
    "getGbfs2File",
  ],
]);

const LISTS = ["getNearby", "geocode", "getServicesNearby", "getTransportNearby"];

/** A run that met nothing would find nothing. */
function assertMet(tally: Tally): void {
  assert.ok(tally.requests >= REQUESTS, `${tally.requests} requests`);
  assert.ok(tally.items > REQUESTS / 3, `${tally.items} items`);
  assert.ok(tally.unknown > 0, "no unknown count was seen");
  // Every operation, tool and call, accepted and refused.
  for (const name of outcome.operations) {
    const met = tally.statuses.get(name);
    const accepted = NOT_FOUND.has(name) ? "404" : "200";
    assert.ok(met?.has(accepted), `${name} never answered ${accepted}`);
    assert.ok(
      [...(met ?? [])].some(([status]) => status.startsWith("4")),
      `${name} never refused`,
    );
  }
  const met = listFaults(description, oracle).filter((label) => tally.refused.has(label));
  const share = met.length / listFaults(description, oracle).length;
  assert.ok(
    share > sized(0.4, 0.65),
    `${Math.round(100 * share)} % of the kinds of fault occurred`,
  );
  const twins = TWINS.filter((kind) => tally.twins.has(kind));
  assert.ok(twins.length > TWINS.length / 2, `pairs: ${twins.join(", ")}`);
  assert.deepEqual(
    MALFORMED.filter((label) => !tally.malformed.has(label)),
    [],
  );
  for (const code of [
    "invalid_json",
    "unexpected_member",
    "unsupported_contract_version",
    "unsupported_media_type",
  ])
    assert.ok(tally.codes.has(`400 ${code}`), `never ${code}`);
  // Of what is reached some family is rarely held.
  for (const [name, answer] of [
    ["getWalk", "success"],
    ["getWalk", "partial"],
    ["getReach", "partial"],
  ] as const)
    assert.ok(tally.answers.get(name)?.has(answer), `${name}: never ${answer}`);
  for (const answer of ["success", "empty"])
    for (const name of LISTS)
      assert.ok(tally.answers.get(name)?.has(answer), `${name}: never ${answer}`);
}

test("every operation of the description has a rule and requests", () => {
  const ids = operations.map(({ id }) => id);
  assert.ok(ids.length >= 19, `${ids.length} operations`);
  assert.deepEqual(listLawless(ids), []);
  assert.deepEqual(
    ids.filter((id) => !outcome.operations.includes(id)),
    [],
  );
});

/** A third opinion on the rules (decisions, Conventions), independent of the service and the oracle. */
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
  ["/v1/services/nearby", "lat=1&lon=2&types=aed&radius=5e-324&limit=1000000&language=fr", 200],
  ["/v1/services/nearby", "lat=1&lon=2&types=aed&language=_", 400],
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
  ["/v1/services/nearby", "lat=1&lon=2&types=aed&walk=false&sort=distance&speed=1.330", 200],
  ["/v1/services/nearby", "lat=1&lon=2&types=aed&walk=false&sort=walk", 400],
  ["/v1/parking/nearby", "lat=1&lon=2&walk=false&within_minutes=1", 400],
  ["/v1/departures/nearby", "lat=1&lon=2&walk=false&sort=walk&within_minutes=0", 200],
  ["/v1/departures/nearby", "lat=1&lon=2&walk=false&profile=step_free", 400],
  ["/v1/nearby", "lat=1&lon=2&walk=false&speed=1.3", 400],
  ["/v1/walk", "from=1,2&to=-90,180&speed=2.5", 200],
  ["/v1/walk", "from=1,2&to=3", 400],
  ["/v1/walk", "from=1,2&to=3,4,5", 400],
  ["/v1/walk", "from=91,2&to=3,4", 400],
  ["/v1/reach", "lat=1&lon=2&minutes=30&families=toilets,+vehicles", 200],
  ["/v1/reach", "lat=1&lon=2&minutes=31", 400],
  ["/v1/reach", "lat=1&lng=2&minutes=5", 400],
  ["/v1/transport/nearby", "lat=1&lon=2&country=FRA&types=?&offset=-1&format=xml", 200],
];

test("the oracle of the searches agrees with the table of cases", () => {
  for (const [path, query, status] of RULES) {
    const [verdict, ...others] = oracle.judge(
      plainRequest("GET", `${path}?${query}`, {}, null),
    ).verdicts;
    assert.deepEqual([verdict?.status, others.length], [status, 0], `${path}?${query}`);
  }
});

test("the oracle and the generator of the unit tests, written apart, agree", () => {
  fc.assert(
    fc.property(fc.oneof(nearbyRequests(), sourcesRequests()), ({ url, valid, why }) => {
      const [verdict] = oracle.judge(plainRequest("GET", url, {}, null)).verdicts;
      // The bound of the plan is not the grammar's business.
      assert.equal(verdict?.status === 200 || verdict?.status === 403, valid, `${url} (${why})`);
    }),
    { numRuns: sized(600, 3_000) },
  );
});
