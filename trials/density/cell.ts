/** A cell of the trial: whose it is, the question, and where it is put. */
import type { AgentToolName } from "#api/agent-tools.ts";
import type { OperationId } from "#api/operations.ts";
import type { Ask, SentRequest, StageName } from "./stage.ts";
import { post } from "./ways.ts";

/** What a cell is of. */
type Owner = OperationId | `tool ${AgentToolName}` | (typeof OTHERS)[number];
export const OTHERS = ["photon", "tiles", "mcp"] as const;

type Site = { ask: Ask; key: string };
export type Cell = {
  of: Owner;
  what: string;
  stage: StageName;
  /** Makes the request of each number, which are no repeats of each other. */
  make(site: Site): Promise<(number: number) => SentRequest>;
};

/** The same request each time. */
export function always(request: SentRequest): Cell["make"] {
  return () => Promise.resolve(() => request);
}

/** A city of the simulator with sources of every kind. */
export const CITY = { lat: 48.8566, lon: 2.3522 };

/** A search of a capability; the radius makes it another one each time, and finds the same. */
export function search(at: object, number: number): SentRequest {
  return post("/v1/capabilities", {
    contract_version: "1.0.0",
    correlation: {
      ...{ conversation_id: "density", interaction_id: "1", turn_id: 1, request_id: `r-${number}` },
      parent_request_id: null,
    },
    request: {
      capability: "search_mobility",
      args: { ...at, limit: 100, radius: 400 - number / 1000 },
    },
    freshness_policy: null,
  });
}
