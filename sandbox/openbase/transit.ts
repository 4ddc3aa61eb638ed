// Stops, stations, entrances and tracks of the timetables. Stations of trains and metros are points of
// interest too, and are drawn with those.
import { layTrack } from "../world/tracks.ts";
import { modesOf, type Line, type Network, type TransitStation } from "../world/transit-model.ts";
import { type Drawing, toPosition } from "./drawing.ts";

type Tags = Readonly<Record<string, string>>;

const TRACKS: Partial<Record<Line["mode"], string>> = {
  tram: "tram",
  metro: "subway",
  rail: "rail",
  rapid_transit: "light_rail",
};

/** Of stations that are no point of interest, by the first of its modes. */
const FORMS: Partial<Record<Line["mode"], Tags>> = {
  bus: { amenity: "bus_station" },
  coach: { amenity: "bus_station" },
  tram: { railway: "tram_stop" },
  ferry: { amenity: "ferry_terminal" },
  cable_transport: { aerialway: "station" },
};

const PLATFORMS: Partial<Record<Line["mode"], Tags>> = {
  bus: { highway: "bus_stop" },
  coach: { highway: "bus_stop" },
};

/** `named`: keys of the stations that are drawn already. */
export function drawTransit(
  { stations, lines }: Network,
  names: ReadonlySet<number>,
  drawing: Drawing,
): void {
  for (const station of stations)
    if (station.lines.length > 0) drawStation(station, names, drawing);
  for (const line of lines) {
    const { mode, short_name, color } = line;
    const railway = TRACKS[mode];
    if (railway === undefined) continue;
    const tags = {
      railway,
      ...(short_name === "" ? {} : { ref: short_name }),
      ...(color === "" ? {} : { colour: `#${color}` }),
    };
    drawing.line(layTrack(line, stations), tags);
  }
}

function drawStation(station: TransitStation, names: ReadonlySet<number>, drawing: Drawing): void {
  const { name, form, key, platforms, entrances, wheelchair } = station;
  const ramp: Tags = wheelchair === "unknown" ? {} : { wheelchair };
  if (form === "pole") {
    const tags = { highway: "bus_stop", public_transport: "platform", name, ...ramp };
    return void drawing.node(toPosition(station), tags);
  }
  const mode = modesOf(station)[0] ?? "bus";
  if (!names.has(key)) {
    const tags = { public_transport: "station", ...FORMS[mode], name, ...ramp };
    drawing.node(toPosition(station), tags);
  }
  for (const platform of platforms) {
    const { code, mode: of } = platform;
    const own = PLATFORMS[of] ?? (TRACKS[of] === undefined ? {} : { railway: "platform" });
    const tags = { public_transport: "platform", ...own, name, ref: code };
    drawing.node(toPosition(platform), tags);
  }
  for (const entrance of entrances) drawing.node(toPosition(entrance), { entrance: "main" });
}
