/**
 * Every surface of the program has a test in `npm test`: a part whose only user is in the suite
 * `long` could be broken whole, which would be seen much later.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { listFiles, SUITES } from "../scripts/test-suites.ts";
import { listSurfaces } from "./surfaces.ts";

/** A file of tests and words of it: the title of a test, or the suite of a port. */
type Visible = readonly [file: string, words: string];

const CLI = "test/unit/cli";
const COMMANDS = "test/integration/commands.test.ts";
const THREADS = "test/unit/threads/receivers.test.ts";
const UNITS = "test/integration/access/units.test.ts";
const KEPT = "test/conformance/embedded.test.ts";
const AMONG = "does its job among strange messages";

const TESTS: Readonly<Record<string, Visible>> = {
  "command serve": [COMMANDS, "serves in mode"],
  "command sandbox": [COMMANDS, "vicinity sandbox serves the simulator alone"],
  "command accounts create": [`${CLI}/accounts.test.ts`, "an account is made, listed and changed"],
  "command accounts list": [`${CLI}/accounts.test.ts`, "an account is made, listed and changed"],
  "command accounts set": [`${CLI}/accounts.test.ts`, "an account is made, listed and changed"],
  "command accounts export": [`${CLI}/people.test.ts`, "an account is exported, to a file"],
  "command accounts erase": [`${CLI}/people.test.ts`, "an account is exported, to a file"],
  "command keys create": [`${CLI}/keys.test.ts`, "a key with an account of its own"],
  "command keys list": [`${CLI}/keys.test.ts`, "a list for people"],
  "command keys rotate": [`${CLI}/keys.test.ts`, "a rotation: both keys work for the overlap"],
  "command keys revoke": [`${CLI}/keys.test.ts`, "a revocation is final"],
  "command usage": [`${CLI}/usage.test.ts`, "by key, operation and day"],
  "command quality": [`${CLI}/quality.test.ts`, "the id is a segment of the address"],
  "command backup": [`${CLI}/backup.test.ts`, "a backup is made, restored, and listed"],
  "command restore": [`${CLI}/backup.test.ts`, "a backup is made, restored, and listed"],
  "command migrate": [`${CLI}/backup.test.ts`, "migrate says what there was to do"],
  "command nearby": [`${CLI}/nearby.test.ts`, "the table, nearest first"],
  "command watch": [`${CLI}/watch.test.ts`, "without a terminal each change is a line"],
  "command geocode": [`${CLI}/geocode.test.ts`, "the candidates in their order"],
  "command reverse": [`${CLI}/geocode.test.ts`, '"reverse"'],
  "command services": [`${CLI}/services.test.ts`, "the count of each type"],
  "command places": [`${CLI}/places.test.ts`, "the count of each class"],
  "command parking": [`${CLI}/facilities.test.ts`, "car parks: kind, features"],
  "command charging": [`${CLI}/facilities.test.ts`, "chargers: free of how many"],
  "command stations": [`${CLI}/stations.test.ts`, "how many, and one line a station"],
  "command departures": [`${CLI}/departures.test.ts`, "what is not known is a dash"],
  "command walk": [`${CLI}/on-foot.test.ts`, "one way: minutes, metres, steps"],
  "command reach": [`${CLI}/on-foot.test.ts`, "reach: a line a family"],
  "command weather": [`${CLI}/weather.test.ts`, "one line of now"],
  "command import": [COMMANDS, "vicinity import osm stores a base"],
  "command bases": [`${CLI}/bases.test.ts`, "bases are listed with their date"],
  "command explain": [`${CLI}/explain.test.ts`, "stations, the sources that observe them"],
  "command doctor": [`${CLI}/doctor.test.ts`, "failing sources come first"],
  "command changelog check": [`${CLI}/changelog.test.ts`, "this package may be released as it is"],
  "command openapi": ["test/integration/service/terminal.test.ts", '"openapi"'],
  "command mcp": [`${CLI}/mcp.test.ts`, "a message goes to /mcp with the key"],

  "program serve": [COMMANDS, "serves in mode"],
  "program openOwn": [COMMANDS, "vicinity mcp --sandbox answers a host"],
  "program sandbox": [COMMANDS, "vicinity sandbox serves the simulator alone"],
  "program importGtfs": [COMMANDS, "vicinity import gtfs stores a timetable"],
  "program importBase": [COMMANDS, "vicinity import osm stores a base"],
  "program openStore": [COMMANDS, "vicinity bases lists what has been imported"],

  "worker base": [COMMANDS, "vicinity import osm stores a base"],
  "worker catalogue": [THREADS, AMONG],
  "worker gazetteer": ["test/integration/makers.test.ts", "the program of the gazetteer"],
  "worker identity": [THREADS, AMONG],
  "worker import": [COMMANDS, "vicinity import gtfs stores a timetable"],
  "worker ingest": [THREADS, AMONG],
  "worker live": [THREADS, AMONG],
  "worker register": [THREADS, AMONG],
  "worker search": [THREADS, AMONG],
  "worker serve": [
    "test/unit/threads/serving-thread.test.ts",
    "a thread that serves answers from what it is notified",
  ],
  "worker sandbox": [THREADS, "the simulator starts among strange messages"],
  "worker simulated-base": ["test/integration/makers.test.ts", "the base of a simulated city"],
  "worker datasets-worker": [THREADS, AMONG],
  "worker ledger-worker": [THREADS, AMONG],
  "worker transit-worker": [THREADS, AMONG],

  "routes listAdminRoutes": ["test/integration/admin-api.test.ts", "an invalid request is 400"],
  "routes accountRoutes": ["test/integration/admin-api.test.ts", "accounts are made, listed"],
  "routes keyRoutes": ["test/integration/admin-api.test.ts", "a rotated key stays valid"],
  "routes usageRoute": ["test/integration/admin-api.test.ts", "usage of a month, of all or of one"],
  "routes createHandlers": [UNITS, "every operation is asked"],
  "routes createCapabilityHandlers": [UNITS, "executeCapability"],
  "routes createSearchHandlers": [UNITS, "getServicesNearby"],
  "routes createWalkHandlers": [UNITS, "getReach"],
  "routes createLiveHandlers": [UNITS, "streamNearby"],
  "routes createLiveTileHandler": [UNITS, "getLiveTile"],
  "routes createPlaceHandler": [
    "test/integration/service/live-stream.test.ts",
    "a station by its id alone",
  ],
  "routes createPlaceHistoryHandler": [UNITS, "getPlaceHistory"],
  "routes createGbfsHandlers": [UNITS, "getGbfsFile"],
  "routes createLegacyHandlers": [UNITS, "getLegacyWater"],
  "routes createChangelogHandler": ["test/integration/conditional.test.ts", "is the document once"],
  "routes createOpenApiHandler": [
    "test/integration/conditional.test.ts",
    "conditional requests of",
  ],
  "routes createMcpHandler": ["test/integration/mcp-gate.test.ts", "an invalid credential is 401"],
  "routes createClientErrorHandler": [
    "test/integration/http-socket.test.ts",
    "with the error body",
  ],
  "routes addDiscovery": ["test/integration/discovery.test.ts", "the metadata of the resource"],
  "routes addPages": ["test/integration/pages.test.ts", "the pages answer as HTML"],
  "routes listPhotonRoutes": ["test/integration/http-photon.test.ts", "a search is passed on"],

  "port WaysBetween": ["test/unit/app/walk/one-way.test.ts", "one that holds both points answers"],
  "port Walks": ["test/unit/upstream/bases/walks.test.ts", "a base without ways on foot"],
  "port Clock": ["test/unit/process/clock.test.ts", "a manual clock moves only when advanced"],
  "port FeedStore": [KEPT, 'feedStoreSuite("embedded"'],
  "port Bridges": [KEPT, 'bridgesSuite("embedded"'],
  "port TransitStore": [KEPT, 'transitStoreSuite("embedded"'],
  "port Accounts": [KEPT, 'accountsSuite("embedded"'],
  "port Usage": ["test/conformance/usage.test.ts", 'usageSuite("embedded"'],
  "port Datasets": ["test/conformance/datasets.test.ts", 'datasetsSuite("embedded"'],
  "port People": ["test/conformance/people.test.ts", 'peopleSuite("embedded"'],
  "port SpendStore": ["test/conformance/spend.test.ts", "calls add up for each source and day"],
  "port BaseDraft": ["test/unit/storage/bases.test.ts", "a draft is written at any place"],
  "port BaseStore": ["test/unit/storage/bases.test.ts", "a base is read as it was put"],
  "port GeocodingBase": [
    "test/unit/lookup/base-geocoding.test.ts",
    "where a base covers the point the gazetteer is not asked",
  ],
  "port BaseMaps": ["test/unit/upstream/bases/maps.test.ts", "a base wins where it covers a tile"],
  "port PinnedTile": [
    "test/unit/upstream/bases/maps.test.ts",
    "a tile says that a page of a base is missing in it",
  ],
  "port TileFile": ["test/unit/upstream/pmtiles/file.test.ts", "the file says what it covers"],
  "port Borders": ["test/integration/borders.test.ts", "a base that is imported decides country"],
  "port Feeds": ["test/unit/feeds/fleet.test.ts", "a question waits for another replica's refresh"],
  "port ShardSink": ["test/unit/world/world.test.ts", "R14: exactly the systems"],
  "port TileSink": ["test/unit/lookup/held-places.test.ts", "held and empty is empty"],
  "port UnitCounts": [
    "test/conformance/threads.test.ts",
    "what a thread had reserved is taken back",
  ],
  "port RateLimiter": ["test/conformance/rate-limiter.test.ts", 'rateLimiterSuite("memory"'],

  "fact status": ["test/unit/core/metering/metering.test.ts", "replies cost what the tables"],
  "fact void": [UNITS, "partial: true, count: 0, units: 0"],
  "fact objects": [UNITS, "limit=200"],
  "fact maps_categories": [UNITS, "types=toilets,parking,charging"],
};

