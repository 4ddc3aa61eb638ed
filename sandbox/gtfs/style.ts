// How each feed is written: what real publishers do to a GTFS archive, one habit or another per feed.
import type { City } from "../world/model.ts";
import type { Network, Part } from "../world/transit-model.ts";
import type { Timetable } from "../world/transit-runs.ts";
import { feedIdOf } from "../world/transit-stops.ts";
import type { World } from "../world/world.ts";
import type { ZipStyle } from "./zip.ts";

export type FeedStyle = ZipStyle & {
  /** With a slash at its end, or "". */
  readonly folder: string;
  readonly bom: boolean;
  readonly crlf: boolean;
  /** Every field in quotes. */
  readonly quoted: boolean;
  /** Optional columns that say nothing are left out. */
  readonly lean: boolean;
  /** Poles name parent stations that are not in the file. */
  readonly dangling: boolean;
  /** Descriptions with commas, quotes and line breaks. */
  readonly wordy: boolean;
  /** `unnamed`: its only agency has no id. `unsaid`: routes do not repeat the only one. */
  readonly agency: "named" | "unsaid" | "unnamed";
  /** Files that are none of GTFS's, and the leavings of a desktop. */
  readonly junk: boolean;
  /** Rows of stop_times do not follow one another by trip. */
  readonly scattered: boolean;
  /** Calls have headsigns of their own. */
  readonly via: boolean;
  /** The first call is not for leaving and the last not for boarding: it says so. */
  readonly ends: boolean;
  /** It says which times are only about then. */
  readonly rough: boolean;
  /** It has the ways within stations, and their levels. */
  readonly inside: boolean;
};

const PLAIN: FeedStyle = {
  method: "deflate",
  streamed: false,
  folder: "",
  bom: false,
  crlf: false,
  quoted: false,
  lean: false,
  dangling: false,
  wordy: false,
  agency: "named",
  junk: false,
  scattered: false,
  via: false,
  ends: false,
  rough: false,
  inside: true,
};

const STYLES: Readonly<Record<string, Partial<FeedStyle>>> = {
  paris: { bom: true, wordy: true },
  "paris-rail": { folder: "gtfs/", agency: "unsaid" },
  london: { crlf: true, lean: true },
  berlin: { dangling: true },
  "berlin-rail": { streamed: true },
  madrid: { bom: true, crlf: true, method: "store", scattered: true },
  warsaw: { streamed: true, quoted: true, ends: true },
  "new-york": { folder: "new-york transit/", junk: true },
  "new-york-rail": { wordy: true, crlf: true },
  "mexico-city": { lean: true, inside: false },
  "sao-paulo": { method: "store", quoted: true, bom: true },
  tokyo: { via: true },
  "tokyo-rail": { agency: "unnamed", lean: true, inside: false },
  sydney: { wordy: true, quoted: true, rough: true },
  "cape-town": { dangling: true, crlf: true },
  taveuni: { method: "store", lean: true, inside: false },
};

export type Feed = {
  readonly id: string;
  readonly city: City;
  readonly part: Part;
  readonly style: FeedStyle;
  network(): Network;
  timetable(): Timetable;
};

export const listFeeds = (world: World): Feed[] =>
  world.cities.flatMap((city) =>
    world.getNetwork(city).parts.map((part) => {
      const id = feedIdOf(city, part);
      const style = { ...PLAIN, ...STYLES[id] };
      return {
        id,
        city,
        part,
        style,
        network: () => world.getNetwork(city),
        timetable: () => world.getTimetable(city),
      };
    }),
  );
