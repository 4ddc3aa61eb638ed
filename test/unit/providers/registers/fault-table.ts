/** A document with one fault of the field, and what a register makes of it. */
import type { LiveState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { RegisterSettings, RegisterShape } from "#providers/register-shape.ts";
import { LiveStates } from "#upstream/registers/live-states.ts";

export type Fault = {
  /** What is wrong, in words of the field. */
  fault: string;
  shape: RegisterShape;
  document: string | Uint8Array<ArrayBuffer>;
  settings?: Partial<RegisterSettings>;
} & (
  | { half: "places"; check(read: Read<Place>): void }
  | { half: "states"; check(read: Read<LiveState>): void }
);

/** `values` null: the document was refused as a whole. `reasons`: why rows were dropped, each once. */
export type Read<T> = { values: T[] | null; reasons: string[]; repairs: string[] };

export const SETTINGS: RegisterSettings = {
  id: "register_test",
  name: "Test register",
  url: "https://register.example/places",
  live_url: "https://register.example/states",
  timeout_ms: 1_000,
  auth: null,
  attribution: null,
  country: null,
};

export function readFault(fault: Fault): Read<Place> & Read<LiveState> {
  const { shape, document, half } = fault;
  const body = typeof document === "string" ? new TextEncoder().encode(document) : document;
  const trail = createTrail();
  const options = { settings: { ...SETTINGS, ...fault.settings }, trail };
  const rows =
    half === "places"
      ? shape.readPlaces(body, options)
      : (shape.readStates?.(body, options) ?? null);
  const read = rows && [...rows].filter((row) => row !== null);
  const values = read && half === "states" ? keptStates(read as LiveState[], trail) : read;
  const { dropped, repaired } = trail.toTrail();
  return {
    values: values as (Place & LiveState)[] | null,
    reasons: dropped.map(({ reason }) => reason),
    repairs: repaired.map(({ reason }) => reason),
  };
}

/** 2100: no state is ahead of it. */
const NOW_S = 4_102_444_800;

/** Those that are kept of the sites that have them, as a live half does. */
export function keptStates(read: readonly LiveState[], trail: TrailRecorder): LiveState[] {
  const states = new LiveStates();
  const builder = states.builder(
    NOW_S,
    () => true,
    () => undefined,
  );
  for (const state of read) {
    const taken = builder.add(state);
    if (typeof taken === "string") trail.drop(taken, state.id);
  }
  builder.finish(NOW_S * 1_000);
  // In the order of the document.
  const ids = new Set(read.map(({ id }) => id));
  return [...ids].map((id) => states.find(id, NOW_S * 1_000, Number.POSITIVE_INFINITY)!.state);
}
