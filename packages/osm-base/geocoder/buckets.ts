/** Rows of a table by a number that each has. */

/** Rows of number i are rows[starts[i]] .. rows[starts[i + 1]], ascending. */
export type Buckets = { starts: Uint32Array; rows: Uint32Array };

/** Numbers are below `count`; rows whose number is below 0 are in no bucket. */
export function bucketsOf(numbers: ArrayLike<number>, count: number): Buckets {
  const starts = new Uint32Array(count + 1);
  for (let row = 0; row < numbers.length; row++)
    if (numbers[row]! >= 0) starts[numbers[row]! + 1]!++;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  const rows = new Uint32Array(starts[count]!);
  const next = starts.slice();
  for (let row = 0; row < numbers.length; row++)
    if (numbers[row]! >= 0) rows[next[numbers[row]!]!++] = row;
  return { starts, rows };
}

export function rowsOf({ starts, rows }: Buckets, i: number): Uint32Array {
  return rows.subarray(starts[i], starts[i + 1]);
}
