/**
 * The client as others get it: packed, unpacked into a project that knows nothing of this
 * repository, its types checked strictly there, and asking a running service.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { PATHS, WEATHER_PATHS } from "#api/client/client.ts";
import { STREAM_PATH } from "#api/client/stream.ts";
import { SANDBOX_DEPLOYMENT, forDeployment } from "#api/deployment.ts";
import { listOperations } from "#api/operations.ts";
import { type ClientProject, createClientProject } from "../support/client-project.ts";
import { createFolder, removeFolder, start, type Started } from "./service/support.ts";

const RESOLUTIONS = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
];

/** A program of someone who has read nothing but the types. */
const PROGRAM = `
import { applyEvent, createClient, type Client, type LiveEvent, type LiveItem, type Nearby, type ParkingQuery } from "@vicinity/client";

const client: Client = createClient({ url: process.argv[2]! });
declare const process: { argv: string[] };

const here = { lat: 48.8566, lon: 2.3522 };
const reply = await client.nearby({ ...here, include: ["stations"], limit: 1 });
if (reply.kind !== "ok") throw new Error(JSON.stringify(reply));
const body: Nearby = reply.body;
const [station] = body.results.stations;
const vehicles: number | null | undefined = station?.availability.vehicles;
console.log(body.status, station?.type, vehicles === undefined ? "absent" : typeof vehicles);

const query: ParkingQuery = { ...here, limit: 1 };
const parking = await client.parking(query);
if (parking.kind !== "ok") throw new Error(JSON.stringify(parking));
const [first] = parking.body.results;
// The id of the maps provider is the deployment's: any text may be compared with it.
const isTheirs = first?.source_id === "google_maps" || first?.source_id === "maps of our own";
console.log(parking.body.results.length, first?.service_type, isTheirs, first?.source_id);

const refused = await client.nearby({ lat: 91, lon: 0 });
console.log(refused.kind === "refused" ? refused.code : "wrong");
const weather = await client.weather({ ...here, language: "en" });
console.log(weather.kind === "ok" ? typeof weather.body.main.temp : weather.kind);
const gone = await createClient({ url: "http://127.0.0.1:2" }).health();
console.log(gone.kind === "unreachable" ? gone.reason : "wrong");

const items = new Map<string, LiveItem>();
const box = { bbox: "2.345,48.852,2.36,48.862", include: ["stations"] } as const;
const stop = new AbortController();
export async function watch(show: (event: LiveEvent) => void): Promise<number | null | undefined> {
  for await (const event of client.stream(box, { signal: stop.signal })) {
    applyEvent(items, event);
    if (event.kind === "refused") throw new Error(event.code);
    if (event.kind === "delta") console.log(event.id, event.body.left.map(({ reason }) => reason));
    show(event);
  }
  const once = await client.snapshot(box);
  return once.kind === "ok" ? once.body.items[0]?.vehicles : null;
}

export async function misused() {
  // @ts-expect-error: a box is text
  client.stream({ bbox: [1, 2, 3, 4] });
  // @ts-expect-error: the snapshot alone is another method
  client.stream({ bbox: "1,2,3,4", once: true });
  // @ts-expect-error: lon is required
  await client.nearby({ lat: 1 });
  // @ts-expect-error: no such mode
  await client.nearby({ ...here, modes: ["tram"] });
  // @ts-expect-error: no such parameter
  await client.services({ ...here, types: "toilets", kind: "x" });
  // @ts-expect-error: unknown is null, so it is no number yet
  const count: number = station!.availability.vehicles;
  // @ts-expect-error: no such status
  return [count, body.status === "fine"];
}
`;

/** Each example of the API description, typed as the body that the client says it is. */
function exampleProgram(declarations: string): string {
  const paths = Object.entries({ ...PATHS, ...WEATHER_PATHS, snapshot: STREAM_PATH });
  const examples = paths.flatMap(([method, path]) => {
    const [, type] = new RegExp(`  ${method}\\(.*Reply<(\\w+)>`).exec(declarations) ?? [];
    assert.ok(type, method);
    const operation = listOperations().find((each) => each.path === path)!;
    const { examples: values } = operation.success.content["application/json"]!;
    return Object.values(values).map((value) => ({ type, value }));
  });
  assert.ok(examples.length >= paths.length, `${examples.length} examples`);
  const lines = examples.map(
    ({ type, value }, at) =>
      `export const example${at}: Package.${type} = ${JSON.stringify(forDeployment(value, SANDBOX_DEPLOYMENT))};`,
  );
  return `import type * as Package from "@vicinity/client";\n${lines.join("\n")}\n`;
}

describe("the package of the client", () => {
  let project: ClientProject;
  const ends: (() => void)[] = [];
  before(async () => {
    project = await createClientProject({ after: (end) => void ends.push(end as () => void) });
    project.write("main.ts", PROGRAM);
    const declarations = join(project.folder, "node_modules/@vicinity/client/index.d.ts");
    project.write("examples.ts", exampleProgram(readFileSync(declarations, "utf8")));
  });
  after(() => {
    for (const end of ends) end();
  });

  test("it is small, whole, of the version of the service, and needs no other package", () => {
    const { size, files } = project.packed;
    assert.ok(size <= 34_000, `${size} bytes`);
    assert.deepEqual(
      files.map(({ path }) => path),
      ["LICENSE", "README.md", "index.d.ts", "index.js", "package.json"],
    );
    const read = (path: string) =>
      JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    const manifest = read(join(project.folder, "node_modules/@vicinity/client/package.json"));
    assert.equal(manifest["version"], read("package.json")["version"]);
    for (const name of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"])
      assert.equal(manifest[name], undefined, name);
  });

  for (const resolution of RESOLUTIONS) {
    for (const skipLibCheck of [true, false]) {
      const name = `${resolution.moduleResolution}, skipLibCheck ${skipLibCheck}`;
      test(`a strict project compiles: ${name}`, async () => {
        const options = { ...resolution, skipLibCheck };
        for (const more of [{}, { exactOptionalPropertyTypes: true }]) {
          const { code, out } = await project.compile({ ...options, ...more });
          assert.equal(code, 0, out);
        }
      });
    }
  }

  test("the program whose types were checked gets such answers of a running service", async () => {
    const data_dir = await createFolder();
    let started: Started | undefined;
    try {
      started = await start({ data_dir });
      const ran = await project.run(process.execPath, "main.ts", started.service.url);
      assert.equal(ran.code, 0, ran.out);
      const lines = ran.out.trimEnd().split("\n");
      assert.match(lines[0]!, /^success station (number|object)$/);
      assert.deepEqual(lines.slice(1), [
        "1 parking false sandbox_maps",
        "invalid_request",
        "number",
        "ECONNREFUSED",
      ]);
    } finally {
      await started?.service.close({ delay_ms: 0 });
      await removeFolder(data_dir);
    }
  });
});
