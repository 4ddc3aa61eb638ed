/** packages/client/index.d.ts: the types of the client, from the table of operations. */
import { readFileSync } from "node:fs";
import { PATHS, QUALITY_PATH, STATION_PATH, WEATHER_PATHS } from "#api/client/client.ts";
import { STREAM_PATH } from "#api/client/stream.ts";
import { MAPS_PROVIDER_ID, MAPS_PROVIDER_NAME } from "#api/deployment.ts";
import { LiveBye, LiveDelta, LiveItem, LiveSnapshot, LiveSource, LiveStatus } from "#api/live.ts";
import { type Json, toOpenApi, toSchema } from "#api/openapi.ts";
import type { Operation } from "#api/operation.ts";
import { listOperations } from "#api/operations.ts";
import { defaultOf, type Parameter } from "#api/primitives.ts";
import type { TSchema } from "typebox";
import { format } from "./format.ts";
import { type Schema, toComment, toKey, toType } from "./types.ts";

/** Files that the declarations repeat. */
const SHARED = ["reply.ts", "live-event.ts"].map(
  (name) => new URL(`../../packages/api/client/${name}`, import.meta.url),
);
/** What events of a stream have in them; only text in the description. */
const EVENTS = [LiveSnapshot, LiveDelta, LiveStatus, LiveBye, LiveItem, LiveSource];

type Description = {
  paths: Record<string, Record<string, { responses: Record<string, Success> }>>;
  components: { schemas: Record<string, Schema> };
};
type Success = { content: Record<string, { schema: Schema }> };

export function clientDeclarations(): string {
  // The placeholders stay: the types hold for every deployment.
  const maps = { id: MAPS_PROVIDER_ID, name: MAPS_PROVIDER_NAME };
  const description = toOpenApi({ maps }) as unknown as Description;
  const bodies = createBodies(description);
  const requests = Object.entries(PATHS).map(([name, path]) =>
    toParameterText(name, operationAt(path)),
  );
  const box = toParameterText("stream", withoutOnce(operationAt(STREAM_PATH)));
  const board = toParameterText("stationDepartures", operationAt(STATION_PATH));
  const methods = [
    ...Object.entries(PATHS).map(([name, path], at) =>
      toMethod(name, path, requests[at]!, bodies.nameAt(path)),
    ),
    ...Object.entries(WEATHER_PATHS).map(([name, path]) =>
      toMethod(
        name,
        path,
        { type: "WeatherQuery", text: "", optional: false },
        bodies.nameAt(path),
      ),
    ),
    `${toComment({ description: toWords(QUALITY_PATH) })}sourceQuality(source_id: string): Promise<Reply<${bodies.nameAt(QUALITY_PATH)}>>;`,
    `${toComment({ description: toWords(STATION_PATH) })}stationDepartures(station_id: string, query?: ${board.type}): Promise<Reply<${bodies.nameAt(STATION_PATH)}>>;`,
    toMethod("snapshot", STREAM_PATH, box, bodies.nameAt(STREAM_PATH)),
    `${toComment({ description: STREAM_WORDS })}stream(query: ${box.type}, options?: StreamOptions): AsyncGenerator<LiveEvent, void, undefined>;`,
  ];
  bodies.add(EVENTS);
  return format(
    "index.d.ts",
    [
      "// Made by npm run generate, from the table of operations of the service.",
      ...SHARED.map(readShared),
      "/** One method for each operation. */",
      `export type Client = {\n${methods.join("\n")}\n};\n`,
      "/** Returns one method for each operation; nothing is sent until one is called. */",
      "export declare function createClient(options: ClientOptions): Client;\n",
      "/** Brings the items of a box, and its sources, to the state after an event. */",
      "export declare function applyEvent(items: Map<string, LiveItem>, event: LiveEvent, sources?: Map<string, LiveSource>): void;\n",
      "/** Reason of a failed `fetch` as a short token, such as ECONNREFUSED. */",
      "export declare function reasonOf(error: unknown): string;\n",
      ...[...requests, board, box].map(({ text }) => text),
      ...bodies.write(),
    ].join("\n"),
  );
}

