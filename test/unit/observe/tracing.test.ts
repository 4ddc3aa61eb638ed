/** Traces: who decides what is kept, what belongs to whom, and that nothing is there when it is off. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import fc from "fast-check";
import { openExchange } from "#http/http-exchange.ts";
import { readTraceParent } from "#http/reply-headers.ts";
import { ServingThread } from "#http/serving.ts";
import { createTelemetry, loadTelemetry, type OpenTelemetry } from "#observe/open-telemetry.ts";
import { createTracing } from "#observe/tracing.ts";
import type { TracedCall, TraceParent } from "#core/trace.ts";
import { startCollector } from "../../support/collector.ts";
import { turn } from "../../support/lookup.ts";

const CALL: TracedCall = {
  provider: "source",
  operation: "source.words",
  status: "ok",
  reason: null,
  elapsed_ms: 1,
  resend: 0,
  sent: { method: "GET", host: "source.example:8443" },
};
const PARENT: TraceParent = { trace_id: "a".repeat(32), span_id: "b".repeat(16), sampled: true };
const QUESTION = { method: "GET", route: "/v1/nearby", parent: null };

/** Notes which spans belong to which. */
function createNotes() {
  const notes: string[] = [];
  let count = 0;
  const telemetry: OpenTelemetry = {
    start({ name }, { trusted }) {
      const id = ++count;
      notes.push(`${id} ${name}${trusted ? " trusted" : ""}`);
      return { trace_id: `trace${id}`, context: id, end: () => void notes.push(`end ${id}`) };
    },
    startChild({ name }, { server }) {
      notes.push(`${String(server.context)} > ${name}`);
      return { end: () => undefined };
    },
    close: () => Promise.resolve(),
  };
  return { notes, tracing: createTracing(telemetry) };
}

test("a call belongs to the request in whose course it is made, across awaits, and to no other", async () => {
  const { notes, tracing } = createNotes();
  const ask = async (provider: string): Promise<void> => {
    const request = tracing.open(QUESTION);
    await request.run(async () => {
      await turn();
      tracing.called({ ...CALL, provider });
    });
    assert.match(request.end({ status: 200, trusted: false }), /^trace/);
  };
  tracing.called(CALL);
  await Promise.all([ask("one"), ask("two")]);
  assert.deepEqual(notes, [
    ...["1 GET /v1/nearby", "1 > GET one", "end 1", "2 GET /v1/nearby", "2 > GET two", "end 2"],
  ]);
});

test("work that goes on after the reply belongs to no request", async () => {
  const { notes, tracing } = createNotes();
  const request = tracing.open(QUESTION);
  const late = request.run(async () => {
    await turn();
    tracing.called(CALL);
  });
  request.end({ status: 200, trusted: true });
  await late;
  assert.deepEqual(notes, ["1 GET /v1/nearby trusted", "end 1"]);
});

/** sampler, its ratio, the parent's flag (null: no parent), whether a good key was shown; kept? */
const KEPT: readonly [string, number, boolean | null, boolean, boolean][] = [
  ["parentbased_always_on", 1, null, false, true],
  ["parentbased_always_on", 1, false, true, false],
  ["parentbased_always_on", 1, false, false, true],
  ["parentbased_always_off", 1, true, true, true],
  ["parentbased_always_off", 1, true, false, false],
  ["parentbased_traceidratio", 0, true, false, false],
  ["parentbased_traceidratio", 0, true, true, true],
  ["traceidratio", 0, true, true, false],
  ["traceidratio", 1, false, true, true],
  ["always_on", 1, false, true, true],
  ["always_off", 1, true, true, false],
];

test("the sampler decides, and a parent only if a good key came with it", async (t) => {
  const libraries = await loadTelemetry();
  assert.ok(!("problem" in libraries));
  for (const [sampler, ratio, flag, trusted, stored] of KEPT) {
    const collector = await startCollector();
    t.after(collector.close);
    const telemetry = createTelemetry(libraries, {
      url: `${collector.url}/v1/traces`,
      service_name: "s",
      version: "1",
      sampler,
      ratio,
      onProblem: assert.fail,
    });
    const tracing = createTracing(telemetry);
    const parent = flag === null ? null : { ...PARENT, sampled: flag };
    const request = tracing.open({ ...QUESTION, parent });
    request.run(() => tracing.called(CALL));
    const trace_id = request.end({ status: 503, trusted });
    if (parent) assert.equal(trace_id, parent.trace_id, "the trace goes on, sampled or not");
    await tracing.close();
    const spans = collector.spans();
    assert.equal(spans.length, stored ? 2 : 0, [sampler, ratio, flag, trusted].join(" "));
    const call = spans.find(({ kind }) => kind === "client");
    if (stored) assert.equal(call?.attributes["server.port"], "8443");
  }
});

test("a collector that is away costs a line, once, and no request", async () => {
  const libraries = await loadTelemetry();
  assert.ok(!("problem" in libraries));
  const problems: string[] = [];
  const closed = await startCollector();
  await closed.close();
  const telemetry = createTelemetry(libraries, {
    url: `${closed.url}/v1/traces`,
    service_name: "s",
    version: "1",
    sampler: "always_on",
    ratio: 1,
    onProblem: (message) => void problems.push(message),
  });
  const tracing = createTracing(telemetry);
  tracing.open(QUESTION).end({ status: 200, trusted: false });
  await tracing.close();
  assert.equal(problems.length, 1, problems.join("\n"));
  assert.match(problems[0]!, /ECONNREFUSED/);
});

test("traceparent: as the specification has it, or as if there were none", () => {
  const read = (traceparent: string): TraceParent | null =>
    readTraceParent({ headers: { traceparent } } as unknown as IncomingMessage);
  const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  assert.deepEqual(read(`00-${trace}-${span}-01`), {
    trace_id: trace,
    span_id: span,
    sampled: true,
  });
  assert.equal(read(`00-${trace}-${span}-02`)?.sampled, false);
  assert.equal(read(`cc-${trace}-${span}-01-what-comes`)?.trace_id, trace);
  for (const bad of [
    ...[`ff-${trace}-${span}-01`, `00-${"0".repeat(32)}-${span}-01`, `00-${trace}-${span}`],
    ...[`00-${trace}-${"0".repeat(16)}-01`, `00-${trace}-${span}-01-more`, "", "00"],
    ...[`00-${trace.toUpperCase()}-${span}-01`],
  ])
    assert.equal(read(bad), null, bad);
  fc.assert(fc.property(fc.string(), (text) => read(text) === null));
});

test("off: an exchange has no member for it, and no tracer is asked", () => {
  const serving = new ServingThread();
  const wire = { inflight: { count: 0, keyed: 0 }, tracing: null, serving };
  const route = { template: "/v1/nearby" };
  const request = { raw: { headers: {} }, method: "GET" };
  const exchange = openExchange(wire as never, route as never, request as never, {} as never);
  assert.equal("traced" in exchange, false);
});
