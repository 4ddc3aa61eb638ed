/** GBFS documents of any size, as text that is made row by row. */
const FILES = [
  "gbfs",
  "gbfs_versions",
  "system_information",
  "vehicle_types",
  "station_information",
  "station_status",
  "free_bike_status",
  "system_alerts",
  "geofencing_zones",
] as const;
export type FileName = (typeof FILES)[number];
/** What a system publishes in place of its healthy files. */
export type Files = Partial<Record<FileName, Buffer>>;
export type Place = { lat: number; lon: number };

export const MB = 1024 * 1024;
/** Just below what a file may have. */
export const NEARLY_ALL_BYTES = 31.5 * MB;

/** A document whose one list has rows until either bound is met. */
export function listOf(
  member: string,
  row: (index: number) => string,
  { rows = Infinity, bytes = NEARLY_ALL_BYTES }: { rows?: number; bytes?: number },
): Buffer {
  const parts = [`${head()}"${member}":[`];
  let length = parts[0]!.length;
  for (let i = 0; i < rows && length < bytes; i++) {
    const text = `${i === 0 ? "" : ","}${row(i)}`;
    parts.push(text);
    length += text.length;
  }
  parts.push("]}}");
  return Buffer.from(parts.join(""));
}

export function documentOf(data: string): Buffer {
  return Buffer.from(`${head()}${data}}}`);
}

function head(): string {
  const last_updated = Math.floor(Date.now() / 1000) - 5;
  return `{"last_updated":${last_updated},"ttl":15,"version":"2.3","data":{`;
}

/** A small system in good health: ten stations and five scooters within 300 m. */
export function healthyFiles(base: string, place: Place, name: string): Files {
  const names = FILES.filter((file) => file !== "gbfs" && file !== "gbfs_versions");
  const feeds = names.map((file) => ({ name: file, url: `${base}/${file}.json` }));
  const indexes = Array.from({ length: 10 }, (_, i) => i);
  const text = JSON.stringify;
  const at = (i: number): string =>
    `"lat":${(place.lat + i * 0.0002).toFixed(6)},"lon":${(place.lon + i * 0.0002).toFixed(6)}`;
  const stations = indexes.map(
    (i) => `{"station_id":"s${i}","name":${text(`${name} station ${i}`)},${at(i)},"capacity":10}`,
  );
  const statuses = indexes.map(
    (i) =>
      `{"station_id":"s${i}","num_bikes_available":3,"num_docks_available":7,` +
      `"is_installed":1,"is_renting":1,"is_returning":1}`,
  );
  const bikes = indexes
    .slice(0, 5)
    .map((i) => `{"bike_id":"v${i}",${at(i)},"is_reserved":0,"is_disabled":0}`);
  const list = (member: string, rows: readonly string[]): Buffer =>
    documentOf(`"${member}":[${rows.join()}]`);
  return {
    gbfs: documentOf(`"en":{"feeds":${text(feeds)}}`),
    system_information: documentOf(
      `"system_id":${text(name)},"language":"en","name":${text(name)},"timezone":"UTC"`,
    ),
    vehicle_types: list("vehicle_types", [
      `{"vehicle_type_id":"b","form_factor":"bicycle","propulsion_type":"human"}`,
    ]),
    station_information: list("stations", stations),
    station_status: list("stations", statuses),
    free_bike_status: list("bikes", bikes),
    system_alerts: list("alerts", []),
    geofencing_zones: documentOf(`"geofencing_zones":{"type":"FeatureCollection","features":[]}`),
  };
}
