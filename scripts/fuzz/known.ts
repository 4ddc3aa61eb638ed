/** Defects of the service that are known and not mended yet: what the fuzz looks away from. */
export const KNOWN = {
  /** Whether a body is worth compressing is decided by its characters, not by its bytes. */
  coding_by_characters: true,
  /** A `q` of 200 letters of four bytes makes an address that egress refuses: 502, then 503 for all. */
  long_address: true,
} as const satisfies Readonly<Record<string, boolean>>;
