/** What a collector receives from a service that traces (reliability 5.6, 4.3): the request and its calls. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Collector, type Seen, startCollector } from "../../support/collector.ts";
import { createClient, createFolder, removeFolder, start } from "./support.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const CANARY = `svc_test_${"c".repeat(49)}`;
/** A point that no span may contain. */
const LAT = 48.856_123;

const FAILING = TRACE.replace("0af", "1af");
const HIDDEN = TRACE.replace("0af", "2af");
const PATHS = [
  `/v1/nearby?lat=${LAT}&lon=2&token=${CANARY}`,
  `/v1/nearby?lat=${LAT}&lon=2&canary=${CANARY}`,
  `/realtime/paris/${LAT},2.35/water?token=${CANARY}`,
  `/made/up/${CANARY}`,
  `/v1/datasets/${CANARY}/1`,
];

let collector: Collector;

/** Everything is asked first: spans come in batches, the last one when the service ends. */
before(async () => {
  collector = await startCollector();
  const client = createClient();
  const data_dir = await createFolder();
  const { service } = await start({
    data_dir,
    timetables: false,
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: "vicinity-test" },
  });
  const ask = async (path: string, trace: string, more: Record<string, string> = {}) => {
    const headers = { traceparent: `00-${trace}-${PARENT}-00`, ...more };
    return await client.call(`${service.url}${path}`, { headers });
  };
  const services = `/v1/services/nearby?radius=800&lat=${LAT}&lon=2.352201`;
  const reply = await ask(`${services}&types=toilets,drinking_water`, TRACE);
  assert.equal(reply.status, 200, reply.text);
  for (const path of PATHS) {
    await ask(path, HIDDEN);
    await ask(path, HIDDEN, { authorization: `Bearer ${CANARY}`, "x-request-id": "canary-id" });
  }
  await client.json(`${service.sandbox!.url}/__sandbox/faults/refuge_restrooms`, {
    method: "PUT",
    body: { fault: "reset", rate: 1 },
  });
  await ask("/v1/services/nearby?lat=40.7128&lon=-74.006&types=toilets", FAILING);
  await service.close({ delay_ms: 0 });
  client.close();
  await removeFolder(data_dir);
});
after(() => collector.close());

function spansOf(trace: string): Seen[] {
  return collector.spans().filter(({ traceId }) => traceId === trace);
}

test("a request that calls sources has a span for each, whose parent is its own", () => {
  const spans = spansOf(TRACE);
  const server = spans.find(({ kind }) => kind === "server")!;
  assert.equal(server.parentSpanId, PARENT);
  assert.equal(server.name, "GET /v1/services/nearby");
  assert.equal(server.service, "vicinity-test");
  assert.deepEqual(server.attributes, {
    "http.request.method": "GET",
    "http.response.status_code": "200",
    "http.route": "/v1/services/nearby",
    "url.scheme": "http",
  });
  const calls = spans.filter(({ kind }) => kind === "client");
  assert.equal(calls.length, spans.length - 1);
  const called = calls.map(({ attributes }) => attributes["vicinity.provider"]);
  assert.equal(new Set(called).size, called.length);
  for (const source of ["openstreetmap", "refuge_restrooms"]) assert.ok(called.includes(source));
  for (const call of calls) {
    assert.equal(call.parentSpanId, server.spanId);
    assert.equal(call.attributes["vicinity.outcome"], "ok");
    assert.ok(call.attributes["server.address"]);
    assert.ok(BigInt(call.startTimeUnixNano) >= BigInt(server.startTimeUnixNano) - 2_000_000n);
    assert.ok(BigInt(call.endTimeUnixNano) <= BigInt(server.endTimeUnixNano));
  }
});

test("a call that fails and is retried is two spans, and the second one says so", () => {
  const calls = spansOf(FAILING).filter(
    ({ attributes }) => attributes["vicinity.provider"] === "refuge_restrooms",
  );
  assert.deepEqual(
    calls.map(({ attributes }) => attributes["http.request.resend_count"] ?? "0").toSorted(),
    ["0", "1"],
  );
  for (const { attributes, status } of calls) {
    assert.equal(attributes["error.type"], "connection_reset");
    assert.equal(status.code, 2);
  }
});

test("no span contains the query or a key", () => {
  assert.equal(spansOf(HIDDEN).filter(({ kind }) => kind === "server").length, PATHS.length * 2);
  const text = collector.text();
  assert.ok(text.length > 2_000, `${text.length} characters`);
  for (const secret of [CANARY, "canary", "48.856", "2.352201", "made/up"])
    assert.ok(!text.includes(secret), `${secret} was sent`);
});
