// Nominatim: /upstreams/nominatim with /search and /reverse (places.md 2.2). It turns away clients
// that do not identify themselves, and those that ask too often.
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import type { Source } from "../source.ts";
import type { Addresses } from "../world/addresses.ts";
import { answerReverse } from "./reverse.ts";
import { answerSearch } from "./search.ts";

const PREFIX = "/upstreams/nominatim";
/** The public server allows one; tests ask faster. */
const PER_SECOND = 20;

type Deps = {
  readonly addresses: Addresses;
  readonly now: () => number;
  readonly origin: string;
};

export function createNominatim({ addresses, now, origin }: Deps): Source {
  const limit = createLimit(now);
  return {
    id: "nominatim",
    description: "Nominatim 5",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${PREFIX}` },
    observe: () => [],
    admit({ headers }) {
      if (isAnonymous(headers["user-agent"]))
        return { refused: html(403, "Access denied", BLOCKED) };
      if (limit()) return { refused: html(429, "Bandwidth limit exceeded", TOO_MUCH) };
      return {};
    },
    handle(request) {
      switch (request.pathname.slice(PREFIX.length)) {
        case "/search":
        case "/search.php":
          return answerSearch(request, addresses);
        case "/reverse":
        case "/reverse.php":
          return answerReverse(request, addresses);
        case "/status":
          return status(request);
        default:
          return html(404, "404 Not Found", "Not Found");
      }
    },
  };
}

/** User agents of programs without a configured one: the names of their libraries. */
const isAnonymous = (agent: string | undefined): boolean =>
  agent === undefined || /^\s*(node|undici|node-fetch)?\s*$/i.test(agent);

/** Whether this one is too many in its second. */
function createLimit(now: () => number): () => boolean {
  let [second, used] = [-1, 0];
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, used] = [current, 0];
    used += 1;
    return used > PER_SECOND;
  };
}

const BLOCKED =
  "You have been blocked because you have violated the usage policy of OSM's Nominatim geocoding service.";
const TOO_MUCH = "You have been temporarily blocked because you have been overusing the service.";

const html = (code: number, title: string, text: string): Reply => ({
  status: code,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: Buffer.from(
    `<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1><p>${text}</p></body>\n</html>\n`,
  ),
});

function status({ query }: SandboxRequest): Reply {
  if (query.get("format") === "json") return answerJson(200, { status: 0, message: "OK" });
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return { status: 200, headers, body: Buffer.from("OK") };
}
