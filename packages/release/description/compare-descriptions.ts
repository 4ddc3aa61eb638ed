/**
 * Comparison of a new description of the API with the old one (contract §9). Pure: two OpenAPI 3.1
 * documents in, every breaking change out. Additions are none.
 */
import { type BreakingChange, toBreaking } from "./description-finding.ts";
import {
  createReader,
  isEqual,
  type Node,
  type JsonResolver,
  toNodes,
  toNode,
} from "./schema-nodes.ts";
import type { Direction } from "./keywords.ts";
import { compareSchemas, type Pairing } from "./schemas.ts";

/** Lists breaking changes in the order of the old document; a shared component counts once. */
export function compareDescriptions(was: unknown, is: unknown): BreakingChange[] {
  const documents = createPair(toNode(was), toNode(is));
  const paths = toNode(documents.is["paths"]);
  const matches = Object.entries(toNode(documents.was["paths"])).flatMap(([path, item]) =>
    path in paths
      ? comparePath(path, toNode(item), toNode(paths[path]), documents)
      : [toBreaking("endpoint_removed", path)],
  );
  return [...new Map(matches.map((change) => [change.message, change])).values()];
}

type Pair = { was: Node; is: Node; readers: { was: JsonResolver; is: JsonResolver } } & Record<
  Direction,
  Pairing
>;

function createPair(was: Node, is: Node): Pair {
  const readers = { was: createReader(was), is: createReader(is) };
  const toPairing = (direction: Direction): Pairing => ({
    ...readers,
    direction,
    known: new Map(),
  });
  return { was, is, readers, request: toPairing("request"), response: toPairing("response") };
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

function comparePath(path: string, was: Node, is: Node, pair: Pair): BreakingChange[] {
  return METHODS.filter((method) => method in was).flatMap((method) => {
    const where = `${method.toUpperCase()} ${path}`;
    if (!(method in is)) return [toBreaking("operation_removed", where)];
    const [old, next] = [toNode(was[method]), toNode(is[method])];
    const of = (item: Node, operation: Node, reader: JsonResolver) =>
      toParameters([...toNodes(item["parameters"]), ...toNodes(operation["parameters"])], reader);
    const { readers } = pair;
    return [
      ...compareEntitlements(old, next, pair, where),
      ...compareParameters(of(was, old, readers.was), of(is, next, readers.is), pair, where),
      ...compareBody(old["requestBody"], next["requestBody"], pair, where),
      ...compareResponses(toNode(old["responses"]), toNode(next["responses"]), pair, where),
    ];
  });
}

/** Anonymous calls (`{}`), each credential, and each scope that does on its own (`x-scopes`). */
function compareEntitlements(was: Node, is: Node, pair: Pair, where: string): BreakingChange[] {
  const ways = (operation: Node, document: Node) =>
    toNodes(operation["security"] ?? document["security"] ?? [{}]).map(toNode);
  // An empty list of ways means that nothing is asked for.
  const open = ways(is, pair.is);
  const gone = (
    open.length === 0 ? [] : ways(was, pair.was).length === 0 ? [{}] : ways(was, pair.was)
  )
    .filter((way) => !open.some((other) => Object.keys(other).every((name) => name in way)))
    .map((way) => Object.keys(way).join(" and ") || "anonymous");
  const scopes = toNodes(is["x-scopes"]);
  const had = toNodes(was["x-scopes"]);
  const lost = scopes.length === 0 ? [] : had.length === 0 ? ["no scope"] : had;
  return [
    ...gone.map((way) => toBreaking("entitlement_removed", where, way)),
    ...lost
      .filter((scope) => !scopes.includes(scope))
      .map((scope) => toBreaking("entitlement_removed", where, String(scope))),
  ];
}

type Parameters = ReadonlyMap<string, Node>;

/** Maps parameters by place and name; those of the operation replace those of the path. */
function toParameters(list: readonly unknown[], reader: JsonResolver): Parameters {
  const parameters = list.map((one) => toText(reader.resolve(one)));
  return new Map(parameters.map((one) => [`${String(one["in"])} ${String(one["name"])}`, one]));
}

/** A list of known items with commas between them is the same value, described as text or as an array. */
function toText(parameter: Node): Node {
  const { style, explode, ...rest } = parameter;
  const { items: _, minItems: __, default: usual, ...schema } = toNode(parameter["schema"]);
  const isListed = schema["type"] === "array" && "x-items" in schema;
  if (!isListed || style !== "form" || explode !== false) return parameter;
  const fallback = usual === undefined ? {} : { default: toNodes(usual).join(",") };
  return { ...rest, schema: { ...schema, type: "string", ...fallback } };
}

function compareParameters(was: Parameters, is: Parameters, pair: Pair, where: string) {
  const matches = [...was].flatMap(([key, parameter]) => {
    const at = `${where}, parameter ${String(parameter["name"])}`;
    const next = is.get(key);
    if (next === undefined) return [toBreaking("parameter_removed", at)];
    const required = next["required"] === true && parameter["required"] !== true;
    return [
      ...(required ? [toBreaking("parameter_required", at)] : []),
      ...compareSchemas(parameter["schema"], next["schema"], pair.request, at),
      ...["style", "explode", "allowReserved"]
        .filter((keyword) => !isEqual(parameter[keyword], next[keyword]))
        .map((keyword) => toBreaking("unjudged", at, keyword)),
    ];
  });
  const added = [...is]
    .filter(([key, { required }]) => required === true && !was.has(key))
    .map(([, { name }]) => toBreaking("parameter_required", `${where}, parameter ${String(name)}`));
  return [...matches, ...added];
}

function compareBody(was: unknown, is: unknown, pair: Pair, where: string): BreakingChange[] {
  const [old, next] = [pair.readers.was.resolve(was), pair.readers.is.resolve(is)];
  if (was !== undefined && is === undefined) return [toBreaking("body_removed", where)];
  const required = next["required"] === true && old["required"] !== true;
  return [
    ...(required ? [toBreaking("body_required", where)] : []),
    ...compareContent(old, next, pair.request, `${where}, body`),
  ];
}

function compareResponses(was: Node, is: Node, pair: Pair, where: string): BreakingChange[] {
  return Object.keys(was).flatMap((status) => {
    const at = `${where}, ${status}`;
    if (!(status in is)) return [toBreaking("status_removed", at)];
    const [old, next] = [
      pair.readers.was.resolve(was[status]),
      pair.readers.is.resolve(is[status]),
    ];
    const [headers, left] = [toNode(old["headers"]), toNames(toNode(next["headers"]))];
    return [
      ...Object.keys(headers)
        .filter((name) => !left.has(name.toLowerCase()))
        .map((name) => toBreaking("header_removed", `${at}, ${name}`)),
      ...compareContent(old, next, pair.response, at),
    ];
  });
}

function toNames(headers: Node): Set<string> {
  return new Set(Object.keys(headers).map((name) => name.toLowerCase()));
}

function compareContent(was: Node, is: Node, pairing: Pairing, where: string): BreakingChange[] {
  const types = toNode(is["content"]);
  return Object.entries(toNode(was["content"])).flatMap(([type, content]) => {
    const at = `${where}, ${type}`;
    if (!(type in types)) return [toBreaking("media_type_removed", at)];
    return compareSchemas(toNode(content)["schema"], toNode(types[type])["schema"], pairing, at);
  });
}
