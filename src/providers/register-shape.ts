/**
 * A shape in which registers of car parks and charging points are published. An operator names
 * registers by address and shape (`sources.registers`); each is a source of its own, with a static half
 * that is read whole now and then, and a live half that is polled while callers ask near it
 * (docs/registers.md).
 */
import type { LiveState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { Companions, LookupSettings } from "#providers/lookup.ts";
import type { Auth } from "#providers/provider.ts";

/** Settings of one register, as its entry in `sources.registers` has them. */
export type RegisterSettings = LookupSettings & {
  /** Of the register: `source_id` of its places. */
  id: string;
  /** As people know it. */
  name: string;
  /** Of the live half; null: the document of the static half has both. */
  live_url: string | null;
  auth: Auth | null;
  /** What has to be shown with its places; null: nothing. */
  attribution: string | null;
  /** Two upper-case letters: where all of it lies; null: not stated. */
  country: string | null;
};

type ReadOptions = { settings: RegisterSettings; trail: TrailRecorder; companions?: Companions };

/** Pure functions from bytes; what is dropped goes to the trail with its reason. */
export type RegisterShape = {
  /** Of `shape` in the configuration. */
  id: string;
  /** As people know the format. */
  name: string;
  kind: "parking" | "charging";
  /** How often each half is worth reading where the operator says nothing, seconds. */
  renew_s: number;
  refresh_s: number;
  /** It reads tariffs of a document of their own as companions; absent: its publishers have none. */
  reads_tariffs?: true;
  /**
   * Places of a document, each with `live` where the live half may know it; null instead of a row that
   * was dropped; null at once: the document is not of this shape, or says that it failed.
   */
  readPlaces(body: Uint8Array, options: ReadOptions): Iterable<Place | null> | null;
  /** Likewise the states, of doubled ids all of them; null: this shape has no live half. */
  readStates:
    | ((body: Uint8Array, options: ReadOptions) => Iterable<LiveState | null> | null)
    | null;
  /** Finds the next page of a document that names it in its body; null: it names none. */
  nextPage?(body: Uint8Array): string | null;
};
