/** The tools for agents as hosts see them: the protocol's own client against a running service. */
import { SERVICE_TYPES } from "#api/tokens.ts";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CITIES as ALL } from "../../../sandbox/world/cities.ts";
import { KEPT_MIN, SHOWN } from "#api/agent-results.ts";
import { AGENT_TOOLS, MAP_RESOURCE } from "#api/agent-tools.ts";

import { sizeOf } from "#mcp/brief.ts";
import { askEverything } from "../../support/agent-questions.ts";
import { UNITS } from "../../support/by-hand.ts";
import { sized } from "../../support/size.ts";
import {
  connect,
  errorOf,
  type Revision,
  REVISIONS,
  type ToolResult,
  resultOf,
} from "../../support/mcp.ts";
import { advance, createClient, createFolder, start, type Started, closeAll } from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const SAMPLE = ["paris", "new-york", "sao-paulo", "tokyo", "taveuni"];
/** Of four continents; in one of them nothing is known of public transport. */
const CITIES = ALL.filter(({ id }) => sized(SAMPLE.includes(id), true));
const NAMES = Object.keys(AGENT_TOOLS);
/** Of the list of tools as a model sees it; its tokens are counted in test/judged/tokens.test.ts. */
const LIST_BYTES_MAX = 16_000;

type Point = { lat: number; lon: number };
type Stated = { near: Point & { label: string }; query_origin?: Point };
type Visible = {
  network: string;
  availability: { vehicles: number | null; docks: number | null };
};
/** A choice of the form that a host shows. */
type Choice = { const: string; title: string };
type Request = { place: { oneOf: Choice[] } };
const WHICH = 'Which place is meant by "near"?';
type Summed = { total: number; summary?: object; results: [Visible, ...Visible[]] };

const LOCATED = {
  search_mobility_nearby: { ...PARIS },
  find_urban_services: { ...PARIS, types: ["toilets", "aed", "charging"] },
  find_places: { ...PARIS, classes: ["toilets", "cafe"] },
  find_transit_stations: { ...PARIS },
  reverse_geocode: { ...PARIS },
} as const;

