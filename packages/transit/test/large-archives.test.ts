/** Archives beyond 2^31 and 2^32 bytes: sizes and places in 64 bits, of entries that are holes on the disk. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { importGtfs } from "../archive/import-archive.ts";
import { openArchive } from "../archive/open-archive.ts";
import { ZipFileWriter } from "../../../test/support/zip-file.ts";

const folder = mkdtempSync(join(tmpdir(), "vicinity-large-"));
after(() => rmSync(folder, { recursive: true }));

const FILES: Readonly<Record<string, string>> = {
  "agency.txt": "agency_name,agency_timezone\nLines,Europe/Paris\n",
  "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\na,A,48,2\nb,B,48.1,2\n",
  "routes.txt": "route_id,route_type\n1,3\n",
  "trips.txt": "trip_id,route_id,service_id\nt,1,s\n",
  "calendar.txt":
    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ns,1,1,1,1,1,1,1,20260101,20261231\n",
  "stop_times.txt":
    "trip_id,stop_id,stop_sequence,arrival_time,departure_time\nt,a,1,8:00:00,8:00:00\nt,b,2,9:00:00,9:00:00\n",
};
const OPTIONS = { feed_id: "f", region: null, now_ms: 5 };
const SIZES = [2 ** 31 - 1, 2 ** 31, 2 ** 31 + 5, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5, 2 ** 33 + 5];

/** An archive whose first entry has this size, before all that is read. */
async function archiveBehind(size: number): Promise<string> {
  const path = join(folder, `${size}.zip`);
  const zip = await ZipFileWriter.create(path);
  await zip.hole("shapes.txt", size);
  for (const [name, text] of Object.entries(FILES)) await zip.add(name, [Buffer.from(text)]);
  await zip.close();
  return path;
}

for (const size of SIZES)
  test(`entries behind ${size} bytes are read, and that one has its size`, async () => {
    const path = await archiveBehind(size);
    assert.ok(statSync(path).size > size);
    const archive = await openArchive({ path });
    assert.equal(archive.files.get("shapes.txt")!.size, size);
    await archive.close();
    const result = await importGtfs({ path }, OPTIONS);
    assert.ok(result.ok, result.ok ? "" : result.problem);
    assert.deepEqual([result.report.stations, result.report.stop_times], [2, 2]);
    rmSync(path);
  });

test("of entries that are fetched the bounds hold for such sizes as for others", async () => {
  const path = await archiveBehind(2 ** 32 + 5);
  for (const [limit, most] of [
    ["file_bytes", 2 ** 32],
    ["total_bytes", 2 ** 32 + 5],
  ] as const) {
    const result = await importGtfs({ path }, { ...OPTIONS, limits: { [limit]: most } });
    assert.equal(
      result.ok ? "" : result.problem.replace(/^.*: /, ""),
      `unpacks to more than ${most} bytes`,
    );
  }
});
