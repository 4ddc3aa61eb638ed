// How ways are mapped, and what is there.
import type { Footing, Style, Tags } from "./model.ts";

const of = (footing: Footing, tags: Tags): Style => ({ footing, tags });

export const CONNECTOR = of("free", { highway: "footway", surface: "paving_stones" });
export const DRIVE = of("free", { highway: "service", service: "driveway" });

export const LANES: readonly Style[] = [
  of("free", { highway: "residential" }),
  of("free", { highway: "residential", surface: "asphalt" }),
  of("free", { highway: "residential" }),
  of("free", { highway: "unclassified" }),
  of("free", { highway: "living_street" }),
  of("free", { highway: "footway", surface: "asphalt" }),
  of("doubt", { highway: "residential", surface: "cobblestone" }),
  of("free", { highway: "service" }),
];

/** Short cuts through blocks. */
export const PATHS: readonly Style[] = [
  of("free", { highway: "footway", surface: "asphalt" }),
  of("doubt", { highway: "footway" }),
  of("doubt", { highway: "path", surface: "ground" }),
  of("steps", { highway: "steps", incline: "up" }),
  of("free", { highway: "steps", "ramp:wheelchair": "yes" }),
  of("steps", { highway: "steps", conveying: "forward" }),
  of("steps", { highway: "footway", surface: "paving_stones", wheelchair: "no" }),
  of("doubt", { highway: "footway", surface: "asphalt", wheelchair: "limited" }),
  of("free", { highway: "footway", wheelchair: "yes" }),
  of("doubt", { highway: "footway", surface: "asphalt", incline: "9%" }),
  of("doubt", { highway: "footway", surface: "asphalt", width: "0.7" }),
  of("closed", { highway: "service", access: "private" }),
  of("free", { highway: "service", access: "private", foot: "yes" }),
  of("closed", { highway: "footway", foot: "no" }),
  of("closed", { highway: "construction", construction: "footway" }),
  of("free", { highway: "cycleway" }),
  of("closed", { highway: "cycleway", foot: "use_sidepath" }),
  of("doubt", { highway: "track" }),
  of("closed", { highway: "motorway_link" }),
];

/** Ways from one side of a named street to another. */
export const CROSSINGS: readonly Style[] = [
  of("free", { highway: "footway", footway: "crossing", kerb: "lowered" }),
  of("doubt", { highway: "footway", footway: "crossing", surface: "asphalt" }),
  of("free", { highway: "footway", footway: "crossing", kerb: "flush" }),
  of("steps", { highway: "footway", footway: "crossing", kerb: "raised" }),
];

/** What is in the middle of a path. */
export const BARRIERS: readonly Style[] = [
  of("free", { barrier: "bollard" }),
  of("closed", { barrier: "gate", access: "private" }),
  of("steps", { barrier: "stile" }),
  of("doubt", { barrier: "cycle_barrier" }),
  of("free", { barrier: "gate", access: "private", foot: "yes" }),
  of("steps", { barrier: "kerb", kerb: "raised" }),
  of("free", { highway: "elevator" }),
  of("steps", { highway: "elevator", wheelchair: "no" }),
];

/** Where a street has led over the river. */
export const GATE = of("closed", { barrier: "gate", access: "private" });

export const BRIDGES = {
  road: of("free", { highway: "tertiary", bridge: "yes", layer: "1" }),
  foot: of("free", { highway: "footway", surface: "wood", bridge: "yes", layer: "1" }),
  stairs: of("steps", { highway: "steps", incline: "up" }),
} as const;

export const SQUARE: Tags = { highway: "pedestrian", area: "yes" };

export const INDOORS = {
  stairs: of("steps", { highway: "steps", indoor: "yes", level: "-1;0" }),
  escalator: of("steps", { highway: "steps", conveying: "yes", level: "-1;0" }),
  hall: of("free", { highway: "corridor", indoor: "yes", level: "-1", surface: "concrete" }),
  down: of("steps", { highway: "steps", indoor: "yes", level: "-2;-1" }),
  platform: of("free", { railway: "platform", level: "-2", surface: "paving_stones" }),
  bare_platform: of("doubt", { railway: "platform", level: "-2" }),
  below: of("free", { highway: "footway", indoor: "yes", level: "-2", surface: "concrete" }),
  lift: of("free", { highway: "elevator", level: "-2;-1;0" }),
} as const;
