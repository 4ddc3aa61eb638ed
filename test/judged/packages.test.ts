/**
 * Packages as others get them: packed, unpacked into a project that knows nothing of this repository,
 * and the example of their README run there, its types checked strictly.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { packPackage, PUBLISHED } from "../../scripts/pack.ts";
import { checkTypes, run, unpack } from "../support/client-project.ts";
import { makeZip } from "../support/zip.ts";
import { toPbf } from "../../sandbox/pbf/encode.ts";
import { listTown } from "../support/town.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The code of the example, and what it prints. */
function exampleOf(name: string): { code: string; prints: string } {
  const page = readFileSync(join(ROOT, `packages/${name}/README.md`), "utf8");
  const code = /```ts\n([^`]*)```/.exec(page)?.[1] ?? "";
  const prints = [...code.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => `${line}\n`);
  return { code, prints: prints.join("") };
}

/** A line that runs all day, every ten minutes, for as long as anybody will run this. */
const FEED = {
  "agency.txt":
    "agency_id,agency_name,agency_url,agency_timezone\nM,M,https://m.example/,Etc/UTC\n",
  "calendar.txt":
    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,1,1,20200101,20991231\n",
  "routes.txt": "route_id,agency_id,route_short_name,route_type\nR,M,1,1\n",
  "stops.txt":
    "stop_id,stop_name,stop_lat,stop_lon\nA,Central,48.8566,2.3522\nB,Harbour,48.9,2.4\n",
  "trips.txt": "route_id,service_id,trip_id,trip_headsign\nR,W,T,Harbour\n",
  "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nT,00:00:00,24:00:00,600\n",
  "stop_times.txt":
    "trip_id,stop_id,stop_sequence,arrival_time,departure_time\nT,A,1,00:00:00,00:00:00\nT,B,2,00:05:00,00:05:00\n",
};

describe("packages in a project of others", () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "vicinity-packages-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    writeFileSync(join(folder, "town.osm.pbf"), toPbf(listTown()));
    const entries = Object.entries(FEED).map(([entry, data]) => ({ name: entry, data }));
    writeFileSync(join(folder, "gtfs.zip"), makeZip(entries));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Installs the package, and what it depends on from this repository's own folder. */
  async function install(name: (typeof PUBLISHED)[number]): Promise<void> {
    const installed = join(folder, "node_modules/@vicinity", name);
    await unpack(packPackage(name, folder), installed);
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    for (const [each, version] of Object.entries(dependencies)) {
      assert.match(version ?? "", /^\d/, `${each} has no version`);
      const link = join(folder, "node_modules", each);
      mkdirSync(dirname(link), { recursive: true });
      rmSync(link, { force: true });
      symlinkSync(join(ROOT, "node_modules", each), link);
    }
  }

  for (const name of PUBLISHED)
    test(`the example of ${name} runs there, and its types hold`, async () => {
      await install(name);
      const { code, prints } = exampleOf(name);
      writeFileSync(join(folder, `${name}.ts`), code);
      assert.notEqual(prints, "", "the example says what it prints");
      const ran = await run(process.execPath, [`${name}.ts`], folder);
      assert.deepEqual(ran, { code: 0, out: prints });
      const compilerOptions = { target: "es2024", strict: true, noEmit: true, module: "nodenext" };
      const options = { compilerOptions: { ...compilerOptions, skipLibCheck: false } };
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ ...options, files: [`${name}.ts`] }),
      );
      const types = [`${name}.ts`, `node_modules/@vicinity/${name}/${name}/index.d.ts`];
      assert.deepEqual(await checkTypes(folder, types), { code: 0, out: "" });
    });
});

describe("packages that only this repository uses", () => {
  for (const name of ["kit", "api", "release"])
    test(`the example of ${name} prints what its README says`, async (t) => {
      const { code, prints } = exampleOf(name);
      const index = new URL(`../../packages/${name}/index.ts`, import.meta.url).href;
      const file = join(mkdtempSync(join(tmpdir(), "vicinity-example-")), "example.ts");
      t.after(() => rmSync(dirname(file), { recursive: true }));
      writeFileSync(file, code.replace("../index.ts", index));
      const ran = await run(process.execPath, [file], ROOT);
      assert.deepEqual(ran, { code: 0, out: prints });
    });
});
