/** POST /v1/capabilities once its body is read (§4.8): which capability, and whether it is a repeat. */
import { type Caller, ownerOf } from "#app/access/request-caller.ts";
import { CAPABILITY_ROWS, CONTRACT_VERSION } from "#api/capabilities.ts";
import { canonicalJson } from "#kit/canonical-json.ts";
import type { CapabilityRequest } from "#core/capabilities/capability-request.ts";
import type { Datasets } from "#ports.ts";
import { toApplied, toErrorObservation, UNDER_WAY } from "./search-observation.ts";
import type { ReadDataset } from "./dataset-read.ts";
import type { ObservationReply, SearchCapability } from "./stored-search.ts";
import { type CapabilityTurn, CapabilityTurns, type TurnsDeps } from "./search-turns.ts";

type CapabilityReply =
  | { kind: "ok"; body: Uint8Array; free: boolean }
  | Extract<ObservationReply, { kind: "refused" }>
  | Extract<Awaited<ReturnType<ReadDataset>>, { kind: "refused" }>;

/** An execution before it is permitted. */
export type Begun = {
  /** Costs nothing: the capability is free, or it repeats what the caller asked a moment ago. */
  free: boolean;
  /** null: nothing is shared with equal requests. */
  turn: CapabilityTurn | null;
  /** Gives up what is not executed; to be called once the reply has left. */
  end(): void;
};

/**
 * Begins an execution: the first of equal requests claims it, the others wait for its observation,
 * which is answered whatever is left of the caller's units.
 */
export type Begin = (
  capability_request: CapabilityRequest,
  caller: Caller,
  deadline_ms: number,
) => Promise<Begun>;

export type Execute = (
  capability_request: CapabilityRequest,
  who: { caller: Caller; remaining_units: number | null; now_ms: number; deadline_ms: number },
  begun: Begun,
) => Promise<CapabilityReply>;

export type ExecuteDeps = Omit<TurnsDeps, "datasets"> & {
  search: SearchCapability;
  read: ReadDataset;
  datasets: Pick<Datasets, "findRepeat" | "read" | "secret">;
  /** SHA-256. */
  hash: (bytes: Uint8Array) => Uint8Array;
};

const encoder = new TextEncoder();

export function createExecute(deps: ExecuteDeps): { begin: Begin; execute: Execute } {
  const { search, read, datasets, hash, clock } = deps;
  const turns = new CapabilityTurns(deps);
  /** With the secret: it is stored, and must not reveal which caller asked what. */
  const toKey = (capability_request: CapabilityRequest, caller: Caller): Uint8Array => {
    const question = `${callerKeyOf(caller)} ${canonicalJson(capability_request.body)}`;
    return hash(Buffer.concat([datasets.secret, encoder.encode(question)]));
  };
  const begin: Begin = async (capability_request, caller, deadline_ms) => {
    if (CAPABILITY_ROWS[capability_request.request.capability].free) return FREE;
    const turn = await turns.take(toKey(capability_request, caller), deadline_ms);
    if (turn.kind !== "first") return { ...FREE, turn };
    return { free: false, turn, end: () => turn.work.end() };
  };
  const execute: Execute = async (capability_request, who, { turn }) => {
    const { request, freshness_policy: policy, correlation } = capability_request;
    switch (request.capability) {
      case "read_dataset": {
        const match = await read(request.args, "observation", who);
        return match.kind === "ok" ? wrap(correlation, match.bytes, true) : match;
      }
      case "search_mobility": {
        const { args } = request;
        if (turn?.kind === "repeat") return wrapReply(correlation, turn.reply, true);
        if (turn?.kind === "late") {
          const query = toApplied({ args, policy }, args);
          const observation = toErrorObservation(query, [UNDER_WAY], clock.now());
          return wrap(correlation, Buffer.from(JSON.stringify(observation)), true);
        }
        const repeat_key = toKey(capability_request, who.caller);
        const reply = await search({ args, policy }, { ...who, repeat_key });
        turn?.work.finish(reply);
        return wrapReply(correlation, reply, reply.kind === "ok" && reply.free);
      }
    }
  };
  return { begin, execute };
}

const FREE: Begun = { free: true, turn: null, end: () => undefined };

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
