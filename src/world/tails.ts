/**
 * Rendered ends of items. What an item says after its counts follows from its system, its state
 * (packages/stations/shard/bits) and the members it shares with its like (packages/stations/shard/shard-repeats) alone; a system has a
 * handful of each at a time, and each end is rendered once.
 */
import { INTENTS } from "#api/nearby-items.ts";
import { MODES } from "#stations/entities.ts";
import { VEHICLE_CONFIDENCE } from "#stations/identity/vehicle-pairs.ts";
import type { ResolutionStatus } from "#stations/identity/resolve.ts";
import { getField, RESOLVED, bitsText } from "#stations/shard/bits.ts";
import { type StateAction, action, describeState } from "#core/nearby/action-state.ts";
import { originJson } from "#stations/shard/shard-origin.ts";
import { gapsOf, type RepeatedTexts } from "#stations/shard/shard-repeats.ts";
import { readText } from "#kit/bytes.ts";
import type { StaticsMeta } from "#stations/shard/shard-statics.ts";

export type Tail = {
  bytes: Buffer;
  /** Where in `bytes` what follows the resolution begins: from the comma before `network`. */
  after_resolution: number;
  /** Bit per context action (intent × mode), for `available_actions`. */
  actions: number;
  /** Where in `bytes` the publisher's id of the thing goes, and how long it is. */
  gaps: readonly number[];
  id_bytes: number;
};

export type Tails = { of(state: number): Tail };

/** The report is followed (R9). */
const HOURS_CONFLICT = {
  field: "is_renting",
  value: true,
  others: [{ field: "opening_hours", value: "closed" }],
};
const STATION_FIELDS = ["name", "location", "capacity"];
const ACTION_MODES = MODES.length - 1;

/** `repeats`: of the pack whose items these are. */
export function createTails(meta: StaticsMeta, repeats: RepeatedTexts): Tails {
  const cache = new Map<number, Tail>();
  // Neighbours are mostly in the state of the one before.
  let last = -1;
  let tail: Tail;
  return {
    of(state) {
      if (state === last) return tail;
      tail = cache.get(state) ?? renderTail(meta, state, repeats);
      cache.set(state, tail);
      last = state;
      return tail;
    },
  };
}

/** Actions of a mask, unique, ordered by intent, then mode (R10). */
export function actionsOf(mask: number): StateAction[] {
  const actions: StateAction[] = [];
  OFFERED.forEach((intent, i) => {
    for (let m = 0; m < ACTION_MODES; m++) {
      if ((mask >> (i * ACTION_MODES + m)) & 1) actions.push(action(intent, MODES[m]!));
    }
  });
  return actions;
}

/** Intents shared mobility can offer (R10: depart and arrive never), six times four bits. */
const OFFERED = INTENTS.filter((intent) => intent !== "depart" && intent !== "arrive");

/** Holds the place of the shared members while an end is composed: no JSON text has it. */
const PLACE = "\u0001";

function renderTail(meta: StaticsMeta, state: number, repeats: RepeatedTexts): Tail {
  const text = bitsText(state);
  const item = describeState(state);
  const whole = getField(state, "vehicle")
    ? vehicleTail(meta, item, getField(state, "resolved"))
    : stationTail(meta, item, state);
  const [before = "", after = ""] = whole.split(PLACE);
  const shared = text === -1 ? "" : readText(repeats.texts, text);
  const bytes = Buffer.from(before + shared + after);
  const shift = Buffer.byteLength(before);
  const gaps = text === -1 ? [] : Array.from(gapsOf(repeats, text), (gap) => gap + shift);
  let actions = 0;
  for (const { intent, mode } of item.context_actions) {
    const m = MODES.indexOf(mode);
    if (m < ACTION_MODES)
      actions |= 1 << ((OFFERED as readonly string[]).indexOf(intent) * ACTION_MODES + m);
  }
  const id_bytes = repeats.id_bytes[text] ?? 0;
  return { bytes, after_resolution: bytes.indexOf(AFTER_RESOLUTION), actions, gaps, id_bytes };
}

const AFTER_RESOLUTION = `,"network":`;

/** Continues the provenance item that the middle began (packages/stations/shard/shard-status). */
function stationTail(
  meta: StaticsMeta,
  item: ReturnType<typeof describeState>,
  state: number,
): string {
  const fields = getField(state, "no_status")
    ? STATION_FIELDS
    : [...STATION_FIELDS, "availability"];
  const listed = getField(state, "listed") ? { vehicles_listed: true } : {};
  const rest = {
    conflicts: getField(state, "hours_conflict") ? [HOURS_CONFLICT] : [],
    resolution_status: "unresolved",
    network: meta.network,
    ...listed,
    ...item,
  };
  return `,${originJson(meta, fields)}}],${JSON.stringify(rest).slice(1, -1)}${PLACE}}`;
}

/** R11: status and confidence of a vehicle. */
function resolutionOf(resolved: number): { resolution_status: ResolutionStatus } {
  if (resolved === RESOLVED.no) return { resolution_status: "unresolved" };
  const resolution_status = resolved === RESOLVED.merged ? "merged" : "possible_match";
  return {
    resolution_status,
    ...{ resolution_confidence: VEHICLE_CONFIDENCE[resolution_status] },
  };
}

/** Closes `source`, which the head began with id, location and distance; `conflicts` are last (world/render). */
function vehicleTail(
  meta: StaticsMeta,
  item: ReturnType<typeof describeState>,
  resolved: number,
): string {
  const rest = {
    network_id: meta.network.id,
    canonical_id: null,
    entity_source: "svc",
    ...resolutionOf(resolved),
    conflicts: [],
  };
  const source = JSON.stringify({ source_kind: "gbfs", ...item });
  return `,${source.slice(1, -1)}${PLACE}},${JSON.stringify(rest).slice(1)}`;
}
