/** Validators compiled from the served description, so that the published document is tested. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Description, listOperations, type Tool } from "../description.ts";

export type Schemas = {
  /** Why a body does not fit what is described for an operation's status and type; null: it does. */
  problem(operation: string, status: number, type: string, body: unknown): string | null;
  /** Against a named schema of the document. */
  componentProblem(name: string, value: unknown): string | null;
  /** Against what a tool says that it gives. */
  toolProblem(name: string, value: unknown): string | null;
};

export function compileSchemas(description: Description, tools: readonly Tool[]): Schemas {
  const ajv = new Ajv2020({ strict: true, keywords: ["x-stability"] });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  const text = JSON.stringify(description).replaceAll("#/components/schemas/", "#/$defs/");
  const relocated = JSON.parse(text) as Description;
  const $defs = relocated.components.schemas;
  const cache = new Map<string, ValidateFunction>();
  for (const { id, responses } of listOperations(relocated))
    for (const [status, content] of Object.entries(responses))
      for (const [type, { schema }] of Object.entries(content))
        cache.set(`${id} ${status} ${type}`, ajv.compile({ ...schema, $defs }));
  const components = new Map<string, ValidateFunction>();
  for (const { name, outputSchema } of tools)
    if (outputSchema)
      cache.set(
        `tool ${name}`,
        new Ajv2020({ strict: false, validateFormats: false }).compile(outputSchema),
      );
  return {
    problem: (operation, status, type, body) =>
      explain(cache, `${operation} ${status} ${type}`, body),
    componentProblem: (name, value) => {
      if (!components.has(name))
        components.set(name, ajv.compile({ $ref: `#/$defs/${name}`, $defs }));
      return explain(components, name, value);
    },
    toolProblem: (name, value) => explain(cache, `tool ${name}`, value),
  };
}

function explain(cache: ReadonlyMap<string, ValidateFunction>, key: string, body: unknown) {
  const validate = cache.get(key);
  if (validate === undefined) return `${key} is not described`;
  if (validate(body)) return null;
  const [first] = validate.errors ?? [];
  return `the body breaks its schema: ${first?.instancePath ?? ""} ${first?.message ?? ""} ${JSON.stringify(first?.params)}`;
}
