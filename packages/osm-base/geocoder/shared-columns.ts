/** Columns in memory that threads share. */
import type { Columns, PackColumn } from "#kit/pack.ts";

/** Copies of columns in shared memory; what is there already is not copied. */
export function toSharedColumns(columns: Columns): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, toSharedColumn(column)]),
  );
}

/** Whether other threads can have all of the columns without a copy. */
export function isShared(columns: Columns): boolean {
  return Object.values(columns).every(({ buffer }) => buffer instanceof SharedArrayBuffer);
}

function toSharedColumn(column: PackColumn): PackColumn {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const type = column.constructor as new (buffer: SharedArrayBuffer) => PackColumn;
  const copy = new type(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
}
