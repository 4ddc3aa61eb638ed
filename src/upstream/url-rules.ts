/**
 * Rules for URLs that may be asked at all (reliability 4.5 rules 1, 4): text alone, nothing is
 * resolved.
 */
import { isSameSite } from "#upstream/request-site.ts";

export type UrlPolicy = {
  /** Sandbox and private deployments: loopback, plain http and any port are fine. */
  allow_private: boolean;
  /**
   * What the operator has named by hand, as `host:port` or `host` (any port): private addresses,
   * plain http and unusual ports are fine there, and only there.
   */
  allow_hosts: readonly string[];
  /** `host` or `host:port` of entries that say http or a port: addresses must still be public. */
  http_hosts: readonly string[];
  /** Rule 4, per call: the hosts whose site the URL must belong to. */
  same_site_as?: readonly string[] | undefined;
};

export type UrlVerdict = { ok: true; url: URL } | { ok: false; code: "URL_DENIED" | "HOST_DENIED" };

/** A question of 200 letters of four bytes is 2,400 characters of a query by itself. */
const MAX_URL_CHARS = 4096;
const MAX_HOST_CHARS = 253;
const DENIED: UrlVerdict = { ok: false, code: "URL_DENIED" };

/** Checks a URL; `base` resolves what a Location header says. */
export function checkUrl(text: string, policy: UrlPolicy, base?: URL): UrlVerdict {
  if (text.length > MAX_URL_CHARS) return DENIED;
  const url = URL.parse(text, base);
  if (!url || url.href.length > MAX_URL_CHARS || url.hostname.length > MAX_HOST_CHARS)
    return DENIED;
  if (url.username !== "" || url.password !== "" || url.hostname === "") return DENIED;
  if (!isTransportAllowed(url, policy)) return DENIED;
  const { same_site_as } = policy;
  if (same_site_as && !same_site_as.some((host) => isSameSite(url.hostname, host)))
    return { ok: false, code: "HOST_DENIED" };
  return { ok: true, url };
}

function isTransportAllowed(url: URL, policy: UrlPolicy): boolean {
  if (url.protocol !== "https:" && url.protocol !== "http:") return false;
  if (policy.allow_private || isListed(url, policy.allow_hosts)) return true;
  // An operator's own entry is meant as it is written, port and all.
  if (policy.http_hosts.includes(url.host)) return true;
  // The default port of a scheme parses to "".
  if (url.port !== "" && url.port !== "80" && url.port !== "443") return false;
  return url.protocol === "https:";
}

/** Exact names, never suffixes: one listed host must not open its neighbours. */
export function isListed(
  { protocol, hostname, port }: { protocol: string; hostname: string; port: string },
  hosts: readonly string[],
): boolean {
  const effective = port !== "" ? port : protocol === "https:" ? "443" : "80";
  return hosts.includes(hostname) || hosts.includes(`${hostname}:${effective}`);
}
