// The simulated world as an extract of the open map: what its other hosts answer from, as one file.
import { createSheets as createMapSheets } from "../openmap/elements.ts";
import { type PbfObject, toPbf } from "../pbf/encode.ts";
import { type Gazetteer, listSpots } from "../world/gazetteer.ts";
import { toTown } from "../world/towns.ts";
import type { World } from "../world/world.ts";
import { drawAddresses } from "./addresses.ts";
import { drawAreas, drawCountry } from "./areas.ts";
import { createSheets } from "./drawing.ts";
import { drawGrounds } from "./grounds.ts";
import { drawDocks, drawServices } from "./services.ts";
import { drawStreets } from "./streets.ts";
import { drawTransit } from "./transit.ts";

/** Lists the objects of all cities: nodes, ways, relations, each by id. */
export function listObjects(world: World): PbfObject[] {
  const sheets = createSheets();
  const maps = createMapSheets(world)();
  const bounds = new Map<string, Parameters<typeof drawCountry>>();
  for (const [index, city] of world.cities.entries()) {
    const drawing = sheets.ofCity(city);
    const network = world.getNetwork(city);
    const spots = spotsOf(world, city);
    // First those whose ids a server answers with.
    drawServices(maps[index]!, drawing);
    drawDocks(world, city, drawing);
    const members = drawAreas(spots, drawing);
    const streets = drawStreets(world.getStreets(city), drawing);
    drawAddresses(spots, drawing, streets.drawNamed);
    drawTransit(network, new Set(spots.pois.map(({ key }) => key)), drawing);
    drawGrounds(city, world.seed, drawing);
    streets.drawOthers();
    const [town, entry] = bounds.get(city.country) ?? [spots.town, []];
    bounds.set(city.country, [town, [...entry, ...members], drawing]);
  }
  for (const country of bounds.values()) drawCountry(...country);
  return sheets.list();
}

const spotsOf = (world: World, city: World["cities"][number]): Gazetteer =>
  listSpots(toTown(city), {
    seed: world.seed,
    stations: world.getNetwork(city).stations,
    services: world.listServices(city),
  });

/** Encodes the world as an `.osm.pbf` file. */
export const openBaseExtract = (world: World, { data_at_s }: { data_at_s: number }): Buffer =>
  toPbf(listObjects(world), { data_at_s, program: "vicinity sandbox", level: 1 });
