/** The published schema of the body, by a validator that knows nothing of the service. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { CapabilityRequestBody } from "#contract/capabilities.ts";

/** null: there is no JSON to be judged. */
export type SchemaJudge = (bytes: Buffer) => boolean | null;

export function createSchemaJudge(): SchemaJudge {
  const validate = new Ajv2020({ strict: true, allErrors: false }).compile(CapabilityRequestBody);
  return (bytes) => {
    const value = parse(bytes.toString());
    return value === undefined ? null : validate(value);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
