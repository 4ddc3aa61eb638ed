// GET /search: free text or an address in parts, never both.
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import type { Addresses } from "../world/addresses.ts";
import { type Box, findCountry, isWithin } from "../world/countries.ts";
import { toObject } from "./object.ts";
import {
  badRequest,
  readFlag,
  readFormat,
  readNumber,
  tongueIn,
  WRONG_FORMAT,
} from "./parameters.ts";

const PARTS = ["amenity", "street", "city", "county", "state", "postalcode", "country"];
const LIMIT = 10;
const LIMIT_MAX = 50;

export function answerSearch(request: SandboxRequest, addresses: Addresses): Reply {
  const { query } = request;
  const format = readFormat(query, false);
  if (format === null) return badRequest(WRONG_FORMAT);
  const parts = PARTS.map((name) => query.get(name) ?? "").filter((text) => text !== "");
  const text = query.get("q") ?? "";
  if (text !== "" && parts.length > 0)
    return badRequest(
      `Structured query parameters (${PARTS.join(", ")}) cannot be used together with 'q' parameter.`,
    );
  if (text === "" && parts.length === 0) return badRequest("Nothing to search for.");
  const limit = query.has("limit") ? readNumber(query, "limit") : LIMIT;
  if (!Number.isInteger(limit)) return badRequest("Parameter 'limit' must be a number.");
  const box = readBox(query.get("viewbox"));
  if (box === undefined) return badRequest("Bad parameter 'viewbox'. Expected 4 numbers.");
  const countries = readCountries(query.get("countrycodes"));
  const near = box === null ? undefined : middleOf(box);
  const spots = addresses
    .search(text === "" ? parts.join(" ") : text, { near, countries })
    .map(({ spot }) => spot)
    .filter((spot) => box === null || !readFlag(query, "bounded", false) || isWithin(spot, box));
  const tongue = tongueIn(request);
  const listed = spots.slice(0, Math.max(1, Math.min(LIMIT_MAX, limit)));
  return answerJson(
    200,
    listed.map((spot) => toObject(spot, tongue(spot), format)),
  );
}

/** Lower-case codes; those that are no countries are passed over, and if none is left there is no filter. */
function readCountries(raw: string | null): string[] | undefined {
  const codes = (raw ?? "").split(",").filter((code) => /^[a-z]{2}$/i.test(code.trim()));
  const entries = codes.map((code) => findCountry(code)?.code ?? code.trim().toUpperCase());
  return entries.length === 0 ? undefined : entries;
}

/** x1,y1,x2,y2, any two opposite corners. Null: none; undefined: not four numbers. */
function readBox(raw: string | null): Box | null | undefined {
  if (raw === null || raw === "") return null;
  const numbers = raw.split(",").map((each) => (each.trim() === "" ? Number.NaN : Number(each)));
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers;
  if (numbers.length !== 4 || numbers.some((each) => !Number.isFinite(each))) return undefined;
  return [Math.min(y1, y2), Math.min(x1, x2), Math.max(y1, y2), Math.max(x1, x2)];
}

const middleOf = ([south, west, north, east]: Box) => ({
  lat: (south + north) / 2,
  lon: (west + east) / 2,
});
