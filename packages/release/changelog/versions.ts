/** Semantic versions of releases, three numbers each (packages/api/changelog). */

/** Negative: a is the older one. Both must have the form. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [toNumbers(a), toNumbers(b)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function toNumbers(version: string): number[] {
  return version.split(".").map(Number);
}
