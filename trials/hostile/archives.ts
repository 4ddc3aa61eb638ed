/** Timetable archives that are too much: read at the start of the program, which must outlive them. */
import { makeZip } from "../../test/support/zip.ts";

/** A GTFS archive with that number of stops and little else: a few megabytes of zip for each million. */
export function makeArchive(stops: number): Buffer {
  const rows = function* (): Generator<string> {
    yield "stop_id,stop_name,stop_lat,stop_lon\n";
    for (let i = 0; i < stops; i++) yield `s${i},Stop ${i},${(i % 90) + 0.5},${i % 180}\n`;
  };
  const files = {
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone\na,A,https://a.example/,Etc/UTC\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
    "trips.txt": "route_id,service_id,trip_id\nr,s,t\n",
    "stop_times.txt":
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,s0,1\n",
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n" +
      "s,1,1,1,1,1,1,1,20260101,20271231\n",
  };
  const entries = Object.entries(files).map(([name, data]) => ({ name, data }));
  return makeZip([...entries, { name: "stops.txt", data: joined(rows()) }]);
}

function joined(rows: Iterable<string>): Buffer {
  const parts: Buffer[] = [];
  let batch: string[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < 100_000) continue;
    parts.push(Buffer.from(batch.join("")));
    batch = [];
  }
  return Buffer.concat([...parts, Buffer.from(batch.join(""))]);
}
