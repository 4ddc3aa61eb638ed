/** GET /openapi.json (§4.2): made once. */
import type { Deployment } from "#contract/deployment.ts";
import { toOpenApi } from "#contract/openapi.ts";
import { createDocument } from "./document.ts";
import type { Handler } from "./handler.ts";

export function createOpenApiHandler(deployment: Deployment): Handler {
  return createDocument(toOpenApiText(deployment));
}

/** Of the sandbox it is the committed openapi.json, byte for byte. */
export function toOpenApiText(deployment?: Deployment): string {
  return `${JSON.stringify(toOpenApi(deployment), null, 2)}\n`;
}
