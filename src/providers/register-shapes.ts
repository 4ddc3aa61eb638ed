/** All shapes of registers, by hand: one that is not in this list cannot be configured. */
import { datex2Energy } from "#providers/datex2_energy/index.ts";
import { datex2Parking } from "#providers/datex2_parking/index.ts";
import { irve } from "#providers/irve/index.ts";
import { ocpiBulk } from "#providers/ocpi_bulk/index.ts";
import { oicp } from "#providers/oicp/index.ts";
import { parkapi } from "#providers/parkapi/index.ts";
import type { RegisterShape } from "#providers/register-shape.ts";

export const SHAPES: readonly RegisterShape[] = [
  ...[datex2Energy, datex2Parking, irve],
  ...[ocpiBulk, oicp, parkapi],
];

export function findShape(id: string): RegisterShape | undefined {
  return SHAPES.find((shape) => shape.id === id);
}
