/**
 * `npm run new:provider NAME` writes the skeleton of a source of toilets: its descriptor, its line of
 * the registry, a golden pair, its simulated host and that one's line. The skeleton answers to a
 * protocol of its own making; replace protocol, terms and rows by the real ones.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);

function findProblem(name: string): string | null {
  if (!/^[a-z][a-z0-9_]{1,31}$/.test(name))
    return "npm run new:provider NAME: 2 to 32 characters of a-z, 0-9 and _";
  const taken = [`src/providers/${name}.ts`, `src/providers/${name}`, `sandbox/${name}`];
  const match = taken.find((path) => existsSync(new URL(path, ROOT)));
  return match === undefined ? null : `${match} is there already`;
}

function writeProvider(name: string): void {
  const create = `create${name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}`;
  const fixtures = `test/fixtures/providers/${name}`;
  write(`src/providers/${name}.ts`, descriptorOf(name));
  edit("src/providers/registry.ts", [
    ["import transitland", `import ${name} from "#providers/${name}.ts";\n`],
    ["} as const;", `  ${name},\n`],
  ]);
  write(`${fixtures}/whole.wire.json`, toText({ body: WIRE }));
  write(`${fixtures}/whole.expected.json`, toText(expectedOf(name)));
  write(`sandbox/${name}/host.ts`, hostOf(name, create));
  edit("sandbox/hosts.ts", [
    ["import type { Source }", `import { ${create} } from "./${name}/host.ts";\n`],
    ["    ],\n  };\n}", `      ${create}(deps),\n`],
  ]);
  execFileSync(process.execPath, [fileURLToPath(new URL("scripts/generate.ts", ROOT))], {
    stdio: "ignore",
  });
}

function write(path: string, text: string): void {
  const file = new URL(path, ROOT);
  mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${path}`);
}

/** Puts a line before each mark, which must be there. */
function edit(path: string, lines: readonly (readonly [mark: string, line: string])[]): void {
  const file = new URL(path, ROOT);
  const edited = lines.reduce(
    (text, [mark, line]) => {
      const at = text.indexOf(mark);
      if (at < 0) throw new Error(`${path}: nothing reads ${JSON.stringify(mark)}`);
      return text.slice(0, at) + line + text.slice(at);
    },
    readFileSync(file, "utf8"),
  );
  writeFileSync(file, edited);
  console.log(`edited ${path}`);
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const WIRE = {
  toilets: [
    { id: "a1", lat: 45.501, lon: -122.601, name: "Example Library", accessible: true },
    { id: "a2", lat: 45.502, lon: -122.602 },
    { id: "a3", lat: null, lon: null, name: "Nowhere" },
  ],
};

function expectedOf(name: string): object {
  const place = (row: object, own: object, attributes: object): object => ({
    kind: "toilets",
    ...row,
    source_id: name,
    source_type: "community",
    ...own,
    attributes,
    keys: [],
  });
  return {
    read: {
      ok: true,
      value: [
        place(
          { lat: 45.501, lon: -122.601 },
          { external_id: "a1", name: "Example Library" },
          { wheelchair: "yes" },
        ),
        place({ lat: 45.502, lon: -122.602 }, { external_id: "a2", name: null }, {}),
      ],
      raw: 3,
    },
    trail: {
      dropped: [{ reason: "coordinates_missing", count: 1, examples: ["a3"] }],
      repaired: [],
    },
  };
}

function descriptorOf(name: string): string {
  return `/** ${name}: toilets around a point. Reference: where its protocol is described. */
import type { Place } from "#core/places/place.ts";
import { type Row, toName, toRow } from "#kit/coerce.ts";
import { readFacts } from "#providers/stated-facts.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { type Dropped, readPlaces, toDegrees, toLocation } from "#providers/place-rows.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { type AroundReader, defineSource } from "#providers/source.ts";

/** Toilets around a point (§4.6). */
const toilets: AroundReader<LookupSettings> = {
  operation: "getServicesNearby",
  keyOf: ({ lat, lon, radius_m }) => JSON.stringify([lat, lon, radius_m]),
  request: ({ lat, lon, radius_m }, { url }) => ({
    url: \`\${url}/toilets?lat=\${toDegrees(lat)}&lon=\${toDegrees(lon)}&radius=\${Math.ceil(radius_m)}\`,
    headers: { accept: "application/json" },
  }),
  read: (wire, _query, { trail }) =>
    readPlaces(wire, { list: listToilets, id_member: "id", toPlace }, trail),
};

const source = defineSource({
  id: "${name}",
  name: "${name}",
  kind: "lookup",
  operations: ["getServicesNearby"],
  terms: {
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    // Until its terms are known, no content of it is kept.
    store: "ids",
  },
  limits: { max_bytes: 1_024 * 1_024 },
  lifecycle: "active",
  config: lookupSettings("${name}: toilets.", { url: address("Base address, before /toilets.") }),
  policy: { cache_s: 300, places: 4 },
  // Behind all others: where they see the same thing, they lead.
  precedence: 90,
  around: [{ kind: "toilets", reader: toilets }],
});
export default source;

function listToilets(json: unknown): readonly unknown[] | null {
  const rows = toRow(json)?.["toilets"];
  return Array.isArray(rows) ? (rows as readonly unknown[]) : null;
}

function toPlace(row: Row, id: string): Place | Dropped {
  const location = toLocation(row["lat"], row["lon"]);
  if (typeof location === "string") return location;
  return {
    kind: "toilets",
    ...location,
    source_id: source.id,
    source_type: "community",
    external_id: id,
    name: toName(row["name"]),
    attributes: readFacts("toilets", { wheelchair: row["accessible"] }),
    keys: [],
  };
}
`;
}

function hostOf(name: string, create: string): string {
  return `// ${name}: /upstreams/${name}/toilets, toilets that mappers have drawn as well.
import { answerJson } from "../http.ts";
import { codeOf, isDrawn } from "../listing.ts";
import { listAll, nearest, numberIn, observe, once, pointIn, type RegistryDeps } from "../registry.ts";
import type { Source } from "../source.ts";
import type { ServiceThing } from "../world/service-model.ts";

const ROOT = "/upstreams/${name}";
const MOST = 100;

const isListed = (thing: ServiceThing): boolean =>
  thing.service_type === "toilets" && isDrawn(thing);

export function ${create}({ world, origin }: RegistryDeps): Source {
  const rows = once(() => listAll(world).filter(isListed));
  return {
    id: "${name}",
    description: "${name}",
    parts: [],
    partsOf: () => [],
    upstream: { url: \`\${origin}\${ROOT}\` },
    observe: (thing) =>
      thing.kind === "service" && isListed(thing) ? observe("${name}", String(codeOf(thing))) : [],
    handle(request) {
      const at = pointIn(request, "lat", "lon");
      if (request.pathname !== \`\${ROOT}/toilets\`) return answerJson(404, {});
      if (at === null) return answerJson(400, {});
      const found = nearest(rows(), at, numberIn(request, "radius") ?? 0).slice(0, MOST);
      return answerJson(200, { toilets: found.map(({ row }) => print(row)) });
    },
  };
}

function print(thing: ServiceThing): unknown {
  return { id: codeOf(thing), lat: thing.lat, lon: thing.lon };
}
`;
}

const [id = ""] = process.argv.slice(2);
const problem = findProblem(id);
if (problem === null) writeProvider(id);
else {
  console.error(problem);
  process.exitCode = 2;
}
