/** Answers of the admin listener: a body, or a refusal out of a closed list. */
import type { ServerResponse } from "node:http";
import type { AdminBody } from "#app/admin/shapes.ts";
import { JSON_TYPE } from "../reply-headers.ts";

export const ADMIN_STATUSES = {
  invalid_request: 400,
  invalid_token: 401,
  host_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  key_not_active: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  store_unavailable: 503,
} as const;

export type Code = keyof typeof ADMIN_STATUSES;

/** Account and key that a change concerns, for the audit log; null: none that is known. */
export type Subject = { account_id: string | null; key_id: string | null };

export type AdminRefusal = {
  ok: false;
  code: Code;
  message: string;
  headers?: Readonly<Record<string, string>>;
};

export type AdminAnswer =
  | { ok: true; status: 200 | 201; body: AdminBody; subject?: Subject }
  | AdminRefusal;

export function refuse(
  code: Code,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): AdminRefusal {
  return { ok: false, code, message, headers };
}

export function sendAnswer(response: ServerResponse, answer: AdminAnswer): void {
  if (answer.ok) return sendJson(response, answer.status, answer.body);
  const { code, message, headers } = answer;
  sendJson(response, ADMIN_STATUSES[code], { error: { code, message } }, headers);
}

/** Sends JSON; a text as `body` is sent as it is. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, {
    "content-type": JSON_TYPE,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(text);
}

/** Returns an id as it may be repeated and logged; null: it is none of ours, and may be a key. */
export function toKnownId(kind: "acc" | "key", text: string): string | null {
  return text.startsWith(`${kind}_`) && /^\w{1,44}$/.test(text) ? text : null;
}

/** Refuses an unknown id; a text that is no id of ours is not repeated. */
export function unknownIdRefusal(kind: "account" | "key", id: string): AdminRefusal {
  const listed = toKnownId(kind === "account" ? "acc" : "key", id) ?? "with such an id";
  return refuse("not_found", `there is no ${kind} ${listed}`);
}
