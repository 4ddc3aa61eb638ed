/**
 * Archives and texts that must not be imported: each gets one line that says what and where, and
 * nothing is handed back. All of them from memory and from a file, since both are read in their own way.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { openFeed } from "../../schedule/feed-pack.ts";
import { fetchBounds } from "../../gtfs/gtfs-bounds.ts";
import { importGtfs, type ImportOptions } from "../../archive/import-archive.ts";
import { SMALL } from "../../../../test/support/gtfs.ts";
import { makeZip, zipOf, type ZipEntry, type ZipLies } from "../../../../test/support/zip.ts";
import { sized } from "../../../../test/support/size.ts";

const OPTIONS: ImportOptions = { feed_id: "f", region: null, now_ms: 5 };
const folder = mkdtempSync(join(tmpdir(), "gtfs-hostile-"));
after(() => rmSync(folder, { recursive: true }));

const ENTRIES: readonly ZipEntry[] = Object.entries(SMALL).map(([name, data]) => ({ name, data }));
const withEntry = (entry: ZipEntry, lies?: ZipLies): Buffer => makeZip([...ENTRIES, entry], lies);
/** One entry of the small feed with other properties. */
const changed = (name: string, change: Partial<ZipEntry>): Buffer =>
  makeZip(ENTRIES.map((entry) => (entry.name === name ? { ...entry, ...change } : entry)));
const text = (name: string, data: string | Uint8Array): Buffer => zipOf({ ...SMALL, [name]: data });
const without = (name: string): Buffer => makeZip(ENTRIES.filter((entry) => entry.name !== name));
const good = makeZip(ENTRIES);
const packedStops = deflateRawSync(Buffer.from(SMALL["stops.txt"]!));
const zeros = Buffer.alloc(20 << 20);

type HostileCase = [
  what: string,
  bytes: Uint8Array,
  problem: RegExp,
  options?: Partial<ImportOptions>,
];

