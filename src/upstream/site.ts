/**
 * "Same registrable domain" for reliability 4.5 rule 4. Pure.
 *
 * A rule and a short table instead of the public suffix list. Where they disagree the rule is
 * the stricter one (`co.<country>` counts as a suffix everywhere); what slips through is a sibling
 * under a suffix missing here, which must still be a public address.
 */
import { isIP } from "node:net";

/** Second-level labels under which countries register names (`co.uk`, `com.br`, `gouv.fr`). */
const SECOND_LEVEL = new Set(
  "ac ad asso blog co com ed edu firm gen go gob gob gouv gov govt gv id ind info lg ltd me mil mod muni name ne net nhs nom ntr or org plc pp press priv pro pvt sch school tm web".split(
    " ",
  ),
);

/** Hosting shared by strangers: below these only the very same host is the same site. */
const SHARED_HOSTING = [
  "amazonaws.com",
  "appspot.com",
  "awsapprunner.com",
  "azure-api.net",
  "azureedge.net",
  "azurefd.net",
  "azurewebsites.net",
  "b-cdn.net",
  "backblazeb2.com",
  "cloudapp.net",
  "cloudflarestorage.com",
  "cloudfront.net",
  "cloudfunctions.net",
  "deno.dev",
  "digitaloceanspaces.com",
  "duckdns.org",
  "elasticbeanstalk.com",
  "fastly.net",
  "firebaseapp.com",
  "fly.dev",
  "github.io",
  "githubusercontent.com",
  "gitlab.io",
  "googleapis.com",
  "googleusercontent.com",
  "herokuapp.com",
  "linodeobjects.com",
  "netlify.app",
  "ngrok-free.app",
  "ngrok.app",
  "ngrok.io",
  "onrender.com",
  "ondigitalocean.app",
  "ovh.net",
  "pages.dev",
  "r2.dev",
  "railway.app",
  "run.app",
  "scw.cloud",
  "sharepoint.com",
  "supabase.co",
  "surge.sh",
  "trafficmanager.net",
  "vercel.app",
  "wasabisys.com",
  "web.app",
  "windows.net",
  "workers.dev",
];

/** True when `host` belongs to the site of `other`. Both may carry a port, which is ignored. */
export function isSameSite(host: string, other: string): boolean {
  const [a, b] = [toHostname(host), toHostname(other)];
  return a !== "" && (a === b || toSite(a) === toSite(b));
}

/** What stands for all hosts of one site. */
export function siteOf(host: string): string {
  return toSite(toHostname(host));
}

/** The registrable domain; the whole name where names below it belong to different people. */
function toSite(hostname: string): string {
  if (isIP(hostname) !== 0 || hostname.startsWith("[")) return hostname;
  if (SHARED_HOSTING.some((suffix) => hostname.endsWith(`.${suffix}`))) return hostname;
  const labels = hostname.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  const depth = top.length === 2 && SECOND_LEVEL.has(second) ? 3 : 2;
  return labels.slice(-depth).join(".");
}

/** Lower case, no port, no trailing dot (a fully qualified name is the same name). */
function toHostname(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d{1,5}$/, "")
    .replace(/\.$/, "");
}
