/** Replies as the revision of a message has them, where the protocol's library has them otherwise. */
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { WholeReply } from "#app/mcp.ts";
import { errorRow } from "#api/errors.ts";
import { parseJson } from "#kit/json.ts";
import { isObject } from "#core/members/member-rules.ts";

type Members = Readonly<Record<string, unknown>>;

const RESOURCE_NOT_FOUND = -32_002;

/**
 * Replies of the revisions that begin with `initialize`. Of its parameters the library says -32603,
 * with details, where they have another form; that code is for defects, which have our message.
 */
export function toHandshakeReply(reply: WholeReply): WholeReply {
  const valid = rewrite(reply, String(ProtocolErrorCode.InternalError), ({ error }) => {
    if (!isObject(error) || error["code"] !== ProtocolErrorCode.InternalError) return {};
    if (error["message"] === DEFECT) return {};
    return { error: { code: ProtocolErrorCode.InvalidParams, message: "invalid params" } };
  });
  return withMissingCode(valid);
}

const DEFECT = errorRow("internal").example;

/** Until 2025-11-25 a missing resource has a code of its own; the library has the later one alone. */
function withMissingCode(reply: WholeReply): WholeReply {
  return rewrite(reply, String(ProtocolErrorCode.InvalidParams), ({ error }) => {
    if (!isObject(error) || error["code"] !== ProtocolErrorCode.InvalidParams) return {};
    const { data } = error;
    const isMissing = isObject(data) && Object.keys(data).join() === "uri";
    return isMissing ? { error: { ...error, code: RESOURCE_NOT_FOUND } } : {};
  });
}

/**
 * The library names its stateless revisions alone, in discovery and to a caller whose revision is
 * not served; both lists must agree.
 */
export function toStatelessReply(reply: WholeReply, supported: readonly string[]): WholeReply {
  const refused = String(ProtocolErrorCode.UnsupportedProtocolVersion);
  const match = rewrite(reply, '"supportedVersions"', ({ result }) =>
    isObject(result) && Array.isArray(result["supportedVersions"])
      ? { result: { ...result, supportedVersions: supported } }
      : {},
  );
  return rewrite(match, refused, ({ error }) => {
    if (!isObject(error) || String(error["code"]) !== refused) return {};
    const data = isObject(error["data"]) ? error["data"] : {};
    return { error: { ...error, data: { ...data, supported } } };
  });
}

/** Replaces members of a message; a reply, which may be large, is parsed where it has the text. */
function rewrite(
  reply: WholeReply,
  text: string,
  change: (message: Members) => Members,
): WholeReply {
  if (reply.type !== "json" || !reply.body.includes(text)) return reply;
  const message = parseJson(reply.body);
  if (!isObject(message)) return reply;
  return { ...reply, body: JSON.stringify({ ...message, ...change(message) }) };
}
