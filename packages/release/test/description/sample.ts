/** A small description with one of everything that the comparison looks at, and ways to change it. */

export type Tree = { [member: string]: any };

const error = {
  description: "Refused.",
  headers: { "x-request-id": { schema: { type: "string" } } },
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

/** GET /things reads (all that is in `Thing` is in a response), POST /things sends `Wish`. */
export const SAMPLE: Tree = {
  openapi: "3.1.0",
  info: { title: "Sample", version: "1.1.0" },
  security: [{}, { bearer: [] }],
  paths: {
    "/things": {
      parameters: [{ $ref: "#/components/parameters/Token" }],
      get: {
        "x-scopes": ["data:read", "geography:read"],
        parameters: [
          { name: "lat", in: "query", required: true, schema: { type: "number", minimum: -90 } },
          { name: "limit", in: "query", schema: { type: "integer", maximum: 200, default: 50 } },
          {
            name: "modes",
            in: "query",
            schema: { type: "string", pattern: "^(a|b)$", "x-items": ["a", "b"] },
          },
          { name: "format", in: "query", schema: { type: "string", enum: ["json", "geojson"] } },
        ],
        responses: {
          200: {
            headers: { ETag: { schema: { type: "string" } } },
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Things" } },
              "application/geo+json": { schema: { type: "object" } },
            },
          },
          400: error,
        },
      },
      post: {
        security: [{ bearer: [] }],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Wish" } } },
        },
        responses: { 200: { description: "Taken." }, 400: error },
      },
    },
    "/health": { get: { security: [], responses: { 200: { description: "Well." } } } },
  },
  components: {
    parameters: { Token: { name: "token", in: "query", schema: { type: "string" } } },
    schemas: {
      Error: { type: "object", properties: { error: { type: "string" } }, required: ["error"] },
      Things: {
        type: "object",
        properties: {
          total: { type: "integer", minimum: 0 },
          things: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
          best: { anyOf: [{ $ref: "#/components/schemas/Thing" }, { type: "null" }] },
          grade: { anyOf: [{ enum: ["none"] }, { type: "integer" }] },
          counts: { type: "object", additionalProperties: { type: "integer" } },
          point: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }] },
        },
        required: ["total", "things"],
      },
      Thing: {
        allOf: [
          { $ref: "#/components/schemas/Base" },
          {
            type: "object",
            properties: {
              state: { type: "string", enum: ["open", "closed"] },
              inner: { $ref: "#/components/schemas/Thing" },
              note: { type: ["string", "null"] },
              seen_at: { type: "string", format: "date-time" },
              shape: {
                oneOf: [
                  { type: "object", properties: { round: { type: "boolean" } } },
                  { type: "object", properties: { sides: { type: "integer" } } },
                ],
              },
              flags: { type: "object", patternProperties: { "^x_": { type: "boolean" } } },
            },
            required: ["state"],
          },
        ],
      },
      Base: {
        type: "object",
        properties: { id: { type: "string" }, kind: { const: "thing" }, size: { type: "number" } },
        required: ["id"],
      },
      Wish: {
        type: "object",
        properties: {
          name: { type: "string", maxLength: 10 },
          kind: { type: "string", enum: ["a", "b"] },
          note: { type: ["string", "null"] },
          more: { type: "object" },
          list: { type: "array" },
          amount: { oneOf: [{ type: "integer" }, { type: "string" }] },
        },
        required: ["name"],
      },
    },
  },
};

export const thing = (tree: Tree): Tree => tree["components"].schemas.Thing.allOf[1];
export const base = (tree: Tree): Tree => tree["components"].schemas.Base;
export const things = (tree: Tree): Tree => tree["components"].schemas.Things;
export const wish = (tree: Tree): Tree => tree["components"].schemas.Wish;
export const get = (tree: Tree): Tree => tree["paths"]["/things"].get;
export const post = (tree: Tree): Tree => tree["paths"]["/things"].post;
export const parameter = (tree: Tree, name: string): Tree =>
  get(tree)["parameters"].find((one: Tree) => one["name"] === name);

/** The tree with one change made to a copy of it. */
export function change(tree: Tree, make: (copy: Tree) => unknown): Tree {
  const copy = structuredClone(tree);
  make(copy);
  return copy;
}
