/**
 * Deep links of publishers, before they are shown (reliability 4.9): parsed by URL and written out
 * again, https or an app's own scheme, never one that runs or reads something.
 */
const MAX_LENGTH = 2_048;
const APP_SCHEME = /^[a-z][a-z0-9+.-]{1,63}:$/;
export const CONTROL_OR_BIDI = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const INTENT_PACKAGE = /#Intent;(?:.*;)?package=[A-Za-z][\w.]*;/;

/** `http:` is here since a web page without TLS is no app; the rest acts on the viewer's device. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(
  ["javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source"]
    .concat(["ws", "wss", "ftp", "http"])
    .map((scheme) => `${scheme}:`),
);

/** The link as it may be published, or null. */
export function cleanDeepLink(kind: "web" | "android" | "ios", value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
  const text = value.trim();
  if (CONTROL_OR_BIDI.test(text)) return null;
  const url = URL.parse(text);
  if (!url || !isAllowed(kind, url)) return null;
  return url.href.length <= MAX_LENGTH ? url.href : null;
}

/** Returns the scheme of an app's own that a link has, without the colon; null: none that may be used. */
export function appSchemeOf(text: string | null): string | null {
  // What is registered is often a bare `scheme://`, which is a link, too.
  const protocol = URL.parse(text ?? "")?.protocol ?? "https:";
  if (protocol === "https:" || protocol === "intent:" || REFUSED_SCHEMES.has(protocol)) return null;
  return APP_SCHEME.test(protocol) ? protocol.slice(0, -1) : null;
}

function isAllowed(kind: "web" | "android" | "ios", url: URL): boolean {
  // A user name before the host makes one site look like another.
  if (url.protocol === "https:") return url.username === "" && url.password === "";
  if (kind === "web" || REFUSED_SCHEMES.has(url.protocol)) return false;
  if (url.protocol === "intent:") return INTENT_PACKAGE.test(url.href);
  return APP_SCHEME.test(url.protocol);
}
