/** changes_since: a comparison is made once, of what its caller may read, and says the same each time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReadReply } from "#app/capabilities/dataset-read.ts";
import { loadTimezones } from "#app/timezone.ts";
import type { ToolCall, ToolDeps } from "#mcp/tool.ts";
import { createChangesSince } from "#mcp/tools/changes-tool.ts";

const POINT = { lat: 48.85, lon: 2.35 };
const NOW_MS = Date.UTC(2026, 10, 23, 12);
const VERSION = "1-a";
const OTHER = "1-b";

function station(id: string, vehicles: number): object {
  return {
    ...{ id, type: "station", name: id, location: POINT, distance_meters: 10 },
    ...{ data_class: "realtime", network: { id: "n", name: "N" } },
    availability: { vehicles, docks: 1, is_renting: true, is_returning: true },
    service_status: { state: "operational" },
    action_state: {},
    provenance: [{ source_id: `n:${id}`, fields: ["availability"] }],
  };
}

function contentOf(id: string, part: "observation" | "body"): object {
  const vehicles = Number(/\d+/.exec(id)?.[0]);
  const results = {
    places: [],
    lines: [],
    stations: [station("x", vehicles)],
    vehicles: [],
    alerts: [],
  };
  if (part === "body")
    return { status: "success", query_origin: POINT, radius: 400, total: 1, limit: 200, results };
  return {
    query_parameters: {
      ...POINT,
      radius: 400,
      modes: ["bicycle"],
      include: ["stations"],
      limit: 200,
    },
    received_at: "2026-11-23T12:00:00Z",
    freshness: { fresh: 1, stale: 0, unknown: 0, realtime_reliable: true },
    provenance: [
      {
        dataset_id: id,
        version: VERSION,
        expires_at: "2026-11-24T12:00:00Z",
        entity_count: 1,
        href: "",
      },
      {
        source_id: "n",
        status: "ok",
        fetched_at: "2026-11-23T11:59:30Z",
        ttl_s: 60,
        network_ids: ["n"],
      },
    ],
  };
}

/** `reads`: of bodies. `mayRead`: what the caller of now may. */
function desk() {
  const state = { reads: [] as string[], mayRead: (_id: string): boolean => true };
  const read: ToolDeps["read"] = ({ id, version }, part) => {
    if (part === "body") state.reads.push(id);
    const reply: ReadReply = state.mayRead(id)
      ? {
          kind: "ok",
          bytes: Buffer.from(JSON.stringify(contentOf(id, part))),
          row: { id, version, owner: "public", created_at_ms: NOW_MS, expires_at_ms: NOW_MS + 1e6 },
          is_short: false,
        }
      : { kind: "refused", code: "dataset_not_found" };
    return Promise.resolve(reply);
  };
  const termsOf = (provider: string) => ({
    provider,
    licence: null,
    attribution: null,
    store: "all",
  });
  const clocks = { timezones: loadTimezones, statedZone: () => null };
  const deps = { read, termsOf, clock: { now: () => NOW_MS }, ...clocks } as unknown as ToolDeps;
  const run = createChangesSince(deps);
  const ask = (id: string, to_id: string, versions: [string, string] = [VERSION, VERSION]) =>
    run({ id, to_id, version: versions[0], to_version: versions[1], offset: 0 }, {} as ToolCall);
  return { state, ask };
}

type Answer = { totals: Record<string, number>; results: object[] };
const answerOf = (outcome: object): Answer => (outcome as { answer: Answer }).answer;

test("two datasets are compared once, by any caller, and the other way round is another comparison", async () => {
  const { state, ask } = desk();
  const first = answerOf(await ask("d1", "d2"));
  assert.equal(first.totals["changed"], 1);
  assert.deepEqual(state.reads, ["d1", "d2"]);
  assert.deepEqual(answerOf(await ask("d1", "d2")), first);
  assert.deepEqual(state.reads, ["d1", "d2"]);
  const back = answerOf(await ask("d2", "d1"));
  assert.notDeepEqual(back.results, first.results);
  const versions: [string, string] = [VERSION, OTHER];
  await ask("d1", "d2", versions);
  assert.equal(state.reads.length, 6);
});

test("a dataset compared with itself is read once, and nothing changed", async () => {
  const { state, ask } = desk();
  const { totals } = answerOf(await ask("d1", "d1"));
  assert.deepEqual(totals, { entered: 0, left: 0, changed: 0, unchanged: 1, unknown: 0 });
  assert.deepEqual(state.reads, ["d1"]);
});

test("what is kept is not shown to a caller who may not read both", async () => {
  const { state, ask } = desk();
  await ask("d1", "d2");
  for (const hidden of ["d1", "d2"]) {
    state.mayRead = (id) => id !== hidden;
    const outcome = await ask("d1", "d2");
    assert.deepEqual(
      [outcome.kind, "code" in outcome && outcome.code],
      ["refused", "dataset_not_found"],
    );
  }
});

test("many comparisons at once get each their own", async () => {
  const { ask } = desk();
  const pairs = Array.from({ length: 200 }, (_, i) => [`d${i % 13}`, `d${i % 7}`] as const);
  const alone = await Promise.all(
    pairs.map(async ([from, to]) => answerOf(await desk().ask(from, to))),
  );
  // The second time what the first has kept is there.
  for (let round = 0; round < 2; round++) {
    const together = await Promise.all(
      pairs.map(async ([from, to]) => answerOf(await ask(from, to))),
    );
    assert.deepEqual(together, alone);
  }
});
