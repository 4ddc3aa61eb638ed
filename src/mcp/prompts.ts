/** Prompts as the protocol has them: the list, and one with its arguments filled in. */
import { AGENT_PROMPTS, type AgentPrompt } from "#api/agent-prompts.ts";
import { AGENT_TOOLS } from "#api/agent-tools.ts";

const ALL_TOOLS: readonly string[] = Object.keys(AGENT_TOOLS);

const PROMPTS: ReadonlyMap<string, AgentPrompt> = new Map(Object.entries(AGENT_PROMPTS));

/** Those of which all that they need is offered, as the protocol lists them. */
export function listPrompts(tools: readonly string[] = ALL_TOOLS) {
  return offeredBy(tools).map(([name, { title, description, arguments: all }]) => ({
    name,
    title,
    description,
    arguments: all.map((each) => ({
      ...{ name: each.name, title: each.title },
      ...{ description: each.description, required: each.required },
    })),
  }));
}

function offeredBy(tools: readonly string[]): [string, AgentPrompt][] {
  return [...PROMPTS].filter(([, { needs }]) => needs.every((tool) => tools.includes(tool)));
}

type Filled =
  | {
      ok: true;
      description: string;
      messages: { role: "user"; content: { type: "text"; text: string } }[];
    }
  | { ok: false; message: string };

/** Characters of one argument. */
const VALUE_MAX = 200;

export function fillPrompt(
  name: string,
  input: Readonly<Record<string, string>> = {},
  tools: readonly string[] = ALL_TOOLS,
): Filled {
  const offered = new Map(offeredBy(tools));
  const prompt = offered.get(name);
  if (!prompt) return refuse(`unknown prompt; known are ${[...offered.keys()].join(", ")}`);
  const names = prompt.arguments.map((each) => each.name);
  const strange = Object.keys(input).find((each) => !names.includes(each));
  if (strange !== undefined) return refuse(`unknown argument; known are ${names.join(", ")}`);
  const values = new Map<string, string>();
  for (const { name: argument, required, rule } of prompt.arguments) {
    const value = (input[argument] ?? "").trim();
    if (value.length > VALUE_MAX)
      return refuse(`${argument} must be at most ${VALUE_MAX} characters`);
    if (value === "" && required) return refuse(`${argument} is required`);
    if (value === "") continue;
    if (rule && !rule.pattern.test(value)) return refuse(`${argument} must be ${rule.words}`);
    values.set(argument, value);
  }
  const text = fill(prompt.text, values);
  const { description } = prompt;
  return { ok: true, description, messages: [{ role: "user", content: { type: "text", text } }] };
}

function refuse(message: string): Filled {
  return { ok: false, message };
}

/** The parts of our own texts; values are put in last and are looked at for nothing. */
const OPTIONAL = /\[([^[\]{]*)\{(\w+)\}([^[\]]*)\]/g;
const HOLE = /\{(\w+)\}/g;

function fill(text: string, values: ReadonlyMap<string, string>): string {
  const stored = text.replaceAll(OPTIONAL, (_, before: string, name: string, after: string) =>
    values.has(name) ? `${before}{${name}}${after}` : "",
  );
  return stored.replaceAll(HOLE, (_, name: string) => values.get(name) ?? "");
}
