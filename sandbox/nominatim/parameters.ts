// What search and reverse share: the form of the answer, its language, and how they refuse.
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import type { Spot } from "../world/gazetteer.ts";
import { acceptedLanguages, type Tongue, tongueFor } from "../world/say.ts";
import type { Format } from "./object.ts";

export const badRequest = (message: string): Reply =>
  answerJson(400, { error: { code: 400, message } });

/** Null: of the forms that exist none that the simulator writes. */
export function readFormat(query: URLSearchParams, addressdetails: boolean): Format | null {
  const format = query.get("format") ?? "jsonv2";
  if (format !== "json" && format !== "jsonv2") return null;
  return { format, addressdetails: readFlag(query, "addressdetails", addressdetails) };
}

export const WRONG_FORMAT = "Parameter 'format' must be one of: json, jsonv2";

export const readFlag = (query: URLSearchParams, name: string, otherwise: boolean): boolean =>
  query.has(name) ? query.get(name) !== "0" : otherwise;

/** NaN: absent or no number. */
export const readNumber = (query: URLSearchParams, name: string): number => {
  const raw = query.get(name) ?? "";
  return raw.trim() === "" ? Number.NaN : Number(raw);
};

/** The parameter before the header; what is said on the spot where neither is. */
export function tongueIn({ query, headers }: SandboxRequest): (spot: Spot) => Tongue {
  const raw = query.get("accept-language");
  const wanted = acceptedLanguages(raw === null ? headers : { "accept-language": raw });
  return (spot) => tongueFor(spot, wanted[0] ?? null, "local");
}
