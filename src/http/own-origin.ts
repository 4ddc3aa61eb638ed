/** The address by which a caller reached this server, for documents that must state it. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** A name, an IPv4 or a bracketed IPv6 address, and a port. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,253})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Returns scheme and host as the caller wrote them; null: there is no host, or none that belongs
 * in an address. A caller is believed, since the answer is for them alone and must not be kept.
 * TLS ends at a proxy, which says so in `X-Forwarded-Proto`; where none does, a name is taken for
 * one behind TLS, and an address or a loopback name for one without.
 */
export function ownOrigin({ headers }: Pick<IncomingMessage, "headers">): string | null {
  const { host } = headers;
  if (host === undefined || !HOST.test(host)) return null;
  const stated = headers["x-forwarded-proto"];
  if (stated === "http" || stated === "https") return `${stated}://${host}`;
  return `${isPlain(host) ? "http" : "https"}://${host}`;
}

function isPlain(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, "").toLowerCase();
  return name === "localhost" || name.endsWith(".localhost") || name[0] === "[" || isIP(name) !== 0;
}
