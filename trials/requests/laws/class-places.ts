/** Places by class: each is of a class that was asked for, and the nearest are first. */
import type { Question } from "../verdict.ts";
import type { Point } from "./geo.ts";
import { findListProblem, WHOLE_M } from "./lists.ts";
import { type OnFoot, secondsOf } from "./walks.ts";

type Place = OnFoot & {
  id: string;
  place_class: string;
  name: string;
  location: Point;
  distance_meters: number;
};
export type ClassAnswer = {
  status: string;
  total: number;
  summary: Record<string, number>;
  results: Place[];
};

export function findClassProblem(
  { lat, lon, applied, values }: Question,
  { total, summary, results }: ClassAnswer,
): string | null {
  const classes = values["classes"] as string[];
  for (const { id, place_class, name } of results)
    if (!classes.includes(place_class) || name.trim() === "") return `${place_class} ${id}`;
  const counted = Object.values(summary).reduce((sum, each) => sum + each, 0);
  if (counted !== total || results.length > total) return `${total} of ${counted}`;
  const around = { lat, lon, radius: applied.radius, values };
  const listed = results.map((place) => ({
    id: place.id,
    location: place.location,
    distance: place.distance_meters,
    rank: 0,
    seconds: secondsOf(around, place),
  }));
  return findListProblem(around, listed, WHOLE_M);
}
