/** The hostile feeds of the security review and their relatives, by name. */
import {
  documentOf,
  type Files,
  healthyFiles,
  listOf,
  MB,
  NEARLY_ALL_BYTES,
  type Place,
} from "./wire.ts";

type Site = { base: string; place: Place; name: string };
export type HostileCase = {
  what: string;
  /** The neighbour, a system of the same name at the same place, publishes it as well. */
  both?: true;
  /** It is there when the program starts: what it is about is read once an hour at most. */
  from_start?: true;
  /** In place of the healthy files of the site. */
  make(site: Site): Files;
};

const ids = (count: number, idOf: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => `"${idOf(i)}"`).join();
const at = ({ lat, lon }: Place, spread = 0): string => {
  const off = (): number => (Math.random() - 0.5) * spread;
  return `"lat":${(lat + off()).toFixed(6)},"lon":${(lon + off()).toFixed(6)}`;
};
const station = (id: string, name: string, place: Place, spread = 0): string =>
  `{"station_id":"${id}","name":${JSON.stringify(name)},${at(place, spread)},"capacity":10}`;
const bike = (id: string, place: Place, spread = 0): string =>
  `{"bike_id":"${id}",${at(place, spread)},"is_reserved":0,"is_disabled":0}`;
const alert = (index: number, stations: string, type = "OTHER"): string =>
  `{"alert_id":"a${index}","type":"${type}","summary":"x","station_ids":[${stations}]}`;

