/** The tools for agents as hosts see them: the protocol's own client against a running service. */
import { SERVICE_TYPES } from "#contract/tokens.ts";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CITIES } from "../../../sandbox/world/cities.ts";
import { SHOWN } from "#contract/agent-results.ts";
import { AGENT_TOOLS } from "#contract/agent-tools.ts";
import { FAMILIES } from "#contract/nearby.ts";

import { sizeOf } from "#mcp/brief.ts";
import {
  connect,
  errorOf,
  type Revision,
  REVISIONS,
  tokensOf,
  resultOf,
} from "../../support/mcp.ts";
import { createClient, createFolder, removeFolder, start, type Started } from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const NAMES = Object.keys(AGENT_TOOLS);
/** Issue 7: what one answer of a tool may be. */
const TOKENS_MAX = 5_000;

const LOCATED = {
  search_mobility_nearby: { ...PARIS },
  find_urban_services: { ...PARIS, types: ["toilets", "aed", "charging"] },
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
    started = await start({ cities: "all", data_dir: await createFolder() });
    ({ url } = started.service);
  });
  after(async () => {
    http.close();
    await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

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
      const asked = { ...LOCATED, geocode: { q: "Paris" } };
      for (const [name, args] of Object.entries(asked)) {
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

  test("no answer is larger than 5,000 tokens, wherever and however much is asked", async () => {
    const client = await connect(url, { key: keyOf("unlimited") });
    let largest = 0;
    let asked = 0;
    let found = 0;
    for (const { lat, lon } of CITIES) {
      const here = { lat, lon };
      const questions: [string, object][] = [
        ["search_mobility_nearby", { ...here, include: FAMILIES, limit: 1000 }],
        ["find_urban_services", { ...here, types: SERVICE_TYPES, radius: 10_000, limit: 200 }],
        ["find_transit_stations", { ...here, radius: 5000, limit: 200 }],
        ["reverse_geocode", here],
      ];
      for (const [name, args] of questions) {
        const called = await client.callTool({ name, arguments: args as Record<string, unknown> });
        const result = resultOf(called);
        assert.ok(tokensOf(called) < TOKENS_MAX, `${name} ${lat},${lon}: ${tokensOf(called)}`);
        assert.ok(sizeOf(result) <= SHOWN.bytes_max, name);
        if (result.shown > 0) found++;
        largest = Math.max(largest, tokensOf(called));
        asked++;
      }
    }
    assert.equal(asked, CITIES.length * 4);
    // Not every provider of stations knows every city.
    assert.ok(found > asked * 0.8, `${found} of ${asked}`);
    // A bound that nothing comes near would guard nothing.
    assert.ok(largest > TOKENS_MAX / 2, String(largest));
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
    assert.equal(link?.type === "resource_link" && link.uri, dataset.uri);
    const headers = { authorization: `Bearer ${keyOf("developer")}` };
    const stored = await http.call(url + dataset.href, { headers });
    assert.equal(stored.status, 200);
    for (const uri of [dataset.uri, url + dataset.href]) {
      const { contents } = await client.readResource({ uri });
      assert.equal((contents[0] as { text: string }).text, stored.text);
    }
    const seen = results.map((item) => item["id"] ?? item["source_id"]);
    const { id, version } = dataset;
    for (let offset: number | null = shown; offset !== null;) {
      const page = resultOf(
        await client.callTool({
          name: "read_dataset",
          arguments: { id, version, offset, limit: 9 },
        }),
      );
      seen.push(...page.results.map((item) => item["id"] ?? item["source_id"]));
      offset = page.dataset!.next_offset;
    }
    const body = JSON.parse(stored.text) as {
      results: { stations: { id: string }[]; vehicles: { source_id: string }[] };
    };
    const { stations, vehicles } = body.results;
    const kept = [...stations.map((each) => each.id), ...vehicles.map((each) => each.source_id)];
    assert.ok(kept.length > SHOWN.items_max, String(kept.length));
    assert.equal(seen.length, kept.length);
    assert.deepEqual(new Set(seen), new Set(kept));
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
    assert.equal(await cost("search_mobility_nearby", PARIS), 2);
    assert.equal(await cost("find_urban_services", { ...PARIS, types: ["toilets"] }), 1);
    assert.equal(
      await cost("find_urban_services", { ...PARIS, types: ["charging", "parking"] }),
      3,
    );
    assert.equal(await cost("find_transit_stations", PARIS), 1);
    assert.equal(await cost("geocode", { q: "nowhere at all 7731" }), 1);
    assert.equal(await cost("reverse_geocode", PARIS), 1);
    assert.equal(await cost("geocode", { q: "" }), 0);
    const searched = await client.callTool({ name: "search_mobility_nearby", arguments: PARIS });
    const { id, version } = resultOf(searched).dataset!;
    assert.equal(await cost("read_dataset", { id, version }), 0);
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
      const named = { name: "search_mobility_nearby", arguments: PARIS };
      const { dataset } = resultOf(await client.callTool(named));
      const headers = { authorization: `Bearer ${keyOf("developer")}` };
      // It was asked with the key of the environment: what it found is the account's.
      assert.equal((await http.call(url + dataset!.href)).status, 404);
      assert.equal((await http.call(url + dataset!.href, { headers })).status, 200);
      await client.close();
    }
  });
});
