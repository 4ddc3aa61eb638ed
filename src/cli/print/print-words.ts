/** How values are written for people. Unknown is a dash, never 0 and never blank. */
export const UNKNOWN = "–";

/** Grouped digits: 12 345. */
export function count(value: number | null): string {
  return value === null ? UNKNOWN : value.toLocaleString("en").replaceAll(",", " ");
}

export function metres(value: number | undefined): string {
  if (value === undefined) return UNKNOWN;
  return value < 1_000 ? `${Math.round(value)} m` : `${(value / 1_000).toFixed(1)} km`;
}

const SPANS = [
  { unit: "s", s: 1, below: 100 },
  { unit: "min", s: 60, below: 6_000 },
  { unit: "h", s: 3_600, below: 172_800 },
  { unit: "d", s: 86_400, below: Infinity },
] as const;

/** `12 s`, `4 min`, `30 h`, `12 d`. */
export function age(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return UNKNOWN;
  const whole = Math.max(0, seconds);
  const span = SPANS.find(({ below }) => whole < below);
  return span ? `${Math.floor(whole / span.s)} ${span.unit}` : UNKNOWN;
}

/** Seconds between an RFC 3339 time and now; null when the time is unknown. */
export function secondsSince(time: string | null | undefined, now_ms: number): number | null {
  const at = time ? Date.parse(time) : NaN;
  return Number.isNaN(at) ? null : (now_ms - at) / 1_000;
}
