/** What a page may load and do (reliability 4.9), as the header fields every page and asset has. */

/** `docs`: the library of the API reference writes styles into its markup. */
export type Strictness = "strict" | "docs";

/** Of the pages: its worker's address and escaped text, and nothing else, becomes markup or code. */
export const TRUSTED_TYPES = "vicinity";

export function toPolicy(strictness: Strictness, origins: readonly string[]): readonly string[] {
  return ["content-security-policy", toCsp(strictness, origins), ...ALWAYS];
}

function toCsp(strictness: Strictness, origins: readonly string[]): string {
  const hosts = ["'self'", ...origins].join(" ");
  const docs = strictness === "docs";
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    docs ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    `img-src ${hosts} data:`,
    `connect-src ${hosts}`,
    `font-src ${hosts}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${docs ? "lit-html" : TRUSTED_TYPES}`,
  ];
  return directives.join("; ");
}

const ALWAYS = [
  ...["referrer-policy", "no-referrer"],
  ...["permissions-policy", "geolocation=(self), camera=(), microphone=(), payment=(), usb=()"],
  ...["cross-origin-opener-policy", "same-origin"],
  ...["cross-origin-resource-policy", "same-origin"],
  ...["x-frame-options", "DENY"],
] as const;