/** What a fleet shares: its stores are PostgreSQL and Valkey, which only the suite `long` starts. */
const LONG_ALONE: Readonly<Record<string, Visible>> = {
  "port FeedExchange": ["test/conformance/shared-exchange.test.ts", "feedExchangeSuite("],
  "port FeedLease": ["test/conformance/shared-exchange.test.ts", "feedExchangeSuite("],
  "port Claims": ["test/conformance/postgres-claims.test.ts", "claimsSuite("],
  "port Claim": ["test/conformance/shared-claims.test.ts", "claimsSuite("],
  "port SharedAnswers": ["test/conformance/shared-answers.test.ts", "sharedAnswersSuite("],
  "port AnswerClaim": ["test/conformance/shared-answers.test.ts", "sharedAnswersSuite("],
  "port Reservations": ["test/conformance/postgres-claims.test.ts", "reserv"],
  "port SharedReservation": ["test/conformance/postgres-claims.test.ts", "reserv"],
  "port ReplicaTexts": ["test/integration/service/replicas-differ.test.ts", "test("],
};

const surfaces = listSurfaces();

test("every surface of the code has a test here, and every test a surface", () => {
  const listed = [...Object.keys(TESTS), ...Object.keys(LONG_ALONE)];
  assert.deepEqual(listed.toSorted(), surfaces.toSorted());
  for (const kind of ["command", "program", "worker", "routes", "port", "fact"])
    assert.ok(
      surfaces.some((name) => name.startsWith(`${kind} `)),
      kind,
    );
});

function check(
  table: Readonly<Record<string, Visible>>,
  run: ReadonlySet<string>,
  by: string,
): void {
  for (const [surface, [file, words]] of Object.entries(table)) {
    assert.ok(run.has(file), `${surface}: ${file} is not run by ${by}`);
    const text = readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), "utf8");
    assert.ok(text.includes(words), `${surface}: ${file} has no ${JSON.stringify(words)}`);
  }
}

test("each of these tests is there, and npm test runs it", () => {
  check(
    TESTS,
    new Set(SUITES.filter(({ name }) => name !== "long").flatMap(listFiles)),
    "npm test",
  );
});

test("those of the stores of a fleet are run by the suite long", () => {
  check(
    LONG_ALONE,
    new Set(SUITES.filter(({ name }) => name === "long").flatMap(listFiles)),
    "long",
  );
});
