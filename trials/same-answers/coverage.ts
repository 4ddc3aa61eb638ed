/** What can be asked, derived from the code, and what of it no step asks. */
import { AGENT_PROMPTS } from "#api/agent-prompts.ts";
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { ERRORS } from "#api/errors.ts";
import { listOperations } from "#api/operations.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import type { Recording } from "./recording.ts";

/** Operations, tools, prompts and commands by the names that steps have as their parts. */
export function listSubjects(): string[] {
  return [
    ...listOperations().map(({ id }) => id),
    ...Object.keys(AGENT_TOOLS).map((name) => `tool ${name}`),
    ...Object.keys(AGENT_PROMPTS).map((name) => `prompt ${name}`),
    ...COMMANDS.map(({ name }) => `vicinity ${name}`),
  ];
}

/** Fewer than this many requests leave most parameters of an operation out. */
const LEAST = 5;

export function listUncovered(
  subjects: readonly string[],
  parts: readonly string[],
  least = LEAST,
): string[] {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return subjects.filter((subject) => {
    const count = counts.get(subject) ?? 0;
    // A command is a process: it is called a few times, and its help is one of them.
    return count < (subject.startsWith("vicinity ") ? 2 : least);
  });
}

/** Codes of errors that no answer of the recording has. */
export function listUnmetCodes({ stages }: Recording): string[] {
  const met = new Set<string>();
  for (const { entries } of stages)
    for (const { reply } of entries)
      for (const [, code] of reply.body.matchAll(/\\?"(?:code|error)\\?":\\?"([a-z_]+)/g))
        met.add(code!);
  return Object.keys(ERRORS).filter((code) => !met.has(code));
}
