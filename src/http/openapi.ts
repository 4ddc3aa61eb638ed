/** GET /openapi.json (§4.2): made when it is first asked for; the small one for hosts names the address it was asked at. */
import type { Deployment } from "#api/deployment.ts";
import { toActions } from "#api/openapi-actions.ts";
import { toOpenApi } from "#api/openapi.ts";
import { createDocument } from "./document.ts";
import { type Exchange, sendRaw } from "./http-exchange.ts";
import type { Handler } from "./handler.ts";
import { JSON_TYPE } from "./reply-headers.ts";
import { ownOrigin } from "./own-origin.ts";
import { scanQuery } from "./query-decoder.ts";

/** Unknown names are ignored by the contract, so this one is no parameter of the operation. */
const NAMES: ReadonlyMap<string, number> = new Map([["for", 0]]);

export function createOpenApiHandler(deployment: Deployment): Handler {
  let sendWhole: ((exchange: Exchange) => void) | null = null;
  const sendActions = createActions(deployment);
  return (exchange) => {
    const [request] = scanQuery(exchange.request.query, NAMES);
    if (request === "actions") sendActions(exchange);
    else (sendWhole ??= createDocument(toOpenApiText(deployment)))(exchange);
  };
}

const SERVER = "<server>";

function createActions(deployment: Deployment): (exchange: Exchange) => void {
  let parts: string[] | null = null;
  return (exchange) => {
    parts ??= JSON.stringify(toActions(SERVER, deployment)).split(SERVER);
    // An origin has no letter that JSON would escape.
    const body = parts.join(ownOrigin(exchange.request.raw) ?? "/");
    // It repeats the caller's own host, so a cache must not keep it.
    const headers = ["content-type", JSON_TYPE, "cache-control", "no-store"];
    sendRaw(exchange, { status: 200, headers, body });
  };
}

/** Of the sandbox it is the committed openapi.json, byte for byte. */
export function toOpenApiText(deployment?: Deployment): string {
  return `${JSON.stringify(toOpenApi(deployment), null, 2)}\n`;
}
