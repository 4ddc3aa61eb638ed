/**
 * Names by which the admin listener is asked: a page whose own name was made to point here (DNS
 * rebinding) has another one, and gets nowhere.
 */
import type { IncomingHttpHeaders } from "node:http";
import { refuse, type AdminRefusal } from "./admin-answer.ts";

export type HostCheck = (headers: IncomingHttpHeaders) => AdminRefusal | null;

/** Takes loopback names and the one that the listener was given (ADMIN_HOST). */
export function createHostCheck(host: string): HostCheck {
  const names = new Set(["localhost", "127.0.0.1", "[::1]", toHostName(host)]);
  return (headers) => (names.has(nameOf(headers.host)) ? null : HOST_REFUSED);
}

/**
 * Takes, in addition, what collectors of metrics call a replica by and no page of the web can be
 * called: an address, a name without a dot, and names that exist in private networks only.
 */
export function createScrapeCheck(host: string): HostCheck {
  const check = createHostCheck(host);
  return (headers) => (PRIVATE.test(nameOf(headers.host)) ? null : check(headers));
}

const HOST = /^(\[[\da-f:.]+\]|[^:[\]@/]+)(?::\d{1,5})?$/i;
const PRIVATE = /^(?:\[.*\]|\d{1,3}(?:\.\d{1,3}){3}|[\w-]+|[\w.-]+\.(?:local|internal))$/;

const HOST_REFUSED = refuse("host_not_allowed", "this listener is not known by that host name");

/** Without the port; "" when there is none, or it is no name. */
function nameOf(host: string | undefined): string {
  return HOST.exec(host ?? "")?.[1]?.toLowerCase() ?? "";
}

/** Writes an address as a URL does, without its zone, which names an interface of this machine. */
function toHostName(host: string): string {
  const address = host.replace(/%.*$/s, "");
  const name = address.includes(":") ? `[${address}]` : address;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name.toLowerCase();
}
