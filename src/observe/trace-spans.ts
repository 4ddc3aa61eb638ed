/**
 * Names and attributes of spans, by the semantic conventions for HTTP (v1.44). Left out on purpose,
 * though the conventions ask for them: `url.path`, `url.query` and `url.full`, in which there are
 * coordinates and may be keys.
 */
import type { TracedCall } from "#core/trace.ts";

export type SpanShape = {
  name: string;
  kind: "server" | "client";
  attributes: Record<string, string | number>;
  failed: boolean;
};

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"]);

/** `route`: null where none matches. */
export function toServerSpan(request: {
  method: string;
  route: string | null;
  status: number;
}): SpanShape {
  const { route, status } = request;
  const method = METHODS.has(request.method) ? request.method : "_OTHER";
  const word = method === "_OTHER" ? "HTTP" : method;
  const failed = status >= 500;
  return {
    kind: "server",
    name: route === null ? word : `${word} ${route}`,
    failed,
    attributes: {
      "http.request.method": method,
      "url.scheme": "http",
      "http.response.status_code": status,
      ...(route === null ? {} : { "http.route": route }),
      ...(failed ? { "error.type": String(status) } : {}),
    },
  };
}

export function toCallSpan(call: TracedCall): SpanShape {
  const { provider, operation, status, reason, resend, sent } = call;
  const [, answered] = /^http_(\d{3})$/.exec(reason ?? "") ?? [];
  return {
    name: `${sent?.method ?? "read"} ${provider}`,
    kind: "client",
    failed: status !== "ok",
    attributes: {
      "vicinity.provider": provider,
      "vicinity.operation": operation,
      "vicinity.outcome": status,
      ...(sent === null ? {} : { "http.request.method": sent.method, ...toServer(sent.host) }),
      ...(answered === undefined ? {} : { "http.response.status_code": Number(answered) }),
      ...(resend > 0 ? { "http.request.resend_count": resend } : {}),
      ...(reason === null ? {} : { "error.type": reason }),
    },
  };
}

function toServer(host: string): Record<string, string | number> {
  const [, address = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  return { "server.address": address, ...(port ? { "server.port": Number(port) } : {}) };
}
