// What a feed calls its routes and trips. Two feeds that publish one line number its trips apart.
import { type Trip, type Way } from "../world/transit-runs.ts";
import type { Line, Part } from "../world/transit-model.ts";

export const routeIdOf = ({ index, mode }: Pick<Line, "index" | "mode">): string =>
  `${mode.slice(0, 2)}-${index + 1}`;

export const tripIdOf = ({ line }: Pick<Way, "line">, { index }: Trip, part: Part): string =>
  part === line.part
    ? `${routeIdOf(line)}:${index + 1}`
    : `own_${(line.index + 1) * 10_000 + index * 3}`;
