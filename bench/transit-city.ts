/** A made city of stops and bus lines, as files of GTFS. */
import { createRng } from "./world.ts";

export const CENTRE = { lat: 48.8566, lon: 2.3522 };
/** Degrees from one edge to the other. */
export const SPREAD = 0.12;
const STOPS = 1_500;
export const LINES = 100;
export const STOPS_A_LINE = 30;

export type City = { stops: { lat: number; lon: number }[]; lines: number[][] };

/** Stops at random, and lines that go from one to another near it. */
export function createCity(): City {
  const rng = createRng(7);
  const stops = Array.from({ length: STOPS }, () => ({
    lat: CENTRE.lat + (rng() - 0.5) * SPREAD,
    lon: CENTRE.lon + (rng() - 0.5) * SPREAD,
  }));
  const lines = Array.from({ length: LINES }, () => {
    const first = Math.floor(rng() * STOPS);
    const order = [...new Set(Array.from({ length: 60 }, () => Math.floor(rng() * STOPS)))];
    return [first, ...order.filter((stop) => stop !== first)].slice(0, STOPS_A_LINE);
  });
  return { stops, lines };
}

/** Files of a timetable of the city, with about `calls` calls. */
export function textsOf(city: City, id: string, calls: number): Record<string, string> {
  const trips = Math.ceil(calls / (LINES * 2 * STOPS_A_LINE));
  const rows: Record<string, string[]> = {
    agency: [
      "agency_id,agency_name,agency_url,agency_timezone",
      "A,Agency,https://a.example,Europe/Paris",
    ],
    routes: ["route_id,agency_id,route_short_name,route_type"],
    stops: ["stop_id,stop_name,stop_lat,stop_lon"],
    calendar: [
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
      "D,1,1,1,1,1,1,1,20260101,20271231",
    ],
    trips: ["trip_id,route_id,service_id,trip_headsign"],
    stop_times: ["trip_id,arrival_time,departure_time,stop_id,stop_sequence"],
  };
  city.stops.forEach(({ lat, lon }, i) =>
    rows["stops"]!.push(`${id}-${i},Stop ${i} ${id},${lat.toFixed(6)},${lon.toFixed(6)}`),
  );
  city.lines.forEach((stops, line) => {
    rows["routes"]!.push(`${line},A,${id} ${line},3`);
    for (const way of [0, 1])
      for (let trip = 0; trip < trips; trip++) {
        const trip_id = `${line}-${way}-${trip}`;
        rows["trips"]!.push(`${trip_id},${line},D,To ${way}`);
        const start_s = 5 * 3_600 + Math.floor((trip * 19 * 3_600) / trips);
        // Slower in the rush: three sets of times.
        const step_s = 90 + 15 * (trip % 3);
        (way === 0 ? stops : stops.toReversed()).forEach((stop, n) => {
          const at = toClock(start_s + n * step_s);
          rows["stop_times"]!.push(`${trip_id},${at},${at},${id}-${stop},${n + 1}`);
        });
      }
  });
  return Object.fromEntries(
    Object.entries(rows).map(([name, lines]) => [`${name}.txt`, `${lines.join("\n")}\n`]),
  );
}

function toClock(s: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(s / 3_600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}
