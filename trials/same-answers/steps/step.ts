/** How the steps of a stage are written. */
import type { Entry, Step } from "../recording.ts";

/** What the requests before have shown. */
export type Memory = {
  /** Datasets that answers have named, the last ones. */
  datasets: { id: string; version: string }[];
  entries: readonly Entry[];
};

/** A step, or how it is made of the answers before; null: they do not suffice for it. */
export type Draft = Step | ((memory: Memory) => Step | null);

export type HttpStep = Extract<Step, { method: string }>;

type Wish = Partial<Pick<HttpStep, "method" | "headers" | "to">> & {
  /** Text, or what is sent as JSON. */
  body?: string | object;
};

/** A request of a part; its label is unique because it is made of all that is sent. */
export function request(part: string, target: string, rest: Wish = {}): HttpStep {
  const { body, headers = {}, to = "api" } = rest;
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const method = rest.method ?? (text === undefined ? "GET" : "POST");
  const type = text === undefined ? {} : { "content-type": "application/json" };
  const encoded = text === undefined ? null : Buffer.from(text).toString("latin1");
  return { part, label: part, to, method, target, headers: { ...type, ...headers }, body: encoded };
}

export function command(args: readonly string[], input = ""): Step {
  return { part: "command line", label: args.join(" "), to: "shell", args, input };
}

/** The steps with labels that occur once: a number is added to those that occur before. */
export function withLabels(steps: readonly Step[]): Step[] {
  const counts = new Map<string, number>();
  return steps.map((step) => {
    const count = (counts.get(step.label) ?? 0) + 1;
    counts.set(step.label, count);
    return count === 1 ? step : { ...step, label: `${step.label} #${count}` };
  });
}

/** Names the answer of a step, so that later steps can use its ids (aliases.ts). */
export function named(label: string, step: Step): Step {
  return { ...step, label };
}
