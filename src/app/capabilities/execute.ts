/** POST /v1/capabilities once its body is read (§4.8): which capability, and whether it is a repeat. */
import { type Caller, ownerOf } from "#app/access/caller.ts";
import { CONTRACT_VERSION } from "#contract/capabilities.ts";
import { canonicalJson } from "#core/canonical-json.ts";
import type { CapabilityRequest } from "#core/capabilities/request.ts";
import type { Datasets } from "#ports.ts";
import type { ReadDataset } from "./read.ts";
import { createRepeats, REPEAT_MS } from "./repeats.ts";
import type { SearchCapability, ObservationReply } from "./search.ts";

type CapabilityReply =
  | { kind: "ok"; body: Uint8Array; free: boolean }
  | Extract<ObservationReply, { kind: "refused" }>
  | Extract<Awaited<ReturnType<ReadDataset>>, { kind: "refused" }>;

export type Execute = (
  asked: CapabilityRequest,
  who: { caller: Caller; remaining_units: number | null; now_ms: number; deadline_ms: number },
) => Promise<CapabilityReply>;

export type ExecuteDeps = {
  search: SearchCapability;
  read: ReadDataset;
  datasets: Pick<Datasets, "findRepeat" | "read" | "secret">;
  /** SHA-256. */
  hash: (bytes: Uint8Array) => Uint8Array;
};

/**
 * Reports whether the same caller asked the same before, which is answered whatever is left of the
 * caller's units. Asked ahead of each execution: it also looks for an answer that another process
 * gave.
 */
export type IsRepeat = (
  asked: CapabilityRequest,
  caller: Caller,
  now_ms: number,
) => Promise<boolean>;

const encoder = new TextEncoder();

export function createExecute({ search, read, datasets, hash }: ExecuteDeps): {
  execute: Execute;
  isRepeat: IsRepeat;
} {
  const repeats = createRepeats<ObservationReply>();
  /** With the secret: it is stored, and must not reveal which caller asked what. */
  const toKey = (asked: CapabilityRequest, caller: Caller): Uint8Array => {
    const question = `${callerKeyOf(caller)} ${canonicalJson(asked.body)}`;
    return hash(Buffer.concat([datasets.secret, encoder.encode(question)]));
  };
  const execute: Execute = async (asked, who) => {
    const { request, freshness_policy: policy, correlation } = asked;
    switch (request.capability) {
      case "read_dataset": {
        const found = await read(request.args, "observation", who);
        return found.kind === "ok" ? wrap(correlation, found.bytes, true) : found;
      }
      case "search_mobility": {
        const repeat_key = toKey(asked, who.caller);
        const name = toName(repeat_key);
        const first = repeats.recall(name, who.now_ms);
        if (first) return wrapReply(correlation, await first, true);
        const outcome = search({ args: request.args, policy }, { ...who, repeat_key });
        repeats.remember(name, who.now_ms, outcome, ({ kind }) => kind === "ok");
        const reply = await outcome;
        return wrapReply(correlation, reply, reply.kind === "ok" && reply.free);
      }
    }
  };
  const isRepeat: IsRepeat = async (asked, caller, now_ms) => {
    const repeat_key = toKey(asked, caller);
    const name = toName(repeat_key);
    if (repeats.recall(name, now_ms) !== null) return true;
    const found = await datasets.findRepeat(repeat_key, now_ms - REPEAT_MS + 1);
    // One of a later time was made before the system clock was set back: its age is unknown.
    if (found === null || found.made_at_ms - now_ms >= REPEAT_MS) return false;
    const stored = await datasets.read(found.id, "observation");
    if (stored.status !== "ok") return false;
    // Another retry may have been quicker.
    if (repeats.recall(name, now_ms) === null) {
      const reply: ObservationReply = { kind: "ok", observation: stored.bytes, free: true };
      repeats.remember(name, found.made_at_ms, Promise.resolve(reply), () => true);
    }
    return true;
  };
  return { execute, isRepeat };
}

function toName(repeat_key: Uint8Array): string {
  return Buffer.from(repeat_key).toString("base64");
}

/** The key, or the client's address (decisions, Capabilities). */
function callerKeyOf(caller: Caller): string {
  return caller.kind === "keyed" ? caller.key_id : ownerOf(caller);
}

function wrapReply(correlation: unknown, reply: ObservationReply, free: boolean): CapabilityReply {
  return reply.kind === "ok" ? wrap(correlation, reply.observation, free) : reply;
}

/** The observation goes out as the bytes that were stored. */
function wrap(correlation: unknown, observation: Uint8Array, free: boolean): CapabilityReply {
  const head = `{"contract_version":"${CONTRACT_VERSION}","correlation":${JSON.stringify(correlation)},"observation":`;
  return { kind: "ok", body: Buffer.concat([Buffer.from(head), observation, CLOSE]), free };
}

const CLOSE = Buffer.from("}");
