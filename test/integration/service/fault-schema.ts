/** Holds answers to the description that the service itself serves. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Client } from "./support.ts";

/** The fault of a body of that status; null: none. */
export type Validate = (path: string, status: number, body: unknown) => string | null;

/** Many services serve the same description. */
const cache = new Map<string, Validate>();

/** `routes`: those whose answers will be judged. */
export async function createValidator(
  client: Client,
  url: string,
  routes: readonly string[],
): Promise<Validate> {
  const { text } = await client.call(`${url}/openapi.json`);
  const key = `${routes.join()} ${text}`;
  const match = cache.get(key) ?? compile(text, routes);
  cache.set(key, match);
  return match;
}

type Description = {
  paths: Record<string, { get: { responses: Record<string, object> } }>;
};

/** All at once and before the first question: compiling takes time that would count as an answer's. */
function compile(text: string, routes: readonly string[]): Validate {
  const description = JSON.parse(text) as Description;
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema(description, "api");
  const compiled = new Map<string, ValidateFunction>();
  for (const path of routes)
    for (const status of Object.keys(description.paths[path]!.get.responses)) {
      const pointer = `/paths/${path.replaceAll("/", "~1")}/get/responses/${status}`;
      const $ref = `api#${pointer}/content/application~1json/schema`;
      compiled.set(`${status} ${path}`, ajv.compile({ $ref }));
    }
  return (path, status, body) => {
    const fits = compiled.get(`${status} ${path}`);
    if (!fits) return `status ${status} of ${path} is not described`;
    return fits(body) ? null : ajv.errorsText(fits.errors);
  };
}
