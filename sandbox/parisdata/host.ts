// Open data of Paris: two exports of an OpenDataSoft portal, with what is wrong in them, and the
// validators that save a daily reader from reading them again (mobility.md 6.2, 6.3).
import { createHash } from "node:crypto";
import { answerJson, isUnchanged, type Reply, type SandboxRequest } from "../http.ts";
import { numberIn, observe, once, type RegistryDeps } from "../registry.ts";
import type { Source } from "../source.ts";
import type { ServiceThing } from "../world/service-model.ts";
import type { World } from "../world/world.ts";
import { gidOf, type Row, toFountain, toToilet } from "./rows.ts";

const ROOT = "/upstreams/paris_opendata";
const EXPORT = /^\/api\/explore\/v2\.1\/catalog\/datasets\/([\w-]+)\/exports\/json$/;
const MODIFIED_MS = Date.UTC(2026, 10, 20, 3, 10, 12);

type DataSet = {
  readonly id: string;
  holds(thing: ServiceThing): boolean;
  toRow(thing: ServiceThing): Row;
};

const FOUNTAINS: DataSet = {
  id: "fontaines-a-boire",
  holds: ({ service_type, potable }) =>
    service_type === "drinking_water" || (service_type === "fountain" && potable === true),
  toRow: toFountain,
};
const TOILETS: DataSet = {
  id: "sanisettesparis",
  holds: ({ service_type }) => service_type === "toilets",
  toRow: toToilet,
};
const DATA_SETS = [FOUNTAINS, TOILETS] as const;

export function createParisData({ world, origin }: RegistryDeps): Source {
  const rows = new Map(
    DATA_SETS.map((each) => [each.id, once(() => listRows(world, each))] as const),
  );
  return {
    id: "paris_opendata",
    description: "Open data of Paris: fountains and toilets",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}` },
    observe: (thing) =>
      thing.kind === "service" && isParisian(thing) && DATA_SETS.some((each) => each.holds(thing))
        ? observe("paris_opendata", gidOf(thing))
        : [],
    handle: (request) => answer(request, rows),
  };
}

const isParisian = ({ city }: ServiceThing): boolean => city.id === "paris";

/** What is in the streets, then what no reader may show. */
function listRows(world: World, { holds, toRow }: DataSet): readonly unknown[] {
  const things = world.cities
    .filter(({ id }) => id === "paris")
    .flatMap((city) => world.listServices(city).filter(holds));
  const [first, second, third] = things.map(toRow);
  const { gid: _, geo_point_2d: __, geo_shape: ___, ...placeless } = second!;
  const spurious = { ...third, gid: "90001", adresse: "1 RUE DE NULLE PART" };
  return [
    ...things.map(toRow),
    first,
    { ...placeless, gid: "90002", geo_point_2d: null, geo_shape: null },
    { ...spurious, geo_point_2d: { lon: 4.8357, lat: 45.764 } },
    { ...spurious, gid: "90003", geo_point_2d: { lon: 48.8566, lat: 2.3522 } },
    { ...spurious, gid: "90004", geo_point_2d: { lon: 0, lat: 0 } },
    { ...spurious, gid: "90005", geo_point_2d: { lon: "", lat: "n/a" } },
    null,
  ];
}

function answer(
  request: SandboxRequest,
  rows: ReadonlyMap<string, () => readonly unknown[]>,
): Reply {
  const id = EXPORT.exec(request.pathname.slice(ROOT.length))?.[1];
  const all = rows.get(id ?? "")?.();
  if (all === undefined)
    return answerJson(404, { error_code: "NotFound", message: "Dataset does not exist" });
  const limit = numberIn(request, "limit") ?? -1;
  if (limit < -1 || !Number.isInteger(limit))
    return answerJson(400, { error_code: "InvalidRESTParameterError", message: "limit" });
  const body = Buffer.from(JSON.stringify(limit === -1 ? all : all.slice(0, limit)));
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = {
    etag,
    "last-modified": new Date(MODIFIED_MS).toUTCString(),
    "cache-control": "public, max-age=3600",
  };
  if (isUnchanged(request, { etag, modified_ms: MODIFIED_MS }))
    return { status: 304, headers, body: Buffer.alloc(0) };
  const type = { "content-type": "application/json; charset=utf-8" };
  return { status: 200, headers: { ...headers, ...type }, body };
}