const STREAM_WORDS = `What enters, changes and leaves a box, as events, for as long as they are taken: GET ${STREAM_PATH}. It comes again by itself.`;

/** Without its first comment, and with names of this file in place of imports. */
function readShared(file: URL): string {
  return readFileSync(file, "utf8")
    .replace(/^\/\*\*.*\*\/\n/, "")
    .replace(/^import [^;]*;\n/gm, "");
}

/** The client says itself whether it wants the snapshot alone. */
function withoutOnce(operation: Operation): Operation {
  const { once: _, ...parameters } = operation.parameters;
  return { ...operation, parameters };
}

function operationAt(path: string): Operation {
  return listOperations().find((operation) => operation.path === path)!;
}

type ParameterText = { type: string; text: string; optional: boolean };

/** The query of a method; without parameters it has none. */
function toParameterText(method: string, { parameters }: Operation): ParameterText {
  const rows = Object.entries(parameters).filter(
    ([name, parameter]) => parameter.kind !== "secret" && !parameter.in && name !== "format",
  );
  if (rows.length === 0) return { type: "", text: "", optional: true };
  const type = `${method.slice(0, 1).toUpperCase()}${method.slice(1)}Query`;
  const members = rows.map(([name, parameter]) => toMember(name, parameter));
  const text = `export type ${type} = {\n${members.join("\n")}\n};\n`;
  return { type, text, optional: rows.every(([, { required }]) => !required) };
}

function toMember(name: string, parameter: Parameter): string {
  const fallback = parameter.implied ? undefined : defaultOf(parameter);
  const output = Array.isArray(fallback) ? fallback.join(",") : fallback;
  const also = output === undefined ? "" : ` Default: ${JSON.stringify(output)}.`;
  const comment = toComment({ description: `${parameter.description}${also}` });
  return `${comment}${toKey(name)}${parameter.required ? "" : "?"}: ${toValue(parameter)};`;
}

function toValue({ kind, choices = [] }: Parameter): string {
  const union = choices.map((choice) => JSON.stringify(choice)).join(" | ");
  switch (kind) {
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "choice":
      return union;
    case "list":
      return `string | ReadonlyArray<${union}>`;
    case "text":
    case "texts":
    case "pattern":
    case "coords":
    case "secret":
      return "string";
  }
}

function toMethod(name: string, path: string, request: ParameterText, body: string): string {
  const comment = toComment({ description: toWords(path) });
  const query = request.type === "" ? "" : `query${request.optional ? "?" : ""}: ${request.type}`;
  return `${comment}${name}(${query}): Promise<Reply<${body}>>;`;
}

function toWords(path: string): string {
  return `${operationAt(path).summary}: GET ${path}.`;
}

/** The bodies of the methods, and all that they refer to. */
function createBodies({ paths, components }: Description) {
  const reached = new Set<string>();
  return {
    nameAt(path: string): string {
      const { schema } = paths[path]!["get"]!.responses["200"]!.content["application/json"]!;
      return toType(schema, (name) => reached.add(name));
    },
    /** Schemas that no operation refers to. */
    add(schemas: readonly TSchema[]): void {
      const more = new Map<string, Json>();
      for (const schema of schemas)
        toType(toSchema(schema, more) as Schema, (name) => reached.add(name));
      for (const [name, schema] of more) components.schemas[name] ??= schema as Schema;
    },
    write(): string[] {
      const written = new Map<string, string>();
      // A set that grows while it is read is read to its new end.
      for (const name of reached) {
        const schema = components.schemas[name]!;
        const type = toType(schema, (other) => reached.add(other));
        written.set(name, `${toComment(schema)}export type ${name} = ${type};\n`);
      }
      return [...written].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    },
  };
}
