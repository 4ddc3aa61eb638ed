// The Mobility Database catalogue: /upstreams/mobilitydb/feeds_v2.csv (mobility.md 3.4).
import { createHash } from "node:crypto";
import { toCsv } from "../gtfs/csv.ts";
import { answerJson } from "../http.ts";
import { once } from "../registry.ts";
import type { Source } from "../source.ts";
import type { World } from "../world/world.ts";
import { COLUMNS, listRows } from "./rows.ts";

const PATH = "/upstreams/mobilitydb/feeds_v2.csv";
const STYLE = { bom: false, crlf: true, quoted: false, lean: false } as const;

type Deps = { readonly world: World; readonly origin: string };

export function createMobilityDatabase({ world, origin }: Deps): Source {
  const catalogue = once(() => {
    const body = Buffer.from(toCsv(COLUMNS, listRows(world, origin), STYLE));
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    return { body, headers: { etag, "cache-control": "public, max-age=3600" } };
  });
  return {
    id: "mobilitydb",
    description: "Mobility Database catalogue of feeds",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${PATH}` },
    observe: () => [],
    handle({ pathname, headers: requested_headers }) {
      if (pathname !== PATH) return answerJson(404, { error: "no such object" });
      const { body, headers } = catalogue();
      if (requested_headers["if-none-match"] === headers.etag)
        return { status: 304, headers, body: Buffer.alloc(0) };
      return { status: 200, headers: { ...headers, "content-type": "text/csv" }, body };
    },
  };
}
