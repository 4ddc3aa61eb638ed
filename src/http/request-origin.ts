/**
 * Who may ask /mcp from a browser. A page can have its own name resolved to this machine, and then
 * speaks to a local server as if it were its own (DNS rebinding); the protocol obliges a server to
 * refuse that. So a request that came to a loopback address must call it by a loopback name, and one
 * that a page sent must come from the page's own host, unless the operator names others.
 */
import type { IncomingMessage } from "node:http";
import { type Problem, refusal } from "./error-replies.ts";

export type OriginRules = {
  /** Other names of a host that is reached over loopback, as behind a proxy on the same machine. */
  hosts: readonly string[];
  /** Origins of pages elsewhere, such as `https://agents.example`. */
  origins: readonly string[];
};

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;

/** Null: it may. */
export function findOriginProblem(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  { hosts, origins }: OriginRules,
): Problem | null {
  const host = nameOf(`http://${headers.host ?? ""}`);
  const isLocal = LOOPBACK_ADDRESS.test(socket.localAddress ?? "");
  if (isLocal && !isLoopbackName(host) && !hosts.includes(host ?? "")) return WRONG_HOST;
  const { origin } = headers;
  if (origin === undefined || origins.includes(origin)) return null;
  const from = nameOf(origin);
  if (from !== null && (from === host || (isLoopbackName(host) && isLoopbackName(from))))
    return null;
  return WRONG_ORIGIN;
}

function isLoopbackName(name: string | null): boolean {
  return name !== null && LOOPBACK_NAME.test(name);
}

/** Without the port. */
function nameOf(url: string): string | null {
  return URL.parse(url)?.hostname || null;
}

const WRONG_HOST = refusal(
  "forbidden_origin",
  "this server does not go by that name; the operator may add it to mcp.hosts",
);
const WRONG_ORIGIN = refusal(
  "forbidden_origin",
  "this server does not answer pages of that origin; the operator may add it to mcp.origins",
);
