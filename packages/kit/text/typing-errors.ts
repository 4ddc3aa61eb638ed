/**
 * Counts letters put in, left out, replaced, or exchanged with their neighbour between two words; above
 * `allowed` for anything more. `other`: the units of its text, as indexes keep their words.
 */
export function errorsBetween(word: string, other: Uint16Array, allowed: number): number {
  const [n, m] = [word.length, other.length];
  if (Math.abs(n - m) > allowed) return allowed + 1;
  let [before, last, row] = [new Uint8Array(m + 1), new Uint8Array(m + 1), new Uint8Array(m + 1)];
  for (let j = 0; j <= m; j++) last[j] = j;
  for (let i = 1; i <= n; i++) {
    const unit = word.charCodeAt(i - 1);
    row[0] = i;
    let least = i;
    for (let j = 1; j <= m; j++) {
      const same = unit === other[j - 1];
      let value = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && unit === other[j - 2] && word.charCodeAt(i - 2) === other[j - 1])
        value = Math.min(value, before[j - 2]! + 1);
      row[j] = value;
      least = Math.min(least, value);
    }
    if (least > allowed) return allowed + 1;
    [before, last, row] = [last, row, before];
  }
  return last[m]!;
}
