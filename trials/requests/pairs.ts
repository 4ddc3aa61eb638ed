/** What makes a pair of requests out of one, and what reads its answers. */
import type { ApiRequest } from "./requests.ts";
import type { Question } from "./verdict.ts";
import { readJson, readText, type Reply } from "./wire.ts";

export type Json = Record<string, unknown>;
export type Pair = readonly [ApiRequest, ApiRequest];
export type Kind = {
  /** Operations whose accepted questions have such a pair; null: any GET. */
  of: readonly string[] | null;
  pair(request: ApiRequest, question: Question): Pair;
  problem(one: Reply, other: Reply, question: Question): string | null;
};

export function plain({ headers, ...request }: ApiRequest): ApiRequest {
  const {
    "accept-encoding": _,
    "if-none-match": __,
    ...others
  } = headers as Record<string, string>;
  return { ...request, headers: others };
}

/** Another question of the same caller. */
export function ask(request: ApiRequest, path: string, members: Json): ApiRequest {
  const token = /[?&](token=[^&]*)/.exec(request.target)?.[1];
  const query = Object.entries(members).map(([name, value]) => `${name}=${String(value)}`);
  return {
    ...plain(request),
    target: `${path}?${[...query, ...(token ? [token] : [])].join("&")}`,
  };
}

export const pathOf = ({ target }: ApiRequest): string => target.split("?")[0]!;

/** The same with some parameters replaced. */
export function replace(request: ApiRequest, members: Json): ApiRequest {
  const [path = "", query = ""] = request.target.split("?");
  const remaining = query
    .split("&")
    .filter((part) => !Object.hasOwn(members, decodeURIComponent(part.split("=")[0]!)));
  const added = Object.entries(members).map(([name, value]) => `${name}=${String(value)}`);
  return { ...plain(request), target: `${path}?${[...remaining, ...added].join("&")}` };
}

export const text = (value: unknown): string => JSON.stringify(value);

export function bodyOf(reply: Reply): Json | null {
  return reply.status === 200 ? (readJson(readText(reply) ?? "") as Json) : null;
}

/** GeoJSON has it in `meta`. */
export const meta = (body: Json): Json => (body["meta"] ?? body) as Json;
