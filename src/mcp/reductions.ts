/**
 * Arguments that are not applied as they were given (docs/agents.md, Answers): numbers above what the
 * operation takes, filters of things that are not searched for, and what another argument overrides.
 */
import type { AgentTool } from "#api/agent-tools.ts";
import type { AppliedWarning } from "#api/agent-warnings.ts";
import { defaultOf } from "#api/primitives.ts";
import type { ToolOutcome } from "./tool.ts";

type Args = Readonly<Record<string, unknown>>;

/** Lists them with what was applied; null: the argument has no effect. */
export function listReductions(
  {
    parameters,
    idle_without = {},
    idle_with = {},
  }: Pick<AgentTool, "parameters" | "idle_without" | "idle_with">,
  args: Args,
): AppliedWarning[] {
  return Object.entries(parameters).flatMap(([argument, parameter]): AppliedWarning[] => {
    const requested = args[argument];
    const { reduced_to = Infinity } = parameter;
    if (typeof requested === "number" && requested > reduced_to)
      return [{ argument, requested, applied: reduced_to }];
    const isGiven = requested !== undefined && requested !== defaultOf(parameter);
    const isIdle =
      lacks(args, idle_without[argument]) ||
      idle_with[argument]?.some((name) => args[name] === true);
    return isGiven && isIdle
      ? [{ argument, requested: requested as AppliedWarning["requested"], applied: null }]
      : [];
  });
}

function lacks(args: Args, without: { argument: string; value: string } | undefined): boolean {
  if (!without) return false;
  const given = args[without.argument];
  return Array.isArray(given) && !given.includes(without.value);
}

/** Adds them to an answer. */
export function stateReductions(
  outcome: ToolOutcome,
  warnings: readonly AppliedWarning[],
): ToolOutcome {
  if (outcome.kind === "refused" || warnings.length === 0) return outcome;
  return { ...outcome, answer: { ...outcome.answer, warnings } };
}