const ARCHIVES: readonly HostileCase[] = [
  ["nothing", new Uint8Array(0), /^zip archive: .*Either not a zip file, or file is truncated/],
  ["a web page", Buffer.from("<!doctype html><p>404"), /^zip archive: .*not a zip file/],
  ["half an archive", good.subarray(0, good.length >> 1), /^zip archive: .*truncated/],
  ["an archive without its beginning", good.subarray(100), /^zip archive: /],
  [
    "more bytes after the archive than a comment could be",
    Buffer.concat([good, Buffer.alloc(200_000)]),
    /^zip archive: /,
  ],
  ["an archive of nothing", makeZip([]), /^stops\.txt: not in the archive$/],
  [
    "a name that climbs",
    withEntry({ name: "../x", data: "" }),
    /^zip archive: '\.\.\/x' leads out/,
  ],
  [
    "a name that climbs later",
    withEntry({ name: "a/../../x", data: "" }),
    /leads out of the archive$/,
  ],
  ["a name that climbs backwards", withEntry({ name: "..\\x", data: "" }), /'\.\.\/x' leads out/],
  [
    "an absolute name",
    withEntry({ name: "/etc/passwd", data: "" }),
    /'\/etc\/passwd' has an absolute/,
  ],
  ["a drive", withEntry({ name: "C:\\x", data: "" }), /'C:\/x' has a drive in its name$/],
  ["a zero in a name", withEntry({ name: "stops.txt\0.png", data: "" }), /has control characters/],
  [
    "an escape in a name",
    withEntry({ name: "\u001b[2J", data: "", flags: 0x800 }),
    /^zip archive: '\?\[2J' has control/,
  ],
  ["no name", withEntry({ name: "", data: "" }), /'' has no name$/],
  ["an encrypted file", changed("stops.txt", { flags: 1 }), /'stops\.txt' is encrypted$/],
  [
    "strong encryption",
    changed("stops.txt", { flags: 0x41 }),
    /strong encryption is not supported$/,
  ],
  [
    "very many entries",
    makeZip(Array.from({ length: 2_001 }, (_, i) => ({ name: `${i}`, data: "" }))),
    /^zip archive: more than 2000 entries$/,
  ],
  ["a lie about the number of entries", makeZip(ENTRIES, { entryCount: 60_000 }), /more than 2000/],
  ["more entries declared than there are", makeZip(ENTRIES, { entryCount: 9 }), /^zip archive: /],
  [
    "a file too large",
    changed("stops.txt", { size: 3 * 1024 ** 3 }),
    /'stops\.txt': unpacks to more than 2147483648 bytes$/,
  ],
  [
    "files too large together",
    makeZip(
      [1, 2, 3].map((i) => ({
        name: `${i}`,
        data: "",
        size: 2 ** 31 - 1,
        packed: 0x00ffffff,
        offset: i * 0x01100000,
      })),
    ),
    /^zip archive: unpacks to more than 4294967296 bytes$/,
  ],
  ["a bomb", text("stops.txt", zeros), /'stops\.txt': unpacks to more than 200 times its size$/],
  ["a bomb next to the feed", text("x.bin", zeros), /'x\.bin': unpacks to more than 200 times/],
  [
    "a bomb that hides its size",
    changed("stops.txt", { data: zeros, size: 1_000 }),
    /'stops\.txt': unpacks to more than it says$|stops\.txt line 1: /,
  ],
  [
    "a file that is longer",
    changed("stops.txt", { size: 20 }),
    /'stops\.txt': unpacks to more than it says$/,
  ],
  [
    "a file that is shorter",
    changed("stops.txt", { size: 9_000 }),
    /'stops\.txt' shorter than the/,
  ],
  ["another checksum", changed("trips.txt", { crc: 1 }), /'trips\.txt' its checksum is another$/],
  ["a file twice", withEntry({ name: "stops.txt", data: "" }), /^zip archive: 'stops\.txt' twice$/],
  ["a file twice in capitals", withEntry({ name: "STOPS.txt", data: "" }), /'STOPS\.txt' twice$/],
  [
    "entries that share bytes",
    withEntry({ name: "x", data: "", packed: packedStops.length, offset: 0 }),
    /^zip archive: '.*' and '.*' share bytes$/,
  ],
  ["two names of one file", changed("stops.txt", { localName: "spots.txt" }), /has two names$/],
  [
    "another way of packing",
    changed("stops.txt", { method: 12 }),
    /method 12, which is not read here$/,
  ],
  [
    "broken packing",
    changed("stop_times.txt", { raw: Buffer.alloc(40, 0xfe) }),
    /^stop_times\.txt: damaged compressed data$/,
  ],
  [
    "packing cut short",
    changed("stops.txt", { raw: packedStops.subarray(0, 60) }),
    /^stops\.txt: /,
  ],
  [
    "packed bytes that are not there",
    changed("stop_times.txt", { packed: 90_000 }),
    /^(zip|stop_times)/,
  ],
  [
    "a place beyond the archive",
    changed("stop_times.txt", { offset: 0x7ffffff0 }),
    /^stop_times\.txt: /,
  ],
  ["no file at its place", changed("stop_times.txt", { offset: 2 }), /share bytes$|signature/],
  [
    "a broken extra field",
    changed("stops.txt", { extra: Buffer.from([1, 0, 99, 0]) }),
    /extra field/,
  ],
  ["another disk", makeZip(ENTRIES, { disk: 3 }), /multi-disk zip files are not supported/],
  [
    "a directory beyond the end",
    makeZip(ENTRIES, { directoryOffset: 0xfffffff0 }),
    /^zip archive: /,
  ],
  [
    "a directory beyond all numbers",
    makeZip(ENTRIES, { zip64Offset: 2n ** 63n }),
    /^zip archive: /,
  ],
  ["a directory far out", makeZip(ENTRIES, { zip64Offset: 2n ** 53n - 5n }), /^zip archive: /],
  [
    "a feed in two folders",
    makeZip([
      ...ENTRIES.map((e) => ({ ...e, name: `a/${e.name}` })),
      { name: "b/stops.txt", data: "" },
    ]),
    /^archive: stops\.txt in more than one folder$/,
  ],
  [
    "a feed in an archive in the archive",
    zipOf({ "gtfs.zip": good }),
    /^stops\.txt: not in the archive$/,
  ],
  ["limits of the caller", good, /unpacks to more than 10 bytes$/, { limits: { file_bytes: 10 } }],
];

