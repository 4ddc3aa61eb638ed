/** "Same registrable domain" for reliability 4.5 rule 4, by the public suffix list. Pure. */
import { getDomain } from "tldts";

/** Hosting shared by strangers that the list lacks: below these only the same host is the same site. */
const SHARED_HOSTING = [
  "amazonaws.com",
  "b-cdn.net",
  "backblazeb2.com",
  "cloudflarestorage.com",
  "fastly.net",
  "googleusercontent.com",
  "ovh.net",
  "railway.app",
  "scw.cloud",
  "sharepoint.com",
  "wasabisys.com",
  "windows.net",
];

/** With the list's private part: a domain at which a company lets others have names is a suffix too. */
const BY_NAME = { allowPrivateDomains: true, extractHostname: false };

/** Reports whether `host` belongs to the site of `other`. Both may carry a port, which is ignored. */
export function isSameSite(host: string, other: string): boolean {
  const site = siteOf(host);
  return site !== "" && site === siteOf(other);
}

/** The registrable domain of a host; the host itself where names below it belong to different people. */
export function siteOf(host: string): string {
  const name = toHostname(host);
  const site = getDomain(name, BY_NAME) ?? name;
  return SHARED_HOSTING.includes(site) ? name : site;
}

/** Lower case, no port, no trailing dot (a fully qualified name is the same name). */
function toHostname(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d{1,5}$/, "")
    .replace(/\.$/, "");
}
