/** Rows of a register put together by what they are of, with a few numbers for each and no object. */

/** Rows in the order of their groups: those of the nth from `starts[n]` to before `starts[n + 1]`. */
export type RowGroups = { starts: Uint32Array; order: Uint32Array };

/** The group of a row that is in none. */
export const NO_GROUP = -1;

/** `group_of`: number of the group of each row, or NO_GROUP; `groups`: how many there are. */
export function toGroups(group_of: Int32Array, groups: number): RowGroups {
  const starts = new Uint32Array(groups + 1);
  for (const group of group_of) if (group !== NO_GROUP) starts[group + 1]! += 1;
  for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
  const order = new Uint32Array(starts[groups]!);
  const next = starts.slice();
  for (const [index, group] of group_of.entries())
    if (group !== NO_GROUP) order[next[group]!++] = index;
  return { starts, order };
}

/** Indexes of the rows of a group. */
export function rowsOfGroup({ starts, order }: RowGroups, group: number): Uint32Array {
  return order.subarray(starts[group], starts[group + 1]);
}
