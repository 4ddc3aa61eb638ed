/** What of a few answers depends on how fast the machine is, and is left out of them. */
import type { Reply, Step } from "./recording.ts";

type Rule = { of: (step: Step) => boolean; change: (body: string) => string };

const targetOf = (step: Step): string => ("target" in step ? step.target : "");
const lineOf = (step: Step): string => (step.to === "shell" ? step.args.join(" ") : "");

const RULES: readonly Rule[] = [
  // Values of metrics: names, types and descriptions are compared.
  {
    of: (step) => targetOf(step) === "/metrics",
    change: (body) => {
      const lines = body.split("\n").filter((line) => line.startsWith("# "));
      return lines.length === 0 ? body : lines.join("\n");
    },
  },
  // When a source was read last: which of them was due first.
  {
    of: (step) => /^\/v1\/sources(\?|$)/.test(targetOf(step)) || lineOf(step) === "doctor --json",
    change: (body) =>
      body
        .replaceAll(/("last_success_at": ?)"[^"]*"/g, "$1(time)")
        .replaceAll(/("age_s": ?)(?:\d+|null)/g, "$1(age)"),
  },
  // The same as a table, whose columns are as wide as what is in them.
  {
    of: (step) => lineOf(step) === "doctor",
    change: (body) => body.replaceAll(/\d+/g, "N").replaceAll(/ {2,}/g, "  "),
  },
];

export function withoutNoise(step: Step, reply: Reply): Reply {
  const rule = RULES.find((each) => each.of(step));
  if (rule === undefined || reply.status >= 400) return reply;
  const body = rule.change(reply.body);
  const headers = reply.headers.filter(([name]) => !/^(content-length|etag)$/i.test(name));
  return { ...reply, headers, body };
}
