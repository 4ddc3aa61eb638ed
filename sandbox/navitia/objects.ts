// Navitia's objects by depth: modes from 2 on, lines from 3 on, equipments of stop points from 1 on
// (mobility.md 4.1). Numbers of coordinates are texts.
import type { Point } from "../geo.ts";
import { partsServing } from "../gtfs/parts.ts";
import { hash, pick } from "../rng.ts";
import { toTown } from "../world/towns.ts";
import { effective } from "../world/transit-access.ts";
import type { Line, TransitMode, TransitStation } from "../world/transit-model.ts";
import { stationIdOf } from "../world/transit-stops.ts";
import { type Spot, stopAreaIdOf } from "./spots.ts";

type Mode = readonly [id: string, name: string];

/** The second word of a mode is that of every third line. */
const MODES: Readonly<Record<TransitMode, readonly [Mode, Mode]>> = {
  bus: [
    ["Bus", "Bus"],
    ["BusRapidTransit", "Bus à haut niveau de service"],
  ],
  tram: [
    ["Tramway", "Tramway"],
    ["Tramway", "Tramway"],
  ],
  metro: [
    ["Metro", "Métro"],
    ["Metro", "Métro"],
  ],
  rail: [
    ["LocalTrain", "Train régional / TER"],
    ["LongDistanceTrain", "Train grande vitesse"],
  ],
  rapid_transit: [
    ["RapidTransit", "Train de banlieue / RER"],
    ["RapidTransit", "Train de banlieue / RER"],
  ],
  ferry: [
    ["Ferry", "Ferry"],
    ["Boat", "Navette maritime / fluviale"],
  ],
  coach: [
    ["Coach", "Autocar"],
    ["Coach", "Autocar"],
  ],
  cable_transport: [
    ["Funicular", "Funiculaire"],
    ["SuspendedCableCar", "Téléphérique"],
  ],
};

type NamedRow = { readonly id: string; readonly name: string };

export const physicalModeOf = ({ mode, key }: Line): NamedRow => {
  const [id, name] = pick(MODES[mode], hash(key, 91) % 3 === 0 ? 1 : 0);
  return { id: `physical_mode:${id}`, name };
};

const commercialModeOf = (line: Line): NamedRow => {
  const { id, name } = physicalModeOf(line);
  return { id: id.replace("physical_mode", "commercial_mode"), name };
};

export const linesAt = ({ station, platform }: Spot): readonly Line[] =>
  platform === null
    ? station.lines
    : station.lines.filter((line) =>
        [...line.outbound, ...line.back].some(
          (call) => call.station === station.index && call.platform === platform.index,
        ),
      );

export function printSpot(spot: Spot, depth: number): unknown {
  const { type, id, name, station } = spot;
  const common = {
    id,
    name,
    label: labelOf(spot),
    coord: coordOf(spot),
    links: [],
    ...(depth >= 1 ? { administrative_regions: [printCity(station)] } : {}),
  };
  if (type === "poi")
    return { ...common, poi_type: { id: "poi_type:amenity:kiosk", name: "Kiosk" }, properties: {} };
  return {
    ...common,
    ...(type === "stop_area" ? { timezone: station.city.timezone } : {}),
    ...(depth >= 1 ? deeper(spot) : {}),
    ...(depth >= 2 ? modesAt(spot) : {}),
    ...(depth >= 3 ? { lines: linesAt(spot).map((line) => printLine(line, station)) } : {}),
  };
}

/** Returns the label; some names contain the town already. */
export const labelOf = ({ name, station: { city } }: Spot): string =>
  name.endsWith(`(${city.name})`) ? name : `${name} (${city.name})`;

const coordOf = ({ lat, lon }: Point): unknown => ({ lat: lat.toFixed(6), lon: lon.toFixed(6) });

const printCity = ({ city }: TransitStation): unknown => ({
  id: `admin:${city.country.toLowerCase()}:${city.id}`,
  name: city.name,
  level: 8,
  label: `${city.name}, ${toTown(city).region.local}`,
  insee: "",
  zip_code: "",
  coord: coordOf(city),
});

/** The id in the feed that the region was built from. */
const sourceIdOf = (station: TransitStation): string =>
  stationIdOf(station, partsServing(station)[0] ?? 0);

/** A stop area says nothing of wheelchairs, a stop point only that there is a way. */
function deeper({ station, platform, name }: Spot): object {
  if (platform === null) return { codes: [{ type: "source", value: sourceIdOf(station) }] };
  const equipments = effective(station, platform) === "yes" ? ["has_wheelchair_boarding"] : [];
  return { equipments, stop_area: { id: stopAreaIdOf(station), name, links: [] } };
}

function modesAt(spot: Spot): object {
  const lines = linesAt(spot);
  return {
    physical_modes: distinct(lines.map(physicalModeOf)),
    commercial_modes: distinct(lines.map(commercialModeOf)),
  };
}

const distinct = (list: readonly NamedRow[]): NamedRow[] => [
  ...new Map(list.map((each) => [each.id, each])).values(),
];

export const lineIdOf = ({ index }: Line, { city }: TransitStation): string =>
  `line:${city.id.slice(0, 3).toUpperCase()}:${index + 1}`;

export const networkIdOf = ({ operator }: Line, { city }: TransitStation): string =>
  `network:${city.id.slice(0, 3).toUpperCase()}:${operator.id}`;

function printLine(line: Line, station: TransitStation): unknown {
  const { operator, short_name, long_name, color, text_color } = line;
  return {
    id: lineIdOf(line, station),
    code: short_name,
    name: long_name === "" ? short_name : long_name,
    color,
    text_color,
    links: [],
    opening_time: "050000",
    closing_time: "003000",
    network: {
      id: networkIdOf(line, station),
      name: operator.name,
      links: [],
    },
    commercial_mode: commercialModeOf(line),
    physical_modes: [physicalModeOf(line)],
  };
}
