/**
 * Every member and family that an operation can answer is shown by its tool, or named as left out in
 * docs/agents.md; and what a tool's schema has is shown where the operation states it.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type TSchema as Body, Type } from "typebox";
import { AGENT_TOOLS, type AgentToolName } from "#api/agent-tools.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { findOperation, type ReplyAt } from "#api/operations.ts";
import {
  toBriefDeparture,
  toBriefPlace,
  toBriefService,
  toBriefStation,
  toBriefTransit,
  toBriefVehicle,
} from "#mcp/brief.ts";
import { toDepartureNotices } from "#mcp/departure-notices.ts";
import { toAround } from "#mcp/tools/nearby-around.ts";
import { bodyOf, ROWS, type Rules, TOOLS } from "../../support/shown-rules.ts";
import { membersOf, type Paths, pathsOf, sampleOf } from "../../support/schema-paths.ts";

/** Tools whose answers are read or counted from answers of another, and hold what that one shows. */
const DERIVED: Readonly<Record<string, string>> = {
  read_dataset: "the same as search_mobility_nearby",
  show_map: "the same as search_mobility_nearby",
  changes_since: "members that are compared (docs/agents.md, Changes)",
  compare_places: "counts",
  plan_nearby: "legs",
  get_place: "passes members of the operation on",
  get_weather: "shown whole (get_weather in docs/agents.md)",
};

/** The longest of the names that a path begins with. */
function prefixOf(path: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => path === name || path.startsWith(`${name}.`))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** Topmost members of the operation's answer that the tool does not show. */
function findHidden(body: Body, output: Body, rules: Rules): string[] {
  const shown = pathsOf(output);
  const isPart = (path: string): boolean =>
    Object.keys(rules.parts).some((part) => part === path || part.startsWith(`${path}.`));
  const hidden = [...pathsOf(body).keys()].filter((path) => {
    if (isPart(path) || isShown(path, shown, rules)) return false;
    // What is below is what is missing.
    return ![...Object.keys(rules.as)].some((name) => name.startsWith(`${path}.`));
  });
  return hidden.filter((path) => !hidden.some((other) => path.startsWith(`${other}.`)));
}

function isShown(path: string, shown: Paths, { parts, as }: Rules): boolean {
  const known = prefixOf(path, Object.keys(as));
  if (known !== undefined) return true;
  const part = prefixOf(path, Object.keys(parts));
  const own = part === undefined ? path : `${parts[part]}${path.slice(part.length)}`;
  const name = own.replace(/^\./, "");
  if (shown.has(name)) return true;
  // An open object shows whatever it is given.
  const above = name.split(".").map((_, i, all) => all.slice(0, i).join("."));
  return above.some((each) => shown.get(each) === "open");
}

const DOCS = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");

