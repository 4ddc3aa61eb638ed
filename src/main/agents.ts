/** The tools for agents of a deployment, put together over the same use cases as the operations. */
import { randomBytes } from "node:crypto";
import { setImmediate as toNextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { AnswerMcp } from "#app/mcp.ts";
import type { Config } from "#config/load.ts";
import { createAgentMap } from "#http/pages/agent-map.ts";
import { createLookAround } from "#app/surroundings.ts";
import type { McpDeps } from "#mcp/face.ts";
import type { Capabilities } from "./capabilities/open-capabilities.ts";

export type AgentParts = Pick<
  McpDeps,
  | (
      | "clock"
      | "searches"
      | "termsOf"
      | "version"
      | "findOne"
      | "weather"
      | "watch"
      | "readStation"
      | "lookAtThing"
      | "findIntended"
      | "live"
    )
  | ("timezones" | "statedZone" | "walks")
> & {
  config: Pick<Config, "deadlines_ms">;
  capabilities: Pick<Capabilities, "search" | "read">;
  log: Logger;
} & Parameters<typeof createLookAround>[0];

const nextTurn = (): Promise<void> => toNextTurn();

/** The protocol's library is loaded when the first agent asks: it would hold the start up by 0.1 s. */
export function openMcp({ config, capabilities, log, ...parts }: AgentParts): AnswerMcp {
  let loading: Promise<AnswerMcp> | null = null;
  const load = async (): Promise<AnswerMcp> => {
    const { createMcp } = await import("#mcp/face.ts");
    return createMcp({
      ...parts,
      ...capabilities,
      lookAround: createLookAround({ ...parts, pause: nextTurn }),
      pause: nextTurn,
      random: randomBytes,
      deadlines_ms: config.deadlines_ms,
      readMap: createAgentMap(parts.version),
      onFault: (err) => log.error({ err }, "mcp"),
    });
  };
  return async (message, passage) => {
    const answer = await (loading ??= load());
    return answer(message, passage);
  };
}