describe("the tools of a sandbox service", () => {
  const http = createClient();
  let started: Started;
  let url = "";
  const keyOf = (plan: string): string =>
    started.service.keys.find((each) => each.plan === plan)!.key;
  before(async () => {
    started = await start({
      cities: CITIES.map(({ id }) => id).join(),
      data_dir: await createFolder(),
    });
    ({ url } = started.service);
  });
  after(() => closeAll(http, started));

  for (const revision of Object.keys(REVISIONS) as Revision[]) {
    test(`${revision}: every tool is listed, described, read only, and answers by its schema`, async () => {
      const client = await connect(url, { revision });
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.match(client.getInstructions() ?? "", /attribution/);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        NAMES,
      );
      for (const { name, description, annotations, outputSchema } of tools) {
        assert.ok((description ?? "").length > 40, name);
        assert.equal(annotations?.readOnlyHint, true, name);
        assert.equal(outputSchema?.type, "object", name);
      }
      // The client validates structured answers against the schemas it was given.
      const request = { ...LOCATED, geocode: { q: "Paris" } };
      for (const [name, args] of Object.entries(request)) {
        const called = await client.callTool({ name, arguments: args });
        const result = resultOf(called);
        assert.ok(result.shown > 0 && result.shown <= result.total, name);
        assert.equal(result.results.length, result.shown, name);
        assert.ok(result.attribution.length > 0, name);
        assert.ok(Date.parse(result.freshness.answered_at) > 0, name);
        assert.deepEqual(JSON.parse((called.content[0] as { text: string }).text), result, name);
      }
      await client.close();
    });
  }

  test("no copy of an answer is larger than its most bytes, wherever and however much is asked", async () => {
    const client = await connect(url, { key: keyOf("unlimited") });
    const earlier: { id: string; version: string }[] = [];
    let largest = 0;
    let request_count = 0;
    let match = 0;
    for (const { lat, lon } of CITIES) {
      for (const [name, args] of askEverything({ lat, lon })) {
        const result = resultOf(await client.callTool({ name, arguments: args }));
        // What was not applied as given is said besides.
        const size = sizeOf({ ...result, warnings: undefined });
        assert.ok(size <= SHOWN.bytes_max, `${name} ${lat},${lon}: ${size}`);
        if (result.shown > 0) match++;
        largest = Math.max(largest, size);
        request_count++;
        if (result.dataset) earlier.push(result.dataset);
      }
    }
    assert.equal(request_count, CITIES.length * 5);
    await advance(http, started.service.sandbox!.url, 3_600);
    for (const { id, version } of earlier) {
      const called = await client.callTool({ name: "changes_since", arguments: { id, version } });
      assert.ok(sizeOf(called.structuredContent) <= SHOWN.bytes_max, "changes_since");
    }
    assert.equal(earlier.length, CITIES.length);
    // Not every provider of stations knows every city.
    assert.ok(match > request_count * 0.8, `${match} of ${request_count}`);
    // A bound that nothing comes near would guard nothing.
    assert.ok(largest > SHOWN.bytes_max / 2, String(largest));
    await client.close();
  });

  test("a search is a dataset: linked, readable as a resource and over HTTP, and page by page", async () => {
    const client = await connect(url, { key: keyOf("developer") });
    const called = await client.callTool({
      name: "search_mobility_nearby",
      arguments: { ...PARIS, modes: ["bicycle", "scooter"], radius: null, intent: null },
    });
    const { dataset, results, shown } = resultOf(called);
    assert.ok(dataset);
    const link = called.content.find(({ type }) => type === "resource_link");
    assert.ok(link?.type === "resource_link");
    assert.equal(link.uri, dataset.uri);
    assert.deepEqual(link.annotations?.audience, ["user"]);
    const headers = { authorization: `Bearer ${keyOf("developer")}` };
    const stored = await http.call(url + dataset.href, { headers });
    assert.equal(stored.status, 200);
    assert.equal(link.size, Buffer.byteLength(stored.text));
    for (const uri of [dataset.uri, url + dataset.href]) {
      const { contents } = await client.readResource({ uri });
      assert.equal((contents[0] as { text: string }).text, stored.text);
      assert.deepEqual(contents[0]?.["_meta"], { untrusted_text: true });
    }
    const seen = results.map((item) => item["id"]);
    const { id, version } = dataset;
    for (let offset: number | null = shown; offset !== null;) {
      const page = resultOf(
        await client.callTool({
          name: "read_dataset",
          arguments: { id, version, offset, limit: 9 },
        }),
      );
      seen.push(...page.results.map((item) => item["id"]));
      offset = page.dataset!.next_offset;
    }
    const body = JSON.parse(stored.text) as {
      results: { stations: { id: string }[]; vehicles: { source_id: string }[] };
    };
    const { stations, vehicles } = body.results;
    const remaining = [
      ...stations.map((each) => each.id),
      ...vehicles.map((each) => each.source_id),
    ];
    assert.ok(remaining.length > SHOWN.items_max, String(remaining.length));
    assert.equal(seen.length, remaining.length);
    assert.deepEqual(new Set(seen), new Set(remaining));
    await client.close();
  });

  test("a map is the first page of a dataset, with the credits of all that it draws", async () => {
    const client = await connect(url, { key: keyOf("developer") });
    const searched = { name: "search_mobility_nearby", arguments: PARIS };
    const { id, version } = resultOf(await client.callTool(searched)).dataset!;
    const read = { name: "read_dataset", arguments: { id, version } };
    const page = resultOf(await client.callTool(read));
    const map = resultOf(await client.callTool({ ...read, name: "show_map" }));
    // It may show fewer of them, since it has more credits.
    const about = (answer: ToolResult): object => ({
      ...answer,
      ...{ results: 0, shown: 0, attribution: 0, freshness: 0, local_time: 0 },
      dataset: { ...answer.dataset, next_offset: 0 },
    });
    assert.deepEqual(about(map), about(page));
    assert.deepEqual(map.results, page.results.slice(0, map.shown));
    assert.deepEqual([map.results.length, map.dataset!.next_offset], [map.shown, map.shown]);
    assert.ok(map.shown > 5, String(map.shown));
    const credited = new Set(page.attribution.map(({ source_id }) => source_id));
    for (let offset: number | null = page.shown; offset !== null;) {
      const next = { name: "read_dataset", arguments: { id, version, offset } };
      const { attribution, dataset } = resultOf(await client.callTool(next));
      for (const { source_id } of attribution) credited.add(source_id);
      offset = dataset!.next_offset;
    }
    assert.ok(credited.size > page.attribution.length, String(credited.size));
    assert.deepEqual(
      map.attribution.map(({ source_id }) => source_id),
      [...credited].sort(),
    );
    const { contents } = await client.readResource({ uri: MAP_RESOURCE });
    assert.match((contents[0] as { text: string }).text, /^<!doctype html>[^]*<\/html>\s*$/);
    await client.close();
  });

  test("the list of tools as a model sees it is small", async () => {
    const client = await connect(url);
    const { tools } = await client.listTools();
    const seen = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const bytes = sizeOf(seen);
    const largest = seen
      .map((tool) => `${tool.name} ${sizeOf(tool)}`)
      .toSorted((a, b) => Number(b.split(" ")[1]) - Number(a.split(" ")[1]));
    assert.ok(
      bytes <= LIST_BYTES_MAX,
      `the tools have ${bytes} bytes of ${LIST_BYTES_MAX}: shorten ${largest.slice(0, 3).join(", ")}, or decide on more in docs/agents.md, "The size of the list"`,
    );
    await client.close();
  });

  test("a dataset has all that was found, whatever the answer shows", async () => {
    const client = await connect(url);
    const called = await client.callTool({
      name: "search_mobility_nearby",
      arguments: { ...PARIS, limit: 3 },
    });
    const { dataset, shown, total } = resultOf(called);
    assert.equal(shown, 3);
    assert.ok(total > 100, String(total));
    const stored = Math.min(total, KEPT_MIN);
    assert.deepEqual([dataset!.entity_count, dataset!.found], [stored, total]);
    assert.equal(dataset!.next_offset, 3);
    await client.close();
  });

  test("intent pickup shows nothing that cannot be picked up, and counts what it leaves out", async () => {
    const client = await connect(url, { key: keyOf("unlimited") });
    let unusable = 0;
    let withState = 0;
    for (const { lat, lon } of CITIES) {
      const name = "search_mobility_nearby";
      const all = resultOf(await client.callTool({ name, arguments: { lat, lon } }));
      for (let page = all; ;) {
        withState += page.results.filter((item) => item["pickup"] === "unavailable_now").length;
        const { id, version, next_offset: offset } = page.dataset!;
        if (withState > 0 || offset === null) break;
        const next = { name: "read_dataset", arguments: { id, version, offset } };
        page = resultOf(await client.callTool(next));
      }
      const wished = { lat, lon, intent: "pickup" };
      let result = resultOf(await client.callTool({ name, arguments: wished }));
      unusable += result.unusable!;
      assert.equal(result.total + result.unusable!, all.total);
      const { id, version } = result.dataset!;
      for (;;) {
        for (const item of result.results) {
          const counts = item["availability"] as { vehicles: number | null } | undefined;
          assert.notEqual(item["pickup"], "unavailable_now", JSON.stringify(item));
          // What is too old to say (R7) keeps its last count, which may be none.
          if (item["state"] !== "unknown")
            assert.notEqual(counts?.vehicles, 0, JSON.stringify(item));
        }
        const offset = result.dataset!.next_offset;
        if (offset === null) break;
        const page = { id, version, offset };
        result = resultOf(await client.callTool({ name: "read_dataset", arguments: page }));
      }
    }
    assert.ok(unusable > 20, String(unusable));
    assert.ok(withState > 0, String(withState));
    await client.close();
  });

  test("where intent alone leaves nothing, the answer says how far the next is that allows it", async () => {
    const client = await connect(url, { key: keyOf("unlimited") });
    const name = "search_mobility_nearby";
    const search = async (args: object) =>
      resultOf(await client.callTool({ name, arguments: { include: ["stations"], ...args } }));
    type Placed = {
      availability: { vehicles: number | null };
      location: { lat: number; lon: number };
    };
    let checked = 0;
    for (const city of CITIES) {
      const { results } = await search({ lat: city.lat, lon: city.lon });
      for (const { availability, location } of results as Placed[]) {
        if (availability.vehicles !== 0) continue;
        const { total, unusable, ...answer } = await search({
          ...{ ...location, radius: 50, intent: "pickup" },
        });
        const { beyond } = answer as { beyond?: { id: string; distance_meters: number } | null };
        if (total > 0) {
          assert.equal(beyond, undefined);
          continue;
        }
        assert.ok(unusable! > 0);
        const wide = await search({ ...location, radius: 400, intent: "pickup" });
        const next = wide.results[0] as { id: string; distance_meters: number } | undefined;
        if (next)
          assert.deepEqual([beyond!.id, beyond!.distance_meters], [next.id, next.distance_meters]);
        checked++;
      }
    }
    assert.ok(checked > 0, String(checked));
    await client.close();
  });

  /** Minutes in which more leaves than a page holds, at any time of the day. */
  async function findWindow(client: Client): Promise<number> {
    for (let within = 10; within <= 360; within += 10) {
      const request = { name: "find_departures", arguments: { ...PARIS, within } };
      if (resultOf(await client.callTool(request)).total > SHOWN.items_max) return within;
    }
    return assert.fail("nothing leaves");
  }

  test("services, stations and departures are paged to their end, each once", async () => {
    const client = await connect(url, { key: keyOf("unlimited") });
    const questions: [string, object][] = [
      ["find_urban_services", { ...PARIS, types: ["toilets", "locker"], radius: 3_000 }],
      ["find_transit_stations", PARIS],
      ["find_departures", { ...PARIS, within: await findWindow(client) }],
    ];
    for (const [name, args] of questions) {
      const seen: string[] = [];
      let total = 0;
      for (let offset: number | null = 0; offset !== null;) {
        const page = resultOf(await client.callTool({ name, arguments: { ...args, offset } }));
        seen.push(...page.results.map((item) => JSON.stringify(item)));
        ({ total } = page);
        assert.ok(page.next_offset !== undefined, name);
        offset = page.next_offset;
      }
      assert.ok(total > SHOWN.items_max, `${name} ${total}`);
      assert.equal(seen.length, total, name);
    }
    await client.close();
  });

  test("every credit is of a source that is shown and known, and every result has one", async () => {
    const client = await connect(url, { key: keyOf("unlimited") });
    const { sources } = await http.json<{ sources: { id: string }[] }>(`${url}/v1/sources`);
    const ids = new Set(sources.map(({ id }) => id));
    const { lat, lon } = PARIS;
    const questions: [string, object][] = [
      ["search_mobility_nearby", { lat, lon, modes: ["bicycle"] }],
      ["find_urban_services", { lat, lon, types: SERVICE_TYPES }],
      ["find_transit_stations", { lat, lon }],
      ["find_departures", { lat, lon }],
      ["geocode", { q: "Paris" }],
      ["reverse_geocode", { lat, lon }],
    ];
    for (const [name, args] of questions) {
      const called = await client.callTool({ name, arguments: args as Record<string, unknown> });
      const { results, attribution, weekday } = resultOf(called);
      const names = results.flatMap((item) => item["sources"] as string[]);
      assert.ok(
        results.every((item) => (item["sources"] as string[]).length > 0),
        name,
      );
      assert.deepEqual(
        attribution.map(({ source_id }) => source_id),
        [...new Set(names)].sort(),
        name,
      );
      for (const { source_id } of attribution) assert.ok(ids.has(source_id), source_id);
      assert.match(weekday ?? "", /day$/, name);
    }
    await client.close();
  });

  test("a question without a provider finds stations in every city that a timetable covers", async () => {
    const client = await connect(url, { key: keyOf("unlimited") });
    const name = "find_transit_stations";
    let match = 0;
    for (const { lat, lon } of CITIES) {
      const any = resultOf(await client.callTool({ name, arguments: { lat, lon } }));
      const own = { lat, lon, providers: ["gtfs"] };
      const gtfs = resultOf(await client.callTool({ name, arguments: own }));
      // Stations that two providers know are one.
      assert.ok(any.total > 0 || gtfs.total === 0, `${lat},${lon}: ${gtfs.total}`);
      const names = new Set(any.results.flatMap((item) => item["sources"] as string[]));
      const isOfTimetable = [...names].some((id) => id.startsWith("gtfs:"));
      assert.ok(isOfTimetable || gtfs.total === 0, `${lat},${lon}: ${[...names].join(" ")}`);
      if (any.total > 0) match++;
    }
    assert.ok(match >= sized(4, 10), String(match));
    await client.close();
  });

  test("a dataset belongs to its account and is unknown to others", async () => {
    const owner = await connect(url, { key: keyOf("developer") });
    const searched = { name: "search_mobility_nearby", arguments: LOCATED.search_mobility_nearby };
    const { dataset } = resultOf(await owner.callTool(searched));
    const { id, version, uri } = dataset!;
    for (const revision of Object.keys(REVISIONS) as Revision[]) {
      const other = await connect(url, { revision, key: keyOf("business") });
      const read = await other.callTool({ name: "read_dataset", arguments: { id, version } });
      assert.equal(errorOf(read).code, "dataset_not_found");
      await assert.rejects(other.readResource({ uri }), /Resource not found/);
      await assert.rejects(other.readResource({ uri: "file:///etc/passwd" }), /Resource not found/);
      await other.close();
    }
    await owner.close();
  });

  test("a tool costs what its operation costs, and other messages are free", async () => {
    const key = keyOf("business");
    const headers = { authorization: `Bearer ${key}` };
    const used = async (): Promise<number> => {
      const me = await http.json<{ usage: { used: number } }>(`${url}/v1/me`, { headers });
      return me.usage.used;
    };
    const client = await connect(url, { key });
    const cost = async (name: string, args: Record<string, unknown>): Promise<number> => {
      const earlier = await used();
      await client.callTool({ name, arguments: args });
      return (await used()) - earlier;
    };
    await client.listTools();
    await client.ping();
    assert.equal(await cost("search_mobility_nearby", PARIS), UNITS.executeCapability);
    assert.equal(
      await cost("find_urban_services", { ...PARIS, types: ["toilets"] }),
      UNITS.getServicesNearby,
    );
    assert.equal(
      await cost("find_urban_services", { ...PARIS, types: ["charging", "parking"] }),
      UNITS.getServicesNearby + 2,
    );
    assert.equal(await cost("find_transit_stations", PARIS), UNITS.getTransportNearby);
    assert.equal(await cost("find_departures", PARIS), UNITS.getDeparturesNearby);
    assert.equal(await cost("geocode", { q: "nowhere at all 7731" }), UNITS.geocode);
    assert.equal(await cost("reverse_geocode", PARIS), UNITS.reverseGeocode);
    assert.equal(await cost("geocode", { q: "" }), 0);
    const searched = await client.callTool({ name: "search_mobility_nearby", arguments: PARIS });
    const { id, version } = resultOf(searched).dataset!;
    assert.equal(await cost("read_dataset", { id, version }), 0);
    assert.equal(await cost("changes_since", { id, version }), UNITS.executeCapability);
    const itself = { id, version, to_id: id, to_version: version };
    assert.equal(await cost("changes_since", itself), 0);
    assert.equal(await cost("show_map", { id, version }), 0);
    await client.close();
  });

  test("a place by its name is found, stated and searched around, or its candidates are named", async () => {
    const client = await connect(url);
    const geocoded = await client.callTool({ name: "geocode", arguments: { q: "Paris" } });
    const results = resultOf(geocoded).results as { label: string; location: Point }[];
    const met = { found: 0, candidates: 0 };
    const labels = results.map(({ label }) => label);
    for (const near of ["Paris", ...labels, "Airport", "nowhere at all 7731"])
      for (const [name, { lat: _, lon: __, ...args }] of Object.entries<Point>(LOCATED)) {
        const called = await client.callTool({ name, arguments: { near, ...args } });
        if (called.isError) {
          const { code, candidates = [], near: taken } = errorOf(called);
          // Nothing is known of mobility at a place of that name elsewhere.
          if (code === "no_sources_in_area") {
            assert.ok(labels.includes(taken!.label));
            continue;
          }
          assert.equal(code, near.startsWith("nowhere") ? "place_not_found" : "ambiguous_place");
          assert.equal(candidates.length > 0, code === "ambiguous_place");
          for (const { lat, lon } of candidates) {
            const chosen = { name, arguments: { near: `${lat},${lon}`, ...args } };
            const searched = await client.callTool(chosen);
            if (searched.isError) assert.equal(errorOf(searched).code, "no_sources_in_area");
          }
          met.candidates += candidates.length;
          continue;
        }
        const { near: stated, query_origin } = called.structuredContent as Stated;
        assert.ok(
          results.some(({ label }) => label === stated.label),
          stated.label,
        );
        if (query_origin) assert.deepEqual(query_origin, { lat: stated.lat, lon: stated.lon });
        met.found++;
      }
    assert.ok(met.found > 0 && met.candidates > 0, JSON.stringify({ met, labels }));
    await client.close();
  });

  test("a person chooses among places of one name, or declines and the model has the candidates", async () => {
    const requests: unknown[] = [];
    const ask = async (choose: (choices: Choice[]) => object) => {
      const client = await connect(url, { revision: "2026-07-28", asksPerson: true });
      client.setRequestHandler("elicitation/create", ({ params }) => {
        const { properties } = (params as unknown as { requestedSchema: { properties: Request } })
          .requestedSchema;
        requests.push(params.message);
        return choose(properties.place.oneOf) as { action: "decline" };
      });
      const args = { near: "Airport" };
      const called = await client.callTool({ name: "find_transit_stations", arguments: args });
      await client.close();
      return called;
    };
    let chosen: Choice | undefined;
    const accepted = await ask((choices) => {
      [, chosen] = choices;
      return { action: "accept", content: { place: chosen!.const } };
    });
    const { query_origin, near } = accepted.structuredContent as Stated;
    assert.equal(`${query_origin!.lat},${query_origin!.lon}`, chosen!.const);
    assert.equal(near, undefined);
    const declined = await ask(() => ({ action: "decline" }));
    assert.equal(errorOf(declined).code, "ambiguous_place");
    assert.deepEqual(requests, [WHICH, WHICH]);
  });

  test("filters of a search are those of the operation, and what is unknown is counted", async () => {
    const client = await connect(url);
    const ask = async (more: object): Promise<Summed> => {
      const args = { ...PARIS, ...more };
      const called = await client.callTool({ name: "search_mobility_nearby", arguments: args });
      return called.structuredContent as Summed;
    };
    const whole = await ask({ include: ["stations"] });
    assert.equal(whole.summary, undefined);
    const request = { include: ["stations"], min_vehicles: 3, min_docks: 2 };
    const { results, total, summary } = await ask(request);
    assert.ok(total > 0 && total < whole.total, `${total} of ${whole.total}`);
    assert.deepEqual(Object.keys(summary!), ["unknown_vehicles", "unknown_docks"]);
    for (const { availability } of results) {
      assert.ok((availability.vehicles ?? 3) >= 3 && (availability.docks ?? 2) >= 2);
    }
    const [{ network }] = results;
    const theirs = await ask({ include: ["stations"], operators: network.toUpperCase() });
    assert.ok(theirs.total > 0 && theirs.results.every((each) => each.network === network));
    await client.close();
  });

  test("an invalid argument is reported to the model by its name", async () => {
    const client = await connect(url);
    const called = await client.callTool({
      name: "geocode",
      arguments: { q: "Paris", contry: "FR" },
    });
    assert.deepEqual(errorOf(called), {
      code: "unexpected_member",
      message: "arguments.contry: unexpected member, did you mean country?",
    });
    await assert.rejects(client.callTool({ name: "book_a_ticket", arguments: {} }), /unknown tool/);
    await client.close();
  });

  test("vicinity mcp is the same server on standard streams", async () => {
    const command = fileURLToPath(new URL("../../../bin/vicinity", import.meta.url));
    const env = { PATH: process.env["PATH"] ?? "", VICINITY_API_KEY: keyOf("developer") };
    for (const revision of Object.keys(REVISIONS) as Revision[]) {
      const client = new Client({ name: "tests", version: "1" }, REVISIONS[revision]);
      const args = ["mcp", "--url", url];
      await client.connect(new StdioClientTransport({ command, args, env, stderr: "pipe" }));
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        NAMES,
      );
      const match = { name: "search_mobility_nearby", arguments: PARIS };
      const { dataset } = resultOf(await client.callTool(match));
      const headers = { authorization: `Bearer ${keyOf("developer")}` };
      // It was asked with the key of the environment: what it found is the account's.
      assert.equal((await http.call(url + dataset!.href)).status, 404);
      assert.equal((await http.call(url + dataset!.href, { headers })).status, 200);
      await client.close();
    }
  });
});
