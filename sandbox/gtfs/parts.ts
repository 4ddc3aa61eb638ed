// In which feeds of its city a station is served.
import type { Line, Part, TransitStation } from "../world/transit-model.ts";

export const partsServing = ({ lines }: TransitStation): Part[] =>
  ([0, 1] as const).filter((part) => lines.some((line) => line.parts.includes(part)));

export const linesIn = ({ lines }: TransitStation, part: Part): Line[] =>
  lines.filter((line) => line.parts.includes(part));
