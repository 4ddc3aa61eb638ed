/** Binary search in an ascending column. */

/** Place of the first value from `from` to before `to` that is not less; `to`: there is none. */
export function lowerBound(
  column: Int32Array | Uint32Array | Float64Array,
  value: number,
  from = 0,
  to: number = column.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
