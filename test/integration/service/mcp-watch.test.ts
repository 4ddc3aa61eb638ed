/** Watching docking stations (docs/agents.md): the protocol's own client against a running service. */
import assert from "node:assert/strict";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { withPlaceTimes } from "#mcp/local.ts";
import { readExposition, sumOf } from "../../support/exposition.ts";
import { connect, REVISIONS } from "../../support/mcp.ts";
import { toStateless } from "../../support/mcp-server.ts";
import { RPC_HEADERS, toRpc } from "../../support/mcp.ts";
import {
  advance,
  createClient,
  createFolder,
  eventually,
  removeFolder,
  start,
  type Started,
  type Station,
} from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const REVISION = "2026-07-28";
const WITHIN = { within_ms: 120_000 };

const toUri = (id: string): string => `vicinity:///v1/stations/${id}`;
const idOf = (uri: string): string => uri.slice(uri.lastIndexOf("/") + 1);

type Read = {
  time_zone: string;
  status: string;
  station: Station;
  attribution: { source_id: string }[];
};

/** What a station says, without the times of its report. */
function toSaying({ availability, service_status }: Station): string {
  const { observed_at: _, last_reported: __, ...counts } = availability;
  return JSON.stringify([counts, service_status?.state]);
}

describe("watching the stations of a sandbox service", () => {
  const http = createClient();
  let started: Started;
  let url = "";
  /** By the last test. */
  let isClosed = false;
  let ids: string[] = [];
  const clients: Client[] = [];

  before(async () => {
    started = await start({ data_dir: await createFolder(), timetables: false });
    ({ url } = started.service);
    ids = [...(await findStations()).keys()];
    assert.ok(ids.length >= 12, String(ids.length));
  });
  after(async () => {
    for (const client of clients) await client.close();
    http.close();
    if (!isClosed) await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  async function findStations(): Promise<Map<string, Station>> {
    // Alone: however many vehicles there are at this time of day, no station is beyond the limit.
    const request = { ...PARIS, radius: 400, limit: 200, include: "stations" };
    const body = await http.nearby(started.service, request);
    return new Map(body.results.stations.map((each) => [each.id, each]));
  }

  async function open(key?: string): Promise<Client> {
    const client = await connect(url, {
      revision: REVISION,
      ...(key === undefined ? {} : { key }),
    });
    clients.push(client);
    return client;
  }

  /** Collects the ids of the stations that a client is notified of. */
  function collect(client: Client): string[] {
    const noted: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      noted.push(idOf(params.uri));
    });
    return noted;
  }

  async function read(client: Client, id: string): Promise<Read> {
    const { contents } = await client.readResource({ uri: toUri(id) });
    return JSON.parse((contents[0] as { text: string }).text) as Read;
  }

  const move = (seconds: number): Promise<number> =>
    advance(http, started.service.sandbox!.url, seconds);

  test("a station is a resource: what a search shows of it, credited; an unknown one is none", async () => {
    const client = await open();
    const listed = (await findStations()).values().next().value!;
    const { status, station, attribution, time_zone } = await read(client, listed.id);
    const {
      distance_meters: _,
      vehicles_listed: __,
      ...rest
    } = listed as Station & {
      vehicles_listed?: boolean;
    };
    assert.equal(status, "success");
    assert.deepEqual({ station, time_zone }, withPlaceTimes({ station: rest, time_zone }));
    assert.ok(attribution.length > 0);
    for (const id of ["svc_station_aaaaaaaaaaaaaaaaaaaa", "svc_station_", "nothing"])
      await assert.rejects(client.readResource({ uri: toUri(id) }), { code: -32_602 });
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === toUri("{id}")));
  });

  test("subscribing is offered where there is no handshake, and there alone", async () => {
    const client = await open();
    assert.deepEqual(client.getServerCapabilities()?.resources, { subscribe: true });
    const early = await connect(url, { revision: "2025-11-25" });
    assert.deepEqual(early.getServerCapabilities()?.resources, {});
    await early.close();
  });

  test("what can be watched is acknowledged, and the rest left out", async () => {
    const client = await open();
    const unknown = ["svc_station_aaaaaaaaaaaaaaaaaaaa", "x"].map(toUri);
    const uris = [...unknown, "vicinity:///v1/datasets/a/b", toUri(ids[0]!), toUri(ids[0]!)];
    const subscription = await client.listen({
      resourceSubscriptions: uris,
      toolsListChanged: true,
    });
    assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: [toUri(ids[0]!)] });
    await subscription.close();
    const none = await client.listen({ resourceSubscriptions: unknown });
    assert.deepEqual(none.honoredFilter, {});
    assert.equal(await none.closed, "graceful");
    await allEnded();
  });

  const measure = async (name: string, labels: Record<string, string> = {}) => {
    const { text } = await http.call(`${started.service.admin_url}/metrics`);
    return sumOf(readExposition(text), name, labels);
  };
  const countStreams = () => measure("svc_mcp_watched", { what: "streams" });

  const allEnded = (): Promise<true> =>
    eventually(async () => ((await countStreams()) === 0 ? true : null), {
      ...WITHIN,
      what: "no stream is left",
    });

  test("each of many streams is notified of its own stations that changed, and of no others", async () => {
    const watchers = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const client = await open();
        const own = [0, 1, 2].map((k) => ids[(i * 5 + k * 7) % ids.length]!);
        return { client, own: new Set(own), noted: collect(client) };
      }),
    );
    const subscriptions = await Promise.all(
      watchers.map(({ client, own }) =>
        client.listen({ resourceSubscriptions: [...own].map(toUri) }),
      ),
    );
    assert.equal(await countStreams(), watchers.length);
    const earlier = await findStations();
    await move(180);
    const later = await findStations();
    const changed = new Set(
      ids.filter((id) => toSaying(earlier.get(id)!) !== toSaying(later.get(id)!)),
    );
    const expected = watchers.flatMap(({ own }) => [...own].filter((id) => changed.has(id)));
    assert.ok(expected.length > 10, String(expected.length));
    await eventually(
      async () => {
        const isComplete = watchers.every(({ own, noted }) =>
          [...own].every((id) => !changed.has(id) || noted.includes(id)),
        );
        return isComplete ? true : null;
      },
      { ...WITHIN, what: "every watcher is notified" },
    );
    for (const { own, noted } of watchers)
      for (const id of noted) assert.ok(own.has(id), "a station of another");
    for (const each of subscriptions) await each.close();
    await allEnded();
  });

  test("`vicinity mcp` passes a stream on, and calls it off", async () => {
    const command = fileURLToPath(new URL("../../../bin/vicinity", import.meta.url));
    const client = new Client({ name: "tests", version: "1" }, REVISIONS[REVISION]);
    clients.push(client);
    const args = ["mcp", "--url", url];
    await client.connect(new StdioClientTransport({ command, args, stderr: "pipe" }));
    const noted = collect(client);
    const subscription = await client.listen({ resourceSubscriptions: ids.map(toUri) });
    assert.equal(
      subscription.honoredFilter.resourceSubscriptions?.length,
      Math.min(20, ids.length),
    );
    await move(120);
    await eventually(async () => (noted.length > 0 ? true : null), {
      ...WITHIN,
      what: "a change is passed on",
    });
    await subscription.close();
    await allEnded();
  });

  test("a stream is sent as it comes, and is no request under way", async () => {
    const { response, text } = await listenRaw(url, [ids[0]!]);
    assert.equal(response.statusCode, 200);
    const { headers } = response;
    assert.equal(headers["content-type"], "text/event-stream");
    assert.equal(headers["content-length"], undefined);
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(headers["x-accel-buffering"], "no");
    await eventually(async () => (text().includes("acknowledged") ? true : null), {
      ...WITHIN,
      what: "it is acknowledged",
    });
    assert.equal(await measure("svc_http_inflight"), 0);
    // Ten minutes are over; what comes before are changes and comments.
    await move(300);
    await eventually(
      async () => (/^: /m.test(text()) || text().includes("updated") ? true : null),
      {
        ...WITHIN,
        what: "something is received",
      },
    );
    await move(301);
    await eventually(async () => (response.complete ? true : null), {
      ...WITHIN,
      what: "it ends by itself",
    });
    assert.match(text(), /"resultType":"complete"/);
    await allEnded();
  });

  test("a caller that leaves is forgotten", async () => {
    const { response } = await listenRaw(url, [ids[0]!]);
    assert.equal(await countStreams(), 1);
    response.destroy();
    await allEnded();
  });

  test("shutting down ends every stream at once, with its result", async () => {
    const client = await open();
    const subscription = await client.listen({ resourceSubscriptions: [toUri(ids[0]!)] });
    const begun_ms = performance.now();
    isClosed = true;
    const closing = started.service.close({ delay_ms: 0 });
    assert.equal(await subscription.closed, "graceful");
    await closing;
    // Well below the time that requests under way are given.
    assert.ok(performance.now() - begun_ms < started.config.server.drain_timeout_ms);
  });
});

type Raw = { response: IncomingMessage; text(): string };

/** Listens without the client, to see what is sent. */
function listenRaw(url: string, ids: readonly string[]): Promise<Raw> {
  const filter = { notifications: { resourceSubscriptions: ids.map(toUri) } };
  const { params, headers } = toStateless("subscriptions/listen", filter);
  const agent = new Agent();
  return new Promise((resolve, reject) => {
    const options = { agent, method: "POST", headers: { ...RPC_HEADERS, ...headers } };
    const request = httpRequest(`${url}/mcp`, options, (response) => {
      const chunks: string[] = [];
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => chunks.push(chunk));
      response.on("error", () => {});
      resolve({ response, text: () => chunks.join("") });
    });
    request.once("error", reject);
    request.end(toRpc("subscriptions/listen", params));
  });
}
