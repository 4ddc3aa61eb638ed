/** What the kinds of results have in common when one is found again by its id (get_place). */
import type { PlaceRecord } from "../tool-records.ts";
import type { AnswerOf, RequestedOperation, ToolCall, ToolDeps } from "../tool.ts";

type Answer = AnswerOf<"get_place">;
type Point = { lat: number; lon: number };

/** Who describes it; `observed_at`: when the publisher made it, null: it does not say. */
export type Described = Answer["provenance"][number];

export type PlaceMatch = {
  kind: "found";
  record: PlaceRecord;
  reported: Pick<Answer, "status" | "message" | "notices">;
  query_origin: Point;
  /** Of the operation; null: of the point, now. */
  local: { local_time: string; time_zone: string } | null;
  provenance: readonly Described[];
  /** Ids of all sources of what is shown. */
  sources: readonly string[];
  freshness: Partial<Answer["freshness"]>;
  max_age_s: number | null;
  requested: readonly RequestedOperation[];
};

export type PlaceMissing = {
  kind: "missing";
  /** Of the circle that was searched. */
  radius_m: number;
  /** Sentences about sources that could not be asked: empty, all that could know it were. */
  unknown: readonly string[];
  /** No source of the circle is the one that the id names. */
  elsewhere?: boolean;
  requested: readonly RequestedOperation[];
};

/** The id alone does not say where it is. */
type PlaceUnplaced = { kind: "unplaced" };

/** `at`: where to look; null: the id alone is given. */
export type FindPlace = (
  deps: ToolDeps,
  one: { id: string; at: Point | null },
  query: ToolCall,
) => Promise<PlaceMatch | PlaceMissing | PlaceUnplaced>;
