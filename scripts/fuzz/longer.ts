/** The same question with a larger limit: its list begins with what the smaller one gave. */
import { readJson, readText } from "./checks/body.ts";
import { headerOf, type Reply } from "./client.ts";
import { decodeForm } from "./oracle/grammar.ts";
import type { FuzzRequest } from "./request.ts";

type Json = Record<string, unknown>;

const LIMITS: readonly (readonly [shorter: number, longer: number])[] = [
  [1, 2],
  [2, 7],
  [3, 20],
  [5, 200],
  [19, 20],
];

export function longerPair(request: FuzzRequest): [FuzzRequest, FuzzRequest] {
  const others = (request.query ?? []).filter((part) => nameOf(part) !== "limit");
  const encoding = request.headers.filter(([name]) => name.toLowerCase() !== "accept-encoding");
  const [shorter, longer] = LIMITS[others.join("&").length % LIMITS.length]!;
  const ask = (limit: number): FuzzRequest => ({
    ...request,
    headers: encoding,
    query: [...others, `limit=${limit}`],
  });
  return [ask(shorter), ask(longer)];
}

const nameOf = (part: string): string | undefined => decodeForm(part.split("=")[0]!);

export function longerProblem(shorter: Reply, longer: Reply): string | null {
  if (shorter.status !== 200 || longer.status !== 200)
    return `${shorter.status} with a small limit, ${longer.status} with a larger one`;
  const [a, b] = [shorter, longer].map((reply) => readJson(readText(reply) ?? "") as Json);
  const counts = ["total", "summary", "status"].find(
    (name) => !same(tell(a!, name), tell(b!, name)),
  );
  if (counts !== undefined)
    return `${counts} is ${JSON.stringify(tell(a!, counts))}, with a larger limit ${JSON.stringify(tell(b!, counts))}`;
  const [few, many] = [listsOf(a!), listsOf(b!)];
  for (const [name, list] of Object.entries(few)) {
    const start = many[name]!.slice(0, list.length);
    if (!same(list, start)) return `${name} begins otherwise when the limit is larger`;
  }
  return headerOf(shorter, "content-type") === headerOf(longer, "content-type")
    ? null
    : "the form depends on the limit";
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** GeoJSON tells it in `meta`. */
const tell = (body: Json, name: string): unknown => ((body["meta"] ?? body) as Json)[name];

function listsOf(body: Json): Record<string, unknown[]> {
  const results = body["results"] ?? { features: body["features"] };
  return Array.isArray(results) ? { results } : (results as Record<string, unknown[]>);
}
