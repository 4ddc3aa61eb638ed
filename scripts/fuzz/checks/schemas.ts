/** Validators compiled from the served description, so that the published document is tested. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Node = { [member: string]: unknown };
export type OpenApi = Node & { paths: Record<string, Record<string, Node>> };

export type Schemas = {
  /** Statuses documented for a path. */
  statuses(path: string): readonly number[];
  /** Why the body does not fit; null: it does. undefined type: nothing is documented there. */
  problem(place: Place, body: unknown): string | null;
  /** Against a named schema of the document. */
  componentProblem(name: string, value: unknown): string | null;
  /** For replies that precede matching. */
  errorProblem(body: unknown): string | null;
};
type Place = { path: string; status: number; type: string };

export function compileSchemas(document: OpenApi): Schemas {
  const ajv = new Ajv2020({ strict: true, keywords: ["x-stability"] });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  const $defs = relocate((document["components"] as Node)["schemas"]) as Node;
  const compile = (schema: unknown): ValidateFunction =>
    ajv.compile({ ...(relocate(schema) as Node), $defs });
  const known = new Map<string, ValidateFunction>();
  const statuses = new Map<string, number[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    const responses = (operations["get"] ?? operations["post"])!["responses"] as Record<
      string,
      Node
    >;
    statuses.set(path, Object.keys(responses).map(Number));
    for (const [status, response] of Object.entries(responses)) {
      const content = (response["content"] ?? {}) as Record<string, Node>;
      for (const [type, { schema }] of Object.entries(content))
        known.set(keyOf({ path, status: Number(status), type }), compile(schema));
    }
  }
  const components = new Map<string, ValidateFunction>();
  const componentOf = (name: string): ValidateFunction => {
    const validate = components.get(name) ?? compile({ $ref: `#/components/schemas/${name}` });
    components.set(name, validate);
    return validate;
  };
  return {
    statuses: (path) => statuses.get(path) ?? [],
    problem: (place, body) => {
      const validate = known.get(keyOf(place));
      return validate ? explain(validate, body) : `${keyOf(place)} is not documented`;
    },
    componentProblem: (name, value) => explain(componentOf(name), value),
    errorProblem: (body) => explain(componentOf("Error"), body),
  };
}

const keyOf = ({ path, status, type }: Place): string => `${path} ${status} ${type}`;

function explain(validate: ValidateFunction, body: unknown): string | null {
  if (validate(body)) return null;
  const [first] = validate.errors ?? [];
  return `the body breaks its schema: ${first?.instancePath ?? ""} ${first?.message ?? ""} ${JSON.stringify(first?.params)}`;
}

/** `#/components/schemas/X` → `#/$defs/X`: the schema stands alone with its definitions. */
function relocate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(relocate);
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) =>
      name === "$ref" && typeof value === "string"
        ? [name, value.replace("#/components/schemas/", "#/$defs/")]
        : [name, relocate(value)],
    ),
  );
}
