/** One generated request, as text whose characters are the bytes sent (Latin-1). */
export type Header = readonly [name: string, value: string];

/** A query parameter before it is written; `raw` is sent as it stands. */
export type Pair = { name: string; text: string; raw?: string };

export type FuzzRequest = {
  method: string;
  path: string;
  /** null: no question mark at all. */
  query: readonly string[] | null;
  version: "1.1" | "1.0";
  headers: readonly Header[];
  body: string;
  /** What the generator did to it, for counting; the verdict comes from the oracle alone. */
  labels: readonly string[];
};

export function targetOf({ path, query }: FuzzRequest): string {
  return query === null ? path : `${path}?${query.join("&")}`;
}

export function toWire(request: FuzzRequest): Buffer {
  const lines = request.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const start = `${request.method} ${targetOf(request)} HTTP/${request.version}\r\n`;
  return Buffer.from(`${start}${lines}\r\n${request.body}`, "latin1");
}

/** The values of a header, in order. */
export function headersOf(request: FuzzRequest, name: string): string[] {
  return request.headers
    .filter(([one]) => one.toLowerCase() === name)
    .map(([, value]) => value.trim());
}

/** Whether the server must hang up after answering. */
export function closesAfter(request: FuzzRequest): boolean {
  const close = headersOf(request, "connection").includes("close");
  return request.version === "1.0" || close || mayOverflow(request);
}

/** About what the parser takes: above it, it hangs up with 431 before anybody sees the target. */
const HEAD_BYTES = 15_500;

export function mayOverflow(request: FuzzRequest): boolean {
  return toWire({ ...request, body: "" }).length > HEAD_BYTES;
}
