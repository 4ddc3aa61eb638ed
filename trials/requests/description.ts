/** The description that the service publishes (/openapi.json) and the tools that /mcp lists. */

/** The subset of JSON Schema that the description uses. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: readonly (string | number)[];
  const?: unknown;
  default?: string | number | boolean;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  /** The members of a list that is written as one text with commas. */
  "x-items"?: readonly string[];
};

export type Parameter = { in: "query" | "path"; name: string; required?: boolean; schema: Schema };
type Content = Readonly<Record<string, { schema: Schema }>>;
type DescribedOperation = {
  operationId?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
  security?: readonly object[];
};

export type Description = {
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
};
export type Tool = { name: string; inputSchema: Schema; outputSchema?: object };

export type Operation = {
  id: string;
  /** GET or POST. */
  method: string;
  /** With `{name}` for each path parameter. */
  path: string;
  parameters: readonly Parameter[];
  body: Schema | null;
  /** Status, then content type. */
  responses: Readonly<Record<string, Content>>;
  /** Whether a caller without a credential is refused. */
  keyed: boolean;
};

/**
 * Lists the operations whose answers are JSON. Streams and tiles are judged by programs of their own
 * (docs/lab/live-map.md).
 */
export function listOperations({ paths }: Description): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const { operationId, parameters = [], requestBody, responses, security = [] } = described;
      const types = Object.keys(responses["200"]?.content ?? {});
      if (operationId === undefined || !types.every((type) => type.endsWith("json"))) return [];
      return [
        {
          id: operationId,
          method: method.toUpperCase(),
          path,
          parameters,
          body: requestBody?.content["application/json"]?.schema ?? null,
          responses: Object.fromEntries(
            Object.entries(responses).map(([status, { content = {} }]) => [status, content]),
          ),
          keyed: security.length > 0 && security.every((way) => Object.keys(way).length > 0),
        },
      ];
    }),
  );
}

/** Follows a reference into the components. */
export function resolveIn({ components }: Description): (schema: Schema) => Schema {
  return (schema) => {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : (components.schemas[name] ?? {});
  };
}
