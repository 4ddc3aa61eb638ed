/**
 * The one file that knows OpenTelemetry's libraries. They are optional, and loaded only where traces
 * are configured.
 */
import type * as Api from "@opentelemetry/api";
import type * as Exporter from "@opentelemetry/exporter-trace-otlp-http";
import type * as Resources from "@opentelemetry/resources";
import type * as Sdk from "@opentelemetry/sdk-trace";
import type { Context, Span } from "@opentelemetry/api";
import type { Sampler, SamplingResult } from "@opentelemetry/sdk-trace";
import type { TraceParent } from "#core/trace.ts";
import type { SpanShape } from "./trace-spans.ts";

export type TelemetrySettings = {
  url: string;
  service_name: string;
  version: string;
  sampler: string;
  /** Share of the traces to keep, of those without an earlier decision. */
  ratio: number;
  /** Called with a problem that the libraries report, at most once a minute. */
  onProblem: (message: string) => void;
};

type Ending = { end(at_ms: number): void };
export type OpenTelemetry = {
  start(
    shape: SpanShape,
    options: { began_ms: number; parent: TraceParent | null; trusted: boolean },
  ): Ending & { trace_id: string; context: unknown };
  startChild(shape: SpanShape, options: { began_ms: number; server: { context: unknown } }): Ending;
  close(): Promise<void>;
};

type Libraries = {
  api: typeof Api;
  sdk: typeof Sdk;
  resources: typeof Resources;
  exporter: typeof Exporter;
};

const EXPORT_TIMEOUT_MS = 2_000;
const COMPLAIN_EVERY_MS = 60_000;

const PACKAGES = {
  api: ["@opentelemetry/api", () => import("@opentelemetry/api")],
  sdk: ["@opentelemetry/sdk-trace", () => import("@opentelemetry/sdk-trace")],
  resources: ["@opentelemetry/resources", () => import("@opentelemetry/resources")],
  exporter: [
    "@opentelemetry/exporter-trace-otlp-http",
    () => import("@opentelemetry/exporter-trace-otlp-http"),
  ],
} as const satisfies Record<keyof Libraries, readonly [string, () => Promise<unknown>]>;

/** One line that names the package where one is missing. */
export async function loadTelemetry(): Promise<Libraries | { problem: string }> {
  const loaded: Record<string, unknown> = {};
  for (const [key, [name, load]] of Object.entries(PACKAGES)) {
    try {
      loaded[key] = await load();
    } catch {
      const problem = `OTEL_EXPORTER_OTLP_ENDPOINT: traces need the package ${name}; npm install ${name}`;
      return { problem };
    }
  }
  return loaded as Libraries;
}

export function createTelemetry(libraries: Libraries, settings: TelemetrySettings): OpenTelemetry {
  const { api, sdk, resources, exporter } = libraries;
  const { service_name, version, url } = settings;
  complain(api, settings.onProblem);
  const trusted = api.createContextKey("trusted");
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      "service.name": service_name,
      "service.version": version,
    }),
    sampler: createSampler(libraries, settings, (context) => context.getValue(trusted) === true),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }),
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("vicinity", version);
  const begin = (shape: SpanShape, startTime: number, context: Context): Span => {
    const { name, attributes, failed } = shape;
    const kind = shape.kind === "server" ? api.SpanKind.SERVER : api.SpanKind.CLIENT;
    const span = tracer.startSpan(name, { kind, attributes, startTime }, context);
    if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
    return span;
  };
  return {
    start(shape, { began_ms, parent, trusted: isTrusted }) {
      const root = api.ROOT_CONTEXT.setValue(trusted, isTrusted);
      const span = begin(shape, began_ms, parent ? withParent(api, root, parent) : root);
      return {
        trace_id: span.spanContext().traceId,
        context: api.trace.setSpan(api.ROOT_CONTEXT, span),
        end: (at_ms) => span.end(at_ms),
      };
    },
    startChild(shape, { began_ms, server }) {
      const span = begin(shape, began_ms, server.context as Context);
      return { end: (at_ms) => span.end(at_ms) };
    },
    // A collector that is away delays nothing, least of all the shutdown.
    close: () => provider.shutdown().catch((error: unknown) => settings.onProblem(String(error))),
  };
}

function withParent(
  { trace, TraceFlags }: Libraries["api"],
  context: Context,
  { trace_id, span_id, sampled }: TraceParent,
): Context {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const parent = { traceId: trace_id, spanId: span_id, traceFlags, isRemote: true };
  return trace.setSpanContext(context, parent);
}

/**
 * Creates the named sampler, but only a trusted caller's parent decides: else any caller could have
 * everything recorded, or nothing.
 */
function createSampler(
  { api, sdk }: Libraries,
  { sampler, ratio }: TelemetrySettings,
  isTrusted: (context: Context) => boolean,
): Sampler {
  const on = new sdk.AlwaysOnSampler();
  const off = new sdk.AlwaysOffSampler();
  const roots: Record<string, Sampler> = {
    always_on: on,
    always_off: off,
    traceidratio: new sdk.TraceIdRatioBasedSampler(ratio),
  };
  const own = roots[sampler.replace("parentbased_", "")] ?? on;
  const follows = sampler.startsWith("parentbased_");
  return {
    shouldSample(context, ...args): SamplingResult {
      const parent = api.trace.getSpanContext(context);
      const heeded = parent && (parent.isRemote !== true || (follows && isTrusted(context)));
      if (!heeded) return own.shouldSample(context, ...args);
      return (parent.traceFlags & api.TraceFlags.SAMPLED) === 0
        ? off.shouldSample()
        : on.shouldSample();
    },
    toString: () => sampler,
  };
}

/** Reports a collector that is away once a minute; only spans are lost. */
function complain(
  { diag, DiagLogLevel }: Libraries["api"],
  report: (message: string) => void,
): void {
  let next_ms = 0;
  const say = (message: string): void => {
    if (performance.now() < next_ms) return;
    next_ms = performance.now() + COMPLAIN_EVERY_MS;
    report(message);
  };
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: say, warn: say, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
