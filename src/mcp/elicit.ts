/**
 * Asks the person which place a name means, where the host can (docs/agents.md): the call is answered
 * with a question of its own, and comes again with what was chosen. For other hosts, and where the
 * person does not choose, the candidates are in the refusal.
 */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isObject } from "#core/members/member-rules.ts";
import type { ToolFailure } from "./tool.ts";

/** What a request says of its host, and what a person answered to an earlier question. */
export type Round = Pick<ServerContext["mcpReq"], "envelope" | "inputResponses">;

/** Replaces the names that the person chose a place for by its `lat,lon`; it is read like any text. */
export function withChosen(args: unknown, { inputResponses = {} }: Round): unknown {
  const chosen = Object.keys(inputResponses).flatMap((argument) => {
    const place = acceptedContent(inputResponses, argument)?.["place"];
    const isNamed = isObject(args) && typeof args[argument] === "string";
    return isNamed && typeof place === "string" ? [[argument, place]] : [];
  });
  return chosen.length === 0 ? args : { ...(args as object), ...Object.fromEntries(chosen) };
}

/** Null: the host cannot ask, the person was asked before, or choosing would not be enough. */
export function askWhich(failure: ToolFailure, round: Round): InputRequiredResult | null {
  const uncertain = [failure, ...(failure.others ?? [])];
  const canChoose = uncertain.every(({ candidates }) => candidates !== undefined);
  if (!canChoose || !canAsk(round) || round.inputResponses !== undefined) return null;
  const questions = uncertain.map(({ argument = "near", candidates = [] }) => {
    const choices = candidates.map(({ label, lat, lon, kind }) => ({
      const: `${lat},${lon}`,
      title: `${label} (${kind})`,
    }));
    const place = { type: "string" as const, title: "Place", oneOf: choices };
    const requestedSchema = { type: "object" as const, properties: { place }, required: ["place"] };
    const message = `Which place is meant by "${argument}"?`;
    return [argument, inputRequired.elicit({ mode: "form", message, requestedSchema })];
  });
  return inputRequired({ inputRequests: Object.fromEntries(questions) });
}

/** An empty capability means forms. */
function canAsk({ envelope }: Round): boolean {
  const stated = (envelope as Readonly<Record<string, unknown>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  const elicitation = isObject(stated) ? stated["elicitation"] : undefined;
  return isObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}
