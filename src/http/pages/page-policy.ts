/** What a page may load and do (reliability 4.9), as the header fields every page and asset has. */

/** `plain`: nothing on the page becomes markup or a script, so that it needs no trusted type. */
export type Strictness = "strict" | "plain";

/** Policies that a page may make: the one of explorer/page/script-url.js, or none. */
const TRUSTED_TYPES = { strict: "vicinity", plain: "'none'" } as const;

/**
 * `origins`: of the style, which the page may load from; `framers`: origins whose pages may show it in a
 * frame, and no others.
 */
export function toPolicy(
  strictness: Strictness,
  origins: readonly string[],
  framers: readonly string[] = [],
): readonly string[] {
  const framing = framers.length === 0 ? UNFRAMED : FRAMED;
  return ["content-security-policy", toCsp(strictness, origins, framers), ...ALWAYS, ...framing];
}

function toCsp(
  strictness: Strictness,
  origins: readonly string[],
  framers: readonly string[],
): string {
  const hosts = ["'self'", ...origins].join(" ");
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${hosts} data:`,
    `connect-src ${hosts}`,
    `font-src ${hosts}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framers.length === 0 ? "'none'" : framers.join(" ")}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES[strictness]}`,
  ];
  return directives.join("; ");
}

/** Of the service worker, which fetches from its own origin, and does nothing else. */
export const WORKER_POLICY: readonly string[] = [
  ...["content-security-policy", "default-src 'none'; connect-src 'self'"],
  ...["cross-origin-resource-policy", "same-origin", "referrer-policy", "no-referrer"],
];

/** Of what is part of a page. */
export const LIGHT: readonly string[] = ["cross-origin-resource-policy", "same-origin"];

const ALWAYS = [
  ...["referrer-policy", "no-referrer"],
  ...["permissions-policy", "geolocation=(self), camera=(), microphone=(), payment=(), usb=()"],
  ...["cross-origin-opener-policy", "same-origin"],
] as const;

const UNFRAMED = [
  "cross-origin-resource-policy",
  "same-origin",
  "x-frame-options",
  "DENY",
] as const;
/** `X-Frame-Options` has no word for some origins. */
const FRAMED = ["cross-origin-resource-policy", "cross-origin"] as const;
