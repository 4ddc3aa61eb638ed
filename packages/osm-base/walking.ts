/** Ways on foot in their parts: nearest edge, search and graph, for those who measure them. */
export { openWalk, type WalkGraph } from "./walk/walk-graph.ts";
export { joinWalkMetas } from "./walk/islands.ts";
export type { WalkMeta } from "./walk/walk-layout.ts";
export { createWalkSection } from "./walk/walk-section.ts";
export { WalkSearch } from "./walk/walk-search.ts";
export { createSnapBudget, snap, type Snap } from "./walk/snap.ts";
export { findDoors, metresBetween } from "./walk/doors.ts";
export { SearchMemories } from "./walk/search-memory.ts";
export { MAX_SNAP_M, Walker } from "./walk/walker.ts";
export { MARK, marksOf, walkedOf } from "./walk/walk-rules.ts";
