/** Where the timetable of a feed comes from, as a configuration or a catalogue names it. */
import type { Box } from "#kit/geo.ts";
import type { LiveSettings } from "./live-transit.ts";

/** Location of a feed, and what a catalogue says of it. */
export type FeedOrigin = {
  id: string;
  path: string | null;
  url: string | null;
  region: string | null;
  box: Box | null;
  realtime: boolean | null;
  alerts: boolean | null;
  /** Its live data; null: none are configured. */
  live: LiveSettings | null;
  /** Its address was written by a catalogue, not by the operator. */
  strict?: boolean;
  /** A command has imported it from there; absent: it is looked after here. */
  imported_from?: string;
  /** Its stations outside are left out; absent, null: none are. */
  bbox?: Box | null;
};
