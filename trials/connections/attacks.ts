/** How a client may hold what others need. Each is a number of connections and what is sent on them. */

export type Attack = {
  name: string;
  summary: string;
  connections: number;
  /** The addresses that they come from, each of a block of its own. */
  addresses: number;
  /** What is sent on a connection that has opened. */
  send: (asset: string) => string;
  /** true: what comes is read. */
  reads: boolean;
  /** Resets each connection after up to so long, and opens the next. */
  reset_within_ms?: number;
};

/** What a server reads at once. */
const READ_BYTES = 65_536;
const HOST = "Host: x\r\n";

const question = (path: string): string => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;

function pipeline(first: string, next: string): string {
  return first + next.repeat(Math.floor((READ_BYTES - first.length) / next.length));
}

const POST = `POST /v1/capabilities HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`;

export const ATTACKS: readonly Attack[] = [
  {
    name: "pipeline",
    summary: "2 connections ask for a large asset, then for 1,900 pages, and read nothing",
    connections: 2,
    addresses: 1,
    reads: false,
    send: (asset) => pipeline(question(asset), question("/status")),
  },
  {
    name: "assets",
    summary: "2 connections ask for a large asset as often as one read holds, and read nothing",
    connections: 2,
    addresses: 1,
    reads: false,
    send: (asset) => pipeline("", question(asset)),
  },
  {
    name: "slow-readers",
    summary: "2,200 connections of one address ask for a large asset each, and read nothing",
    connections: 2_200,
    addresses: 1,
    reads: false,
    send: question,
  },
  {
    name: "half-heads",
    summary: "2,200 connections of 20 addresses never finish their head",
    connections: 2_200,
    addresses: 20,
    reads: true,
    send: () => `GET /v1/nearby?lat=1&lon=2 HTTP/1.1\r\n${HOST}X-`,
  },
  {
    name: "half-bodies",
    summary: "2,200 connections of 20 addresses never finish their body",
    connections: 2_200,
    addresses: 20,
    reads: true,
    send: () => POST,
  },
  {
    name: "idle",
    summary: "2,200 connections of 20 addresses ask once and stay",
    connections: 2_200,
    addresses: 20,
    reads: true,
    send: () => question("/health"),
  },
  {
    name: "resets",
    summary: "20 connections at once, each reset within 100 ms of its question",
    connections: 20,
    addresses: 20,
    reads: true,
    reset_within_ms: 100,
    send: question,
  },
  {
    name: "many",
    summary: "10,500 connections of one address",
    connections: 10_500,
    addresses: 1,
    reads: true,
    send: () => question("/health"),
  },
];

/** `held`: open at the end; `lost`: closed by the other side, or never opened. */
export type Attacked = { opened: number; stored: number; lost: number };
