/** A collector of traces, as small as can be: takes OTLP/HTTP in JSON and keeps what came. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } };
type WireSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code: number };
};
type Wire = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: WireSpan[] }[];
  }[];
};

export type Seen = Omit<WireSpan, "attributes" | "kind"> & {
  kind: "server" | "client" | "other";
  attributes: Readonly<Record<string, string>>;
  service: string | undefined;
};

export type Collector = {
  url: string;
  spans(): Seen[];
  /** Every byte received, for a search for text that must not be there. */
  text(): string;
  close(): Promise<void>;
};

const KINDS: Readonly<Record<number, Seen["kind"]>> = { 2: "server", 3: "client" };

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      bodies.push(`${request.url}\n${JSON.stringify(request.headers)}\n${body}`);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => bodies.flatMap(readSpans),
    text: () => bodies.join("\n"),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readSpans(text: string): Seen[] {
  const [path, , body = ""] = text.split("\n");
  if (path !== "/v1/traces") return [];
  const { resourceSpans } = JSON.parse(body) as Wire;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = toRecord(resource.attributes)["service.name"];
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, kind, ...span }) => ({
        ...span,
        service,
        kind: KINDS[kind] ?? "other",
        attributes: toRecord(attributes),
      })),
    );
  });
}

function toRecord(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]),
  );
}
