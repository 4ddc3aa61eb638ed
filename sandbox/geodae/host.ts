// GéoDAE: one large file behind the redirect of data.gouv.fr, without an etag (places.md 4.1).
import { gidOf, isInGeodae } from "../listing.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { observe, once, type RegistryDeps } from "../registry.ts";
import type { Source } from "../source.ts";
import { listDefects } from "./defects.ts";
import { toFeature } from "./rows.ts";

const ROOT = "/upstreams/geodae";
const RESOURCE = `${ROOT}/datasets/r/86ea48a0-dd94-4a23-b71c-80d3041d7db2`;
const FILE = `${ROOT}/files/geodae.geojson`;

export function createGeodae({ world, origin }: RegistryDeps): Source {
  const body = once(() => {
    const french = world.cities.filter(({ country }) => country === "FR");
    const features = french.flatMap((city) => [
      ...world.listServices(city).filter(isInGeodae).map(toFeature),
      ...listDefects(city, world.seed),
    ]);
    const crs = { type: "name", properties: { name: "urn:ogc:def:crs:OGC:1.3:CRS84" } };
    return Buffer.from(
      JSON.stringify({ type: "FeatureCollection", name: "geodae", crs, features }),
    );
  });
  return {
    id: "geodae",
    description: "GéoDAE, the French register of defibrillators",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${RESOURCE}` },
    observe: (thing) =>
      thing.kind === "service" && isInGeodae(thing) ? observe("geodae", gidOf(thing)) : [],
    handle: (request) => answer(request, origin, body),
  };
}

function answer({ pathname }: SandboxRequest, origin: string, body: () => Buffer): Reply {
  if (pathname === RESOURCE) {
    const location = `${origin}${FILE}`;
    return {
      status: 302,
      headers: { location, "cache-control": "no-store" },
      body: Buffer.alloc(0),
    };
  }
  if (pathname !== FILE) return answerJson(404, { message: "Not found" });
  const headers = { "content-type": "application/geo+json", "cache-control": "max-age=300" };
  return { status: 200, headers, body: body() };
}
