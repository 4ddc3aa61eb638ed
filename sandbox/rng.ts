// Deterministic numbers: the same parts always give the same number, in any order of asking.
// Nothing in the simulator draws from a stream, so a world can be computed at any moment alone.

/** A 32-bit number from integers, each mixed in with the finaliser of mulberry32. */
export function hash(...parts: readonly number[]): number {
  let h = 0x9e3779b9;
  for (const part of parts) h = mix(h ^ Math.imul(part | 0, 0x85ebca6b));
  return h >>> 0;
}

/** A number in [0, 1). */
export const unit = (...parts: readonly number[]): number => hash(...parts) / 4294967296;

/** An integer from `low` to `high`, both included. */
export const between = (low: number, high: number, ...parts: readonly number[]): number =>
  low + (hash(...parts) % (high - low + 1));

/** The 32-bit hash of a text (FNV-1a over UTF-16 units). */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** The element at `index`, wrapping round: tables are never too short. */
export function pick<T>(list: readonly T[], index: number): T {
  const match = list[((index % list.length) + list.length) % list.length];
  if (match === undefined) throw new Error("pick: the list is empty");
  return match;
}

/** Lower-case hexadecimal digits, eight per round. */
export function hex(digits: number, ...parts: readonly number[]): string {
  let text = "";
  for (let round = 0; text.length < digits; round += 1)
    text += hash(...parts, 0x6e, round)
      .toString(16)
      .padStart(8, "0");
  return text.slice(0, digits);
}

/** A version 4 UUID in form; its bits come from the parts. */
export function uuid(...parts: readonly number[]): string {
  const h = hex(32, ...parts);
  const variant = pick(["8", "9", "a", "b"], Number.parseInt(h.slice(16, 17), 16));
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`;
}

function mix(state: number): number {
  let t = (state + 0x6d2b79f5) | 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return t ^ (t >>> 14);
}
