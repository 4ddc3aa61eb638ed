/** What is not applied as it was given is said, and every answer states where and when it looked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Passage } from "#app/access/request-caller.ts";
import { AGENT_TOOLS, type AgentTool, type AgentToolName } from "#api/agent-tools.ts";
import { findOperation } from "#api/operations.ts";
import { boundsOf, type Parameters } from "#api/primitives.ts";
import { createCallTool } from "#mcp/call.ts";
import { DEFAULT_DEADLINES_MS } from "../../support/deadlines.ts";
import { pathsOf } from "../../support/schema-paths.ts";
import { NOW_MS } from "../../support/server.ts";

const TOOLS = Object.entries(AGENT_TOOLS) as [AgentToolName, AgentTool][];

const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...{
    lat: 1,
    lon: 2,
    types: ["toilets"],
    classes: ["atm"],
    q: "Rom",
    id: "a:1",
    version: "v",
    from: "1,2",
  },
  ...{ to: "1,2", places: ["1,2", "3,4"] },
};

/** What a call must have. */
function requiredOf(tool: AgentTool): Record<string, unknown> {
  const names = Object.entries(tool.parameters).filter(([, { required }]) => required);
  const point = "lat" in tool.parameters ? { lat: 1, lon: 2 } : {};
  return { ...point, ...Object.fromEntries(names.map(([name]) => [name, EXAMPLES[name]])) };
}

async function call(name: AgentToolName, args: object): Promise<Record<string, unknown>> {
  const run = async () => ({
    ...{ kind: "answered", answer: { total: 0 } },
    metered: { void: false, objects: 0, maps_categories: 0 },
  });
  const tools = Object.fromEntries(TOOLS.map(([each]) => [each, run]));
  const times = { clock: { now: () => NOW_MS }, deadlines_ms: DEFAULT_DEADLINES_MS };
  const passage = {
    caller: { kind: "anonymous" },
    permit: () => null,
    remainingUnits: () => null,
    charge: async () => null,
    signal: new AbortController().signal,
  } as unknown as Passage;
  const lookUp = () => assert.fail("no name is given");
  const called = await createCallTool({ ...times, tools: tools as never, lookUp })(
    name,
    args,
    passage,
  );
  const { structuredContent } = called!.result;
  return (structuredContent ?? assert.fail(JSON.stringify(called))) as Record<string, unknown>;
}

test("a number above what is applied is said with both, in every tool", async () => {
  let reduced = 0;
  for (const [name, tool] of TOOLS)
    for (const [argument, { reduced_to }] of Object.entries(tool.parameters)) {
      if (reduced_to === undefined) continue;
      const over = { ...requiredOf(tool), [argument]: reduced_to + 1 };
      const { warnings } = await call(name, over);
      assert.deepEqual(warnings, [{ argument, requested: reduced_to + 1, applied: reduced_to }]);
      const { warnings: none } = await call(name, { ...over, [argument]: reduced_to });
      assert.equal(none, undefined);
      reduced++;
    }
  assert.ok(reduced >= 9, String(reduced));
});

test("what an operation reduces its tool reduces, and nothing is reduced in silence", () => {
  for (const [name, tool] of TOOLS) {
    const { parameters } = findOperation(tool.operation) as { parameters: Parameters };
    for (const [argument, parameter] of Object.entries(tool.parameters)) {
      // What is above a bound of its own is refused.
      const reduced_to = parameter.reduced_to ?? boundsOf(parameter).maximum;
      const most = parameters[argument]?.reduced_to;
      if (most !== undefined && argument !== "limit")
        assert.ok(reduced_to <= most, `${name}.${argument}`);
    }
    const shown = pathsOf(tool.output);
    assert.ok(shown.has("warnings.applied"), name);
  }
});

test("a filter of what is not searched for is said to have no effect", async () => {
  const at = { lat: 1, lon: 2 };
  const wish = { ...at, types: ["toilets"], connector: ["CCS2"], min_kw: 50 };
  const { warnings } = await call("find_urban_services", wish);
  assert.deepEqual(warnings, [
    { argument: "connector", requested: ["CCS2"], applied: null },
    { argument: "min_kw", requested: 50, applied: null },
  ]);
  const fit = await call("find_urban_services", { ...wish, types: ["charging", "toilets"] });
  assert.equal(fit["warnings"], undefined);
  const none = await call("find_urban_services", { ...at, types: ["toilets"], min_kw: 0 });
  assert.equal(none["warnings"], undefined);
});

test("how far ahead is looked has no effect next to the first or the last one, and that is said", async () => {
  for (const only of ["first", "last"]) {
    const wish = { lat: 1, lon: 2, [only]: true, within: 30 };
    const { warnings } = await call("find_departures", wish);
    assert.deepEqual(warnings, [{ argument: "within", requested: 30, applied: null }]);
    const none = await call("find_departures", { ...wish, [only]: false });
    assert.equal(none["warnings"], undefined);
  }
});

/** Members by which an answer states where it looked, and when, where this is not now. */
const STATED: Readonly<Record<AgentToolName, readonly string[]>> = {
  // How far it looked is of each wish for which nothing is known.
  ask_here: ["query_origin", "answers.within_meters", "local_time"],
  search_mobility_nearby: ["query_origin", "radius"],
  find_urban_services: ["query_origin", "radius", "local_time"],
  find_places: ["query_origin", "radius", "local_time"],
  find_transit_stations: ["query_origin", "radius"],
  find_departures: ["query_origin", "radius", "window.from", "window.to"],
  // It looks everywhere.
  geocode: ["results.location"],
  reverse_geocode: ["query_origin"],
  get_place: ["query_origin", "place.location"],
  get_weather: ["query_origin", "now.at", "forecast.from", "forecast.until"],
  read_dataset: ["query_origin", "radius", "freshness.received_at"],
  plan_nearby: ["from.lat", "from.lon", "to.lat", "to.lon", "radius"],
  compare_places: ["results.lat", "results.lon", "results.local_time", "radius"],
  changes_since: ["query_origin", "radius", "from.received_at", "to.received_at"],
  show_map: ["query_origin", "radius", "freshness.received_at"],
};

test("every answer states its circle and its window", () => {
  for (const [name, { output }] of TOOLS) {
    const shown = pathsOf(output);
    for (const path of STATED[name]) assert.ok(shown.has(path), `${name}: ${path}`);
    assert.ok(shown.has("freshness.answered_at"), name);
  }
});
