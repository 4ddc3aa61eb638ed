/** POST /v1/capabilities once its body is read (§4.8): which capability, and whether it is a repeat. */
import { type Caller, ownerOf } from "#app/access/caller.ts";
import { CONTRACT_VERSION } from "#contract/capabilities.ts";
import { canonicalJson } from "#core/canonical-json.ts";
import type { CapabilityRequest } from "#core/capabilities/request.ts";
import type { ReadDataset } from "./read.ts";
import { createRepeats } from "./repeats.ts";
import type { Search, SearchReply } from "./search.ts";

export type CapabilityReply =
  | { kind: "ok"; body: Uint8Array; free: boolean }
  | Extract<SearchReply, { kind: "refused" }>
  | Extract<Awaited<ReturnType<ReadDataset>>, { kind: "refused" }>;

export type Execute = (
  asked: CapabilityRequest,
  who: { caller: Caller; remaining_units: number | null; now_ms: number; deadline_ms: number },
) => Promise<CapabilityReply>;

export type ExecuteDeps = {
  search: Search;
  read: ReadDataset;
  /** SHA-256. */
  hash: (bytes: Uint8Array) => Uint8Array;
};

/** The same as before from the same caller, which is answered whatever is left of his units. */
export type IsRepeat = (asked: CapabilityRequest, caller: Caller, now_ms: number) => boolean;

const encoder = new TextEncoder();

export function createExecute({ search, read, hash }: ExecuteDeps): {
  execute: Execute;
  isRepeat: IsRepeat;
} {
  const repeats = createRepeats<SearchReply>();
  const toKey = (asked: CapabilityRequest, caller: Caller): string => {
    const digest = hash(encoder.encode(canonicalJson(asked.body)));
    return `${callerKeyOf(caller)} ${Buffer.from(digest).toString("base64")}`;
  };
  const execute: Execute = async (asked, who) => {
    const { request, freshness_policy: policy, correlation } = asked;
    if (request.capability === "read_dataset") {
      const found = await read(request.args, "observation", who);
      return found.kind === "ok" ? wrap(correlation, found.bytes, true) : found;
    }
    const key = toKey(asked, who.caller);
    const first = repeats.recall(key, who.now_ms);
    if (first) return tell(correlation, await first, true);
    const outcome = search({ args: request.args, policy }, who);
    repeats.remember(key, who.now_ms, outcome, ({ kind }) => kind === "ok");
    const reply = await outcome;
    return tell(correlation, reply, reply.kind === "ok" && reply.free);
  };
  const isRepeat: IsRepeat = (asked, caller, now_ms) =>
    repeats.recall(toKey(asked, caller), now_ms) !== null;
  return { execute, isRepeat };
}

/** The key, or the client's address (decisions, Capabilities). */
function callerKeyOf(caller: Caller): string {
  return caller.kind === "keyed" ? caller.key_id : ownerOf(caller);
}

function tell(correlation: unknown, reply: SearchReply, free: boolean): CapabilityReply {
  return reply.kind === "ok" ? wrap(correlation, reply.observation, free) : reply;
}

/** The observation goes out as the bytes that were stored. */
function wrap(correlation: unknown, observation: Uint8Array, free: boolean): CapabilityReply {
  const head = `{"contract_version":"${CONTRACT_VERSION}","correlation":${JSON.stringify(correlation)},"observation":`;
  return { kind: "ok", body: Buffer.concat([Buffer.from(head), observation, CLOSE]), free };
}

const CLOSE = Buffer.from("}");