const TEXTS: readonly HostileCase[] = [
  [
    "an open quote",
    text("stops.txt", `${SMALL["stops.txt"]}\nB,"Bad,1,1\n`),
    /^stops\.txt line 7: unterminated quote$/,
  ],
  [
    "text after a quote",
    text("stop_times.txt", 'trip_id,stop_id\nT1,A\n"T1"x,A\n'),
    /^stop_times\.txt line 3: text after a closing quote$/,
  ],
  ["no stops", text("stops.txt", ""), /^stops\.txt: empty$/],
  [
    "no header",
    text("stops.txt", "S,Central,48.85,2.35\n"),
    /^stops\.txt line 1: no column stop_id$/,
  ],
  [
    "a column twice",
    text("trips.txt", "trip_id,route_id,trip_id\n"),
    /^trips\.txt line 1: column trip_id twice$/,
  ],
  [
    "semicolons",
    text("stops.txt", "stop_id;stop_lat;stop_lon\nS;1;1\n"),
    /^stops\.txt line 1: no column stop_id$/,
  ],
  [
    "UTF-16",
    text("stops.txt", Buffer.from(`\ufeff${SMALL["stops.txt"]}`, "utf16le")),
    /^stops\.txt line 1: UTF-16/,
  ],
  ["an archive called stops.txt", text("stops.txt", good), /^stops\.txt line 1: /],
  [
    "a row without an end",
    text("stops.txt", Buffer.alloc(2 << 20, "a1")),
    /^stops\.txt line 1: a row above 1048576 bytes$/,
  ],
  [
    "a quote without an end",
    text("routes.txt", `route_id,route_type\n"${"\n".repeat(2 << 20)}`),
    /^routes\.txt line 2: unterminated quote$/,
  ],
  [
    "ten thousand columns",
    text("stops.txt", ",".repeat(10_000)),
    /^stops\.txt line 1: more than 4096 columns$/,
  ],
  [
    "a web page called stops.txt",
    text("stops.txt", "<html>\n</html>"),
    /^stops\.txt line 1: no column stop_id$/,
  ],
  ["no trips.txt", without("trips.txt"), /^trips\.txt: not in the feed$/],
  ["no stop_times.txt", without("stop_times.txt"), /^stop_times\.txt: not in the feed$/],
  ["no routes.txt", without("routes.txt"), /^routes\.txt: not in the feed$/],
  [
    "no calls",
    text("stop_times.txt", "trip_id,stop_id\n"),
    /^feed: no station that a trip serves \(5 stops, 0 stop times\)$/,
  ],
  [
    "calls at stops of another feed",
    text("stop_times.txt", "trip_id,stop_id\nT1,X\nT9,A\n"),
    /^feed: no station that a trip serves \(5 stops, 2 stop times\)$/,
  ],
  ["stops nowhere", text("stops.txt", "stop_id,stop_lat,stop_lon\nA,0,0\n"), /^feed: no station/],
];

test("there are enough of them", () => assert.ok(ARCHIVES.length + TEXTS.length >= 60));

for (const [i, [what, bytes, problem, options]] of [...ARCHIVES, ...TEXTS].entries())
  test(`refuses ${what}`, async () => {
    const path = join(folder, `${i}.zip`);
    writeFileSync(path, bytes);
    for (const source of [{ bytes }, { path }]) {
      const result = await importGtfs(source, { ...OPTIONS, ...fetchBounds(), ...options });
      assert.equal(result.ok, false);
      assert.deepEqual(Object.keys(result), ["ok", "problem"], "nothing half done");
      assert.match(result.ok ? "" : result.problem, problem);
      assert.doesNotMatch(result.ok ? "" : result.problem, /\p{Cc}/u, "one printable line");
    }
  });

test("the base of the cases is a valid feed", async () => {
  for (const bytes of [
    good,
    zipOf(SMALL, "gtfs/"),
    makeZip(ENTRIES.map((e) => ({ ...e, method: 0 }))),
  ]) {
    const result = await importGtfs({ bytes }, OPTIONS);
    assert.ok(result.ok);
    assert.equal(openFeed(result.pack)!.count, 2);
    assert.deepEqual(result.report.modes, ["metro"]);
  }
});

test("an archive with any bytes changed is a feed or a problem, and never anything else", async () => {
  const arbChange = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(arbChange, { minLength: 1, maxLength: 6 }), async (changes) => {
      const bytes = Buffer.from(good);
      for (const [at, byte] of changes) bytes[at] = byte;
      const result = await importGtfs({ bytes }, OPTIONS);
      if (result.ok) assert.ok(openFeed(result.pack));
      else refused++;
    }),
    { numRuns: sized(150, 1_500) },
  );
  assert.ok(refused > sized(30, 500), `${refused} refused`);
});

test("the end of an archive with any bytes changed, read from a file", async () => {
  const path = join(folder, "end.zip");
  const arbChange = fc.tuple(fc.nat(400), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(arbChange, { minLength: 1, maxLength: 8 }), async (changes) => {
      const bytes = makeZip(ENTRIES, { zip64Offset: BigInt(good.length) });
      for (const [back, byte] of changes) bytes[bytes.length - 1 - back] = byte;
      writeFileSync(path, bytes);
      const result = await importGtfs({ path }, OPTIONS);
      assert.equal(typeof result.ok, "boolean");
    }),
    { numRuns: sized(50, 500) },
  );
});