/** Members named in the table of what is left out, by thing. */
function listLeftOut(): Map<string, ReadonlySet<string>> {
  const [, section = ""] = DOCS.split("### What is left out\n");
  const [table = ""] = section.split("\n#");
  const named = new Map<string, Set<string>>();
  for (const [, thing, names] of table.matchAll(/^\| ([^|]+?) \| ([^|]+?) \|/gm)) {
    const of_thing = named.get(thing!) ?? new Set();
    for (const [, name] of names!.matchAll(/`([^`]+)`/g)) of_thing.add(name!);
    named.set(thing!, of_thing);
  }
  return named;
}

/** What is hidden and not named: empty is as it should be. */
function findUnnamed(body: Body, output: Body, rules: Rules): string[] {
  const left_out = listLeftOut();
  return findHidden(body, output, rules).filter((path) => {
    const part = prefixOf(path, Object.keys(rules.things));
    const thing = part === undefined ? (rules.rest ?? "answers") : rules.things[part]!;
    const name = part === undefined ? path : path.slice(part.length + 1);
    const names = left_out.get(thing) ?? new Set();
    return prefixOf(name, [...names]) === undefined;
  });
}

for (const [name, rules] of ROWS)
  test(`${name} shows what ${rules.operation} answers, or says what it leaves out`, () => {
    const { output } = AGENT_TOOLS[name];
    const body = bodyOf(findOperation(rules.operation));
    assert.deepEqual(findUnnamed(body, output, rules), []);
    const shown = pathsOf(output);
    for (const [from, to] of Object.entries(rules.as)) {
      assert.ok(shown.has(to), `${name} has no ${to}`);
      assert.ok(pathsOf(body).has(from), `${rules.operation} has no ${from}`);
    }
  });

test("every tool is judged here, or shows what another one shows", () => {
  const names = [...Object.keys(TOOLS), ...Object.keys(DERIVED)];
  assert.deepEqual(names.toSorted(), Object.keys(AGENT_TOOLS).toSorted());
});

test("a new member and a new family of an operation are missed", () => {
  const [, rules] = ROWS.find(([name]) => name === "search_mobility_nearby")!;
  const { output } = AGENT_TOOLS.search_mobility_nearby;
  const body = bodyOf(findOperation("getNearby")) as unknown as {
    properties: { results: { properties: { stations: { items: { properties: object } } } } };
  };
  const { results } = body.properties;
  const { stations } = results.properties;
  const planted = structuredClone(body);
  planted.properties.results.properties = {
    ...results.properties,
    stations: {
      ...stations,
      items: {
        ...stations.items,
        properties: { ...stations.items.properties, secret: Type.Null() },
      },
    },
    ghosts: Type.Array(Type.String()),
  } as never;
  assert.deepEqual(findUnnamed(planted as never, output, rules), [
    "results.stations.secret",
    "results.ghosts",
  ]);
});

test("what is named as left out is a member of an operation, and not shown", () => {
  const hidden = ROWS.flatMap(([name, rules]) => {
    const { output } = AGENT_TOOLS[name];
    return findHidden(bodyOf(findOperation(rules.operation)), output, rules).map((path) => {
      const part = prefixOf(path, Object.keys(rules.things));
      return part === undefined
        ? `${rules.rest ?? "answers"} ${path}`
        : `${rules.things[part]} ${path.slice(part.length + 1)}`;
    });
  });
  const named = [...listLeftOut()].flatMap(([thing, names]) =>
    [...names].map((name) => `${thing} ${name}`),
  );
  assert.ok(named.length > 40, String(named.length));
  const idle = named.filter(
    (name) => !hidden.some((path) => path === name || path.startsWith(`${name}.`)),
  );
  assert.deepEqual(idle, []);
});

/** Added to every result where its list is made (mcp/on-foot, mcp/answer-sources, core/filter-match). */
const ELSEWHERE = [
  "walk_minutes",
  "walk_meters",
  "step_free",
  "leave",
  "sources",
  "match",
  "unknown",
];

type Shown = (typeof AGENT_TOOLS)[AgentToolName]["output"]["properties"] & {
  results?: { items: Body };
};

function itemOf(name: AgentToolName, kind = 0): Body {
  const { items } = (AGENT_TOOLS[name].output.properties as Shown).results!;
  return (items as unknown as { anyOf?: Body[] }).anyOf?.[kind] ?? items;
}

function partOf(name: AgentToolName, members: readonly string[]): Body {
  return Type.Pick(AGENT_TOOLS[name].output as never, members as never) as never;
}

/** A result of the operation with everything in it, and what is made of it. */
const SHAPES: [string, Body, () => unknown][] = (() => {
  const nearby = sampleOf(bodyOf(findOperation("getNearby"))) as NearbyBodyValue;
  const { results } = nearby;
  const [station] = results.stations;
  const [vehicle] = results.vehicles;
  const [place] = results.places;
  const transport = sampleOf(bodyOf(findOperation("getTransportNearby"))) as Reply<"transport">;
  const board = sampleOf(bodyOf(findOperation("getDeparturesNearby"))) as Reply<"departures">;
  const { departures, alerts } = board.results;
  const geocoded = sampleOf(bodyOf(findOperation("geocode"))) as ReplyAt<"/v1/geocode">;
  const none = { lines: [], alerts: [], zones: [], prices: [] };
  const around = (["lines", "alerts", "zones", "prices"] as const).map(
    (name): [string, Body, () => unknown] => [
      name,
      partOf("read_dataset", [name, `${name}_total`]),
      () => toAround({ ...results, ...none, [name]: results[name] }, () => []).members,
    ],
  );
  return [
    ["a station", itemOf("read_dataset", 0), () => toBriefStation({ ...station!, mode: "car" })],
    ["a vehicle", itemOf("read_dataset", 1), () => toBriefVehicle(vehicle!)],
    ["a service", itemOf("read_dataset", 2), () => toBriefService(place!)],
    [
      "a transit station",
      itemOf("find_transit_stations"),
      () => toBriefTransit(transport.results.stations[0]!),
    ],
    ["a departure", itemOf("find_departures"), () => toBriefDeparture(departures[0]!)],
    ["a candidate", itemOf("geocode"), () => toBriefPlace(geocoded.results[0]!)],
    ...around,
    [
      "notices",
      partOf("find_departures", ["alerts", "alerts_total"]),
      () => toDepartureNotices(departures, alerts),
    ],
  ];
})();

type Reply<P extends "transport" | "departures"> = ReplyAt<`/v1/${P}/nearby`>;

/** Shown where there are more than the sample has. */
const OF_MANY = ["alerts_total", "station_count", "more_connectors", "omitted"];

for (const [thing, schema, toShown] of SHAPES)
  test(`${thing} is shown with every member that its tool describes`, () => {
    const members = membersOf(toShown());
    const missing = [...pathsOf(schema).keys()].filter(
      (path) =>
        !members.has(path) &&
        prefixOf(path, ELSEWHERE) === undefined &&
        !OF_MANY.some((name) => path === name || path.endsWith(`.${name}`)),
    );
    assert.deepEqual(missing, []);
  });
