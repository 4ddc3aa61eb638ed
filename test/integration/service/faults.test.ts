/**
 * Every fault of the simulator on every GBFS file (reliability 3.2 a to g): the answer stays 200
 * with the decided status, within its deadline, is made of what is held, and is whole again when the
 * fault ends. The table is printed by `npm run trials -- faults`.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkCell } from "./fault-decisions.ts";
import { sized, within } from "../../support/size.ts";
import {
  FAULTS,
  type FaultName,
  type Faults,
  runFault,
  slowLimits,
  type State,
  STATES,
} from "./fault-matrix.ts";
import { watchLeftovers } from "./fault-tests.ts";
import { advance, type Body, createClient, createFolder, removeFolder, start } from "./support.ts";

const NAMES = Object.keys(FAULTS) as FaultName[];

/** A busy machine reads the other system of the city within it. */
const DEADLINE_MS = sized(4_000, 300);

const testLeftovers = watchLeftovers();

/** They run into the time that a file may take, which is short for them alone. */
const WAITING: readonly FaultName[] = ["timeout", "late"];
const PROMPT = NAMES.filter((name) => !WAITING.includes(name));

/**
 * Every fault, and those that come at once in every state, but each of a few files only: those of a service fail in different
 * ways. `npm run trials -- faults` runs all faults on all files, by the clock.
 */
const SAMPLE: readonly (readonly [Faults, State])[] = [
  [WAITING, "warm"],
  ...STATES.map(
    (state, i) => [[...PROMPT.slice(i * 3), ...PROMPT.slice(0, i * 3)], state] as const,
  ),
];
const ALL = STATES.flatMap((state) => NAMES.map((fault): [FaultName, State] => [fault, state]));

// Some wait and some work, so a few at once.
describe("faults", { concurrency: 3 }, () => {
  for (const [fault, state] of sized(SAMPLE, ALL))
    test(`${[fault].flat().join(" ")}, ${state}`, async () => {
      for (const cell of await runFault(fault, state, slowLimits(fault))) checkCell(cell);
    });
});

test("a file that may take longer than the question: answered at the deadline, read after it", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  const { service } = await start({
    cities: "all",
    data_dir,
    settings: {
      deadlines_ms: { nearby: DEADLINE_MS },
      sources: { gbfs: { timeout_ms: 600_000 } },
    },
  });
  t.after(async () => {
    client.close();
    const begun = performance.now();
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
    assert.ok(performance.now() - begun < within(2_000), "a refresh under way held up the end");
  });
  const sandbox = service.sandbox!;
  const put = (fault: object): Promise<unknown> =>
    client.json(`${sandbox.url}/__sandbox/faults/gbfs:cape-town-glyer`, {
      method: "PUT",
      body: { path: "vehicle_status", ...fault },
    });
  const ask = async (): Promise<{ body: Body; elapsed_ms: number }> => {
    const begun = performance.now();
    const { lat, lon } = sandbox.cities().find((city) => city.country === "ZA")!;
    const body = await client.nearby(service, { lat, lon, debug: true });
    return { body, elapsed_ms: performance.now() - begun };
  };
  const sourceOf = (body: Body): string | undefined =>
    body.debug!.sources.find((source) => source.source_id === "cape-town-glyer")?.status;

  await put({ fault: "slow", delay_ms: DEADLINE_MS * 2 });
  const late = await ask();
  assert.equal(late.body.status, "partial");
  assert.equal(sourceOf(late.body), "timeout");
  assert.ok(late.elapsed_ms <= within(DEADLINE_MS + 100), `${late.elapsed_ms} ms`);
  assert.ok(late.body.results.stations.length > 0, "the other system of the city");
  await service.feeds.settle();
  const next = await ask();
  assert.equal(next.body.status, "success", "the refresh went on without the query");

  await put({ fault: "timeout" });
  // It waits for the file, longer than this test does.
  void advance(client, sandbox.url, 130).catch(() => undefined);
  const held = await ask();
  assert.equal(held.body.status, "partial");
  assert.ok(held.elapsed_ms <= within(DEADLINE_MS + 100), `${held.elapsed_ms} ms`);
  assert.equal(held.body.total, next.body.total);
  await client.json(`${sandbox.url}/__sandbox/faults`, { method: "DELETE" });
});

testLeftovers();
