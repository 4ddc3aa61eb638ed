/** The tools for agents while the world changes, and while publishers plant texts in all they write. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client as Host } from "@modelcontextprotocol/client";
import { SHOWN } from "#api/agent-results.ts";
import { FAMILIES } from "#api/nearby.ts";
import { SERVICE_TYPES } from "#api/tokens.ts";
import { sizeOf } from "#mcp/brief.ts";
import { INJECTED } from "../../../sandbox/hidden-text.ts";
import { findHidden } from "../../support/hidden-text.ts";
import { connect, errorOf, resultOf } from "../../support/mcp.ts";
import {
  advance,
  alignToMinute,
  createClient,
  createFolder,
  removeFolder,
  start,
  type Started,
} from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const BERLIN = { lat: 52.52, lon: 13.405 };
const SEARCH = "search_mobility_nearby";

type Args = Record<string, unknown>;
type State = { vehicles?: number | null; docks?: number | null };
type Change = { change: string; kind: string; id: string; before?: State; after?: State };
type Changes = {
  status: string;
  message?: string;
  notices?: string[];
  compared_within_m: number;
  from: { id: string; version: string };
  to: { id: string; version: string };
  elapsed_s: number;
  totals: Record<"entered" | "left" | "changed" | "unchanged" | "unknown", number>;
  total: number;
  shown: number;
  next_offset: number | null;
  results: Change[];
};
type Body = {
  results: {
    stations: { id: string; availability: State }[];
    vehicles: { source_id: string }[];
  };
};

describe("the tools of a sandbox service, over time", () => {
  const http = createClient();
  let started: Started;
  let url = "";
  let sandbox = "";
  let host: Host;
  const keyOf = (plan: string): string =>
    started.service.keys.find((each) => each.plan === plan)!.key;
  before(async () => {
    started = await start({ data_dir: await createFolder() });
    ({ url } = started.service);
    sandbox = started.service.sandbox!.url;
    host = await connect(url, { key: keyOf("business") });
  });
  after(async () => {
    await host.close();
    http.close();
    await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  async function search(args: Args): Promise<{ id: string; version: string; href: string }> {
    const { dataset } = resultOf(await host.callTool({ name: SEARCH, arguments: args }));
    return { id: dataset!.id, version: dataset!.version, href: dataset!.href };
  }
  async function changesOf(args: Args): Promise<Changes> {
    const called = await host.callTool({ name: "changes_since", arguments: args });
    resultOf(called);
    assert.ok(sizeOf(called.structuredContent) <= SHOWN.bytes_max);
    return called.structuredContent as Changes;
  }
  const bodyOf = (href: string): Promise<Body> =>
    http.json(url + href, { headers: { authorization: `Bearer ${keyOf("business")}` } });
  async function used(): Promise<number> {
    const headers = { authorization: `Bearer ${keyOf("business")}` };
    const me = await http.json<{ usage: { used: number } }>(`${url}/v1/me`, { headers });
    return me.usage.used;
  }
  const plant = (source: string, fault: string): Promise<unknown> =>
    http.json(`${sandbox}/__sandbox/faults/${source}`, { method: "PUT", body: { fault } });

  test("what entered, left and changed is the difference of the two datasets, page by page", async () => {
    await alignToMinute(http, sandbox);
    const { id, version, href } = await search(PARIS);
    await advance(http, sandbox, 600);
    const earlier = await used();
    const first = await changesOf({ id, version });
    assert.equal((await used()) - earlier, 2);
    assert.ok(Math.abs(first.elapsed_s - 600) < 60, String(first.elapsed_s));
    const { to } = first;
    const seen = [...first.results];
    for (let offset = first.next_offset; offset !== null;) {
      const page = await changesOf({ id, version, to_id: to.id, to_version: to.version, offset });
      assert.deepEqual(page.totals, first.totals);
      seen.push(...page.results);
      offset = page.next_offset;
    }
    // The pages read alone.
    assert.equal((await used()) - earlier, 2);
    assert.equal(seen.length, first.total);
    const [was, is] = [await bodyOf(href), await bodyOf(`/v1/datasets/${to.id}/${to.version}`)];
    const idsOf = ({ results }: Body): Set<string> =>
      new Set([
        ...results.stations.map((each) => each.id),
        ...results.vehicles.map((each) => each.source_id),
      ]);
    const [old, now] = [idsOf(was), idsOf(is)];
    const listed = (change: string): Set<string> =>
      new Set(seen.filter((each) => each.change === change).map((each) => each.id));
    assert.deepEqual(listed("entered"), now.difference(old));
    assert.deepEqual(listed("left"), old.difference(now));
    assert.ok(listed("entered").size > 0 && listed("left").size > 0);
    const { entered, left, changed, unchanged, unknown } = first.totals;
    assert.equal(entered + left + changed, first.total);
    assert.equal(unknown, 0);
    assert.equal(changed + unchanged, now.intersection(old).size);
    // Counts of stations, in both directions.
    const countsOf = ({ results }: Body) =>
      new Map(results.stations.map((each) => [each.id, each.availability]));
    const [counts, later] = [countsOf(was), countsOf(is)];
    let compared = 0;
    for (const [station, { vehicles }] of counts) {
      const present = later.get(station);
      if (!present || present.vehicles === vehicles) continue;
      const change = seen.find((each) => each.id === station);
      assert.deepEqual(change?.before?.vehicles, vehicles, station);
      assert.deepEqual(change?.after?.vehicles, present.vehicles, station);
      compared++;
    }
    assert.ok(compared > 0);
    const back = await changesOf({
      id: to.id,
      version: to.version,
      to_id: id,
      to_version: version,
    });
    assert.deepEqual(back.totals, { ...first.totals, entered: left, left: entered });
    const same = await changesOf({ id, version, to_id: id, to_version: version });
    assert.deepEqual([same.status, same.total], ["empty", 0]);
  });

  test("two searches that differ, half an address and other owners' datasets are refused", async () => {
    const { id, version } = await search(PARIS);
    const other = await search({ ...PARIS, radius: 250, modes: ["bicycle"] });
    const ask = (args: Args) => host.callTool({ name: "changes_since", arguments: args });
    const to = { to_id: other.id, to_version: other.version };
    const { code, message } = errorOf(await ask({ id, version, ...to }));
    assert.equal(code, "invalid_request");
    assert.match(message, /differ in radius, modes$/);
    for (const half of [{ to_id: id }, { to_version: version }]) {
      const earlier = await used();
      assert.match(errorOf(await ask({ id, version, ...half })).message, /given together/);
      assert.equal(await used(), earlier);
    }
    const stranger = await connect(url, { key: keyOf("developer") });
    const request = { name: "changes_since", arguments: { id, version } };
    assert.equal(errorOf(await stranger.callTool(request)).code, "dataset_not_found");
    await stranger.close();
  });

  test("what a source that failed would show is unknown, and named", async () => {
    const { id, version, href } = await search(PARIS);
    const { results } = await bodyOf(href);
    const own_vehicles = results.vehicles.filter((each) =>
      each.source_id.startsWith("paris-zigzag:"),
    );
    assert.ok(own_vehicles.length > 10);
    await plant("gbfs:paris-zigzag", "http_500");
    await advance(http, sandbox, 900);
    const { status, notices, totals, results: listed_results } = await changesOf({ id, version });
    assert.equal(status, "partial");
    assert.match(notices!.join(" "), /paris-zigzag \(the later\)/);
    assert.ok(totals.unknown >= own_vehicles.length, String(totals.unknown));
    assert.ok(listed_results.every((each) => !each.id.startsWith("paris-zigzag:")));
    await plant("gbfs:paris-zigzag", "none");
    await advance(http, sandbox, 900);
  });

  test("no hidden character of a publisher is in any answer, and orders are marked as its texts", async () => {
    const { sources } = await http.json<{ sources: { id: string }[] }>(
      `${sandbox}/__sandbox/sources`,
    );
    for (const { id } of sources) await plant(id, "hidden_text");
    // Everything is read again, timetables too.
    await advance(http, sandbox, 90_000);
    const met = new Map<string, number>();
    const ask = async (name: string, args: Args) => {
      const called = await host.callTool({ name, arguments: args });
      const [content] = called.content;
      const text = content?.type === "text" ? content.text : "";
      assert.equal(findHidden(called), null, name);
      assert.equal(findHidden(JSON.parse(text)), null, name);
      const orders = text.split(INJECTED).length - 1;
      const kind = called.isError ? "error" : name;
      met.set(kind, (met.get(kind) ?? 0) + orders);
      const body = JSON.parse(text) as { untrusted_text?: true; error?: { untrusted_text?: true } };
      const isMarked = body.untrusted_text ?? body.error?.untrusted_text ?? false;
      assert.ok(isMarked || orders === 0, text.slice(0, 300));
      assert.ok(sizeOf(JSON.parse(text)) <= SHOWN.bytes_max, name);
      return called;
    };
    for (const at of [PARIS, BERLIN]) {
      const { dataset } = resultOf(await ask(SEARCH, { ...at, include: FAMILIES }));
      const { id, version, uri } = dataset!;
      await ask("read_dataset", { id, version, offset: 20 });
      const { contents } = await host.readResource({ uri });
      assert.equal(findHidden(JSON.parse((contents[0] as { text: string }).text)), null);
      await advance(http, sandbox, 300);
      await ask("changes_since", { id, version });
      for (const type of SERVICE_TYPES)
        await ask("find_urban_services", { ...at, types: [type], radius: 3_000 });
      await ask("find_transit_stations", at);
      await ask("find_departures", { ...at, within: 60 });
      await ask("reverse_geocode", at);
    }
    for (const q of ["Paris", "Mairie"]) await ask("geocode", { q });
    assert.ok((await ask("find_transit_stations", { near: "Airport" })).isError);
    for (const [name, orders] of met) assert.ok(orders > 0, `${name} shows no planted text`);
    assert.ok(met.size >= 9, [...met.keys()].join());
  });
});
