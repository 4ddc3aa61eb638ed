/**
 * What decides, and has no place in a layer that only wires: `switch`, timers, and constants of policy,
 * which are names that end in `_MS` and numbers other than those of places in lists and of units.
 */
import { isNode, type ModuleState, type Node } from "./state.ts";

const TIMERS = new Set(["setTimeout", "setInterval", "schedule"]);
/** First, second and third of a list, and milliseconds of a second. */
const PLAIN = new Set<unknown>([0, 1, 2, 1000]);

export function findDecisions(program: Node): ModuleState[] {
  const matches: ModuleState[] = [];
  const visit = (node: Node): void => {
    const name = decisionOf(node);
    if (name !== null) matches.push({ name, start: node.start });
    for (const member of Object.values(node))
      for (const child of Array.isArray(member) ? (member as unknown[]) : [member])
        if (isNode(child)) visit(child);
  };
  visit(program);
  return matches;
}

function decisionOf(node: Node): string | null {
  if (node.type === "SwitchStatement") return "switch";
  if (node.type === "Literal" && typeof node["value"] === "number")
    return PLAIN.has(node["value"]) ? null : `the number ${node["value"]}`;
  if (node.type !== "Identifier") return null;
  const name = String(node["name"]);
  return TIMERS.has(name) || name.endsWith("_MS") ? name : null;
}