export const CASES: Readonly<Record<string, HostileCase>> = {
  "alerts with stations": {
    what: "20,000 alerts of 100 stations each",
    make: () => ({
      system_alerts: listOf(
        "alerts",
        (i) =>
          alert(
            i,
            ids(100, (s) => `s${s}`),
          ),
        { rows: 20_000 },
      ),
    }),
  },
  "closures of stations": {
    what: "10,000 alerts that close the same 100 stations",
    make: ({ place }) => ({
      station_information: listOf("stations", (i) => station(`s${i}`, `S ${i}`, place, 0.004), {
        rows: 100,
      }),
      system_alerts: listOf(
        "alerts",
        (i) =>
          alert(
            i,
            ids(100, (s) => `s${s}`),
            "STATION_CLOSURE",
          ),
        { rows: 10_000 },
      ),
    }),
  },
  "closures at the bound": {
    what: "1,000 alerts that close the same 200 of 2,000 stations",
    make: ({ place }) => ({
      station_information: listOf("stations", (i) => station(`s${i}`, `S ${i}`, place, 0.02), {
        rows: 2_000,
      }),
      system_alerts: listOf(
        "alerts",
        (i) =>
          alert(
            i,
            ids(200, (s) => `s${s}`),
            "STATION_CLOSURE",
          ),
        { rows: 1_000 },
      ),
    }),
  },
  "stations at one point": {
    what: "60,000 stations at one point, with a neighbour of the same name",
    make: ({ place }) => ({
      station_information: listOf("stations", (i) => station(`s${i}`, `S ${i}`, place), {
        rows: 60_000,
      }),
    }),
  },
  "stations of one name": {
    what: "two systems of one name, each with 2,000 stations of one name at one point",
    both: true,
    make: ({ place }) => ({
      station_information: listOf("stations", (i) => station(`s${i}`, "Same", place), {
        rows: 2_000,
      }),
    }),
  },
  "names of blanks": {
    what: "600 stations with names of 4,080 blanks",
    make: ({ place }) => ({
      station_information: listOf(
        "stations",
        (i) => station(`s${i}`, `a${" ".repeat(4_080)}b${i}`, place, 0.004),
        { rows: 600 },
      ),
    }),
  },
  "empty rows": {
    what: "31.5 MB of {}",
    make: () => ({ free_bike_status: listOf("bikes", () => "{}", {}) }),
  },
  "large discovery": {
    what: "a discovery document of 30 MB",
    from_start: true,
    make: ({ base, place, name }) => {
      const text = healthyFiles(base, place, name).gbfs!.toString();
      return { gbfs: Buffer.from(text.replace("{", `{"x":[${"1,".repeat(15 * MB)}1],`)) };
    },
  },
  "large versions": {
    what: "a list of versions of 30 MB",
    from_start: true,
    make: ({ base, place, name }) => {
      const text = healthyFiles(base, place, name).gbfs!.toString();
      const entry = `"feeds":[{"name":"gbfs_versions","url":"${base}/gbfs_versions.json"},`;
      return {
        gbfs: Buffer.from(text.replace('"feeds":[', entry)),
        gbfs_versions: listOf("versions", () => `{"version":"2.3","url":"${base}/gbfs.json"}`, {}),
      };
    },
  },
  "many alerts": {
    what: "280,000 alerts",
    make: () => ({ system_alerts: listOf("alerts", (i) => alert(i, ""), { rows: 280_000 }) }),
  },
  "vehicles in one circle": {
    what: "250,000 vehicles within a few hundred metres",
    make: ({ place }) => ({
      free_bike_status: listOf("bikes", (i) => bike(`v${i}`, place, 0.004), { rows: 250_000 }),
    }),
  },
  "vehicles at one point": {
    what: "250,000 vehicles at one point: all at one distance",
    make: ({ place }) => ({
      free_bike_status: listOf("bikes", (i) => bike(`${"v".repeat(40)}${i}`, place), {
        rows: 250_000,
      }),
    }),
  },
  "many stations": {
    what: "250,000 stations within 20 km, with their status and an alert on 200 of them",
    make: ({ place }) => ({
      station_information: listOf("stations", (i) => station(`s${i}`, `S ${i}`, place, 0.3), {
        rows: 250_000,
      }),
      station_status: listOf("stations", (i) => `{"station_id":"s${i}","num_bikes_available":1}`, {
        rows: 250_000,
      }),
      system_alerts: listOf(
        "alerts",
        (i) =>
          alert(
            i,
            ids(200, (s) => `s${s * 1000}`),
          ),
        {
          rows: 1,
        },
      ),
    }),
  },
  "many vehicle types": {
    what: "20 MB of vehicle types",
    make: () => ({
      vehicle_types: listOf(
        "vehicle_types",
        (i) => `{"vehicle_type_id":"t${i}","form_factor":"bicycle","name":"${"n".repeat(900)}"}`,
        { bytes: 20 * MB },
      ),
    }),
  },
  "types at one station": {
    what: "100,000 vehicle types available at one station, and as many capacities",
    make: ({ place }) => {
      const types = listOfTypes(100_000);
      const row = station("s0", "S", place).replace(
        "}",
        `,"vehicle_types_capacity":[${types}],"vehicle_docks_capacity":[${types}]}`,
      );
      return {
        station_information: documentOf(`"stations":[${row}]`),
        station_status: documentOf(
          `"stations":[{"station_id":"s0","num_bikes_available":1,"vehicle_types_available":[${types}]}]`,
        ),
      };
    },
  },
  "deep nesting": {
    what: "31 million opening brackets",
    make: () => ({ free_bike_status: Buffer.from("[".repeat(31 * MB)) }),
  },
  "keys of their own": {
    what: "249,999 objects, each with members that no other has",
    make: () => ({
      free_bike_status: listOf("bikes", (i) => `{"a${i}":{"b${i}":{"c${i}":{"d${i}":{}}}}}`, {
        rows: 249_999,
      }),
    }),
  },
  "large zones": {
    what: "31 MB of rings",
    make: () => ({
      geofencing_zones: documentOf(
        `"geofencing_zones":{"type":"FeatureCollection","features":[{"type":"Feature",` +
          `"properties":{},"geometry":{"type":"MultiPolygon","coordinates":[[[` +
          `${"[1.5,2.5],".repeat(3 * MB)}[1.5,2.5]]]]}}]}`,
      ),
    }),
  },
  "one long text": {
    what: "a name of 31 MB",
    make: ({ place }) => ({
      station_information: documentOf(
        `"stations":[${station("s0", "n".repeat(NEARLY_ALL_BYTES), place)}]`,
      ),
    }),
  },
};

function listOfTypes(count: number): string {
  return Array.from({ length: count }, (_, i) => `{"vehicle_type_id":"t${i}","count":1}`).join();
}
