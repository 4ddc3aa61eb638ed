/**
 * Links that a changelog may carry (§4.13: public HTTPS only). Decided here: a host by its name and
 * on the scheme's own port. A number names no publisher, public or not, and another port is a
 * service that its owner has not put in front of people.
 */
import { CHANGELOG_LINK_CHARS } from "#api/changelog.ts";
import { CONTROL_OR_BIDI } from "#kit/uris.ts";

/** Special-use names (RFC 6761, 6762, 7686, 8375, 9476) and those that private networks use. */
const PRIVATE_DOMAINS = [
  ...["localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home"],
  ...["lan", "test", "example", "invalid", "onion", "alt", "arpa"],
];

/** Why the link is not safe, in words; null: it is. */
export function findLinkFault(text: string): string | null {
  if (text.length > CHANGELOG_LINK_CHARS) return `longer than ${CHANGELOG_LINK_CHARS} characters`;
  if (CONTROL_OR_BIDI.test(text) || /[\s\\]/.test(text))
    return "it holds blanks, backslashes or control characters";
  if (!text.startsWith("https://")) return "only https:// is allowed";
  const url = URL.parse(text);
  if (url === null) return "it is no URL";
  if (url.username !== "" || url.password !== "" || /^https:\/\/[^/?#]*@/.test(text))
    return "it carries credentials";
  if (url.port !== "") return `the port ${url.port} is not that of https`;
  return findHostFault(url.hostname);
}

function findHostFault(host: string): string | null {
  if (host.startsWith("[") || /^[0-9.]+$/.test(host)) return "the host is an address, not a name";
  const labels = host.split(".");
  if (labels.length < 2) return `the host ${host} is no public name`;
  if (labels.includes("")) return `the host ${host} has an empty part`;
  const domain = labels.at(-1) as string;
  return PRIVATE_DOMAINS.includes(domain) ? `.${domain} is no public domain` : null;
}
