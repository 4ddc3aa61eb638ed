/**
 * Traces by OpenTelemetry, posted over OTLP/HTTP (docs/operations.md, Traces). What happens while a
 * request is answered is noted as plain values; spans are made of them when the reply is out. So
 * whether a trace is kept is decided when it is known who has asked, and a request that is not
 * sampled costs next to nothing.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { TracedCall, TracedRequest, Tracing } from "#core/trace.ts";
import type { OpenTelemetry } from "./open-telemetry.ts";
import { toCallSpan, toServerSpan } from "./trace-spans.ts";

/** A request on its way; its calls until its reply is out. */
type Pending = { calls: Noted[]; over: boolean };
type Noted = { call: TracedCall; ended_ms: number };

/** Beyond it, calls of one request are left out: a trace is read by people. */
const MOST_CALLS = 256;

export function createTracing(telemetry: OpenTelemetry): Tracing {
  const pending = new AsyncLocalStorage<Pending>();
  return {
    open({ method, route, parent }): TracedRequest {
      const here: Pending = { calls: [], over: false };
      const began_ms = nowPrecisely_ms();
      return {
        run: (task) => pending.run(here, task),
        end({ status, trusted }) {
          here.over = true;
          const server = toServerSpan({ method, route, status });
          const span = telemetry.start(server, { began_ms, parent, trusted });
          for (const noted of here.calls) addCall(telemetry, span, noted);
          span.end(nowPrecisely_ms());
          return span.trace_id;
        },
      };
    },
    called(call) {
      const here = pending.getStore();
      // Timers and refreshes that a request has begun outlive it, and belong to no request then.
      if (!here || here.over || here.calls.length >= MOST_CALLS) return;
      here.calls.push({ call, ended_ms: nowPrecisely_ms() });
    },
    close: telemetry.close,
  };
}

function addCall(
  telemetry: OpenTelemetry,
  server: ReturnType<OpenTelemetry["start"]>,
  { call, ended_ms }: Noted,
): void {
  const began_ms = ended_ms - call.elapsed_ms;
  telemetry.startChild(toCallSpan(call), { began_ms, server }).end(ended_ms);
}

/** Epoch milliseconds with their fraction; the service's own clock may be a simulated one. */
function nowPrecisely_ms(): number {
  return performance.timeOrigin + performance.now();
}
