/**
 * Makes a record fit into an answer: its longest lists are halved, then its largest members are left
 * out, and both are named.
 */
import { SHOWN } from "#api/agent-results.ts";
import { sizeAtPlace, sizeOf } from "./brief.ts";
import type { PlaceRecord } from "./tool-records.ts";

type Members = Record<string, unknown>;
type Member = { holder: Members; name: string; path: string; size: number };

/** Without these it is no result. */
const KEPT: ReadonlySet<string> = new Set(["kind", "id", "name", "location", "distance_meters"]);
/** Objects whose members are looked at one by one. */
const OPENED: ReadonlySet<string> = new Set(["attributes"]);
/** Bytes of a list that is not worth halving. */
const SHORT_LIST = 400;
/** An object within an object within a member, such as connectors, and no deeper. */
const DEEPEST = 3;

/** Returns the answer that `around` makes of the record and of what is missing of it. */
export function shorten<T extends object>(
  record: PlaceRecord,
  around: (place: PlaceRecord, omitted: readonly string[]) => T,
): T {
  const place = structuredClone(record);
  const omitted = new Set<string>();
  for (;;) {
    const answer = around(place, [...omitted]);
    if (sizeAtPlace(answer) <= SHOWN.bytes_max) return answer;
    const list = largest(listsOf(place));
    const member = list ?? largest(droppableOf(place));
    if (!member) return answer;
    if (list) list.holder[list.name] = halve(list.holder[list.name] as unknown[]);
    else Reflect.deleteProperty(member.holder, member.name);
    omitted.add(member.path);
  }
}

function halve(list: readonly unknown[]): unknown[] {
  return list.slice(0, Math.ceil(list.length / 2));
}

function largest(members: readonly Member[]): Member | undefined {
  return members.toSorted((a, b) => b.size - a.size)[0];
}

function listsOf(holder: Members, prefix = "", depth = 0): Member[] {
  return Object.entries(holder).flatMap(([name, value]): Member[] => {
    const path = OPENED.has(name) ? prefix : `${prefix}${name}`;
    if (Array.isArray(value)) {
      const size = sizeOf(value);
      return value.length > 1 && size > SHORT_LIST ? [{ holder, name, path, size }] : [];
    }
    if (typeof value !== "object" || value === null || depth === DEEPEST) return [];
    return listsOf(value as Members, path === "" ? "" : `${path}.`, depth + 1);
  });
}

function droppableOf(holder: Members): Member[] {
  return Object.entries(holder).flatMap(([name, value]): Member[] => {
    if (KEPT.has(name)) return [];
    if (OPENED.has(name)) return droppableOf(value as Members);
    return [{ holder, name, path: name, size: sizeOf(value) }];
  });
}
