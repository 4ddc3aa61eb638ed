/** Two recordings of the same requests, and where they differ. */
import type { Entry, Recording, Reply, Step } from "./recording.ts";
import { type ExpectedUse, rewrite, type Rewritten } from "./expected.ts";

export type Difference = {
  stage: string;
  step: Step;
  /** `status`, `header NAME`, `order of headers`, `body`, or `requests`. */
  what: string;
  before: string;
  after: string;
};

/** The time of a reply is the machine's, whatever the program reads. */
const UNEQUAL_HEADERS: readonly string[] = ["date"];
const AROUND = 70;

export function compareRecordings(
  before: Recording,
  after: Recording,
  expected: readonly ExpectedUse[] = [],
): Difference[] {
  return before.stages.flatMap(({ stage, entries }, i) => {
    const others = after.stages[i]?.entries ?? [];
    return entries.flatMap((entry, n) => {
      const other = others[n];
      const match = other === undefined ? MISSING : compareEntries(entry, other, expected);
      return match === null ? [] : [{ stage, step: entry.step, ...match }];
    });
  });
}

type Match = Pick<Difference, "what" | "before" | "after">;
const MISSING: Match = { what: "requests", before: "answered", after: "was not sent" };

function compareEntries(
  before: Entry,
  after: Entry,
  expected: readonly ExpectedUse[],
): Match | null {
  const { part, label } = before.step;
  if (label !== after.step.label)
    return { what: "requests", before: label, after: after.step.label };
  const { reply, ...rewritten } = rewrite(part, before.reply, expected);
  return compareReplies(reply, after.reply, rewritten);
}

/** Computed from the body: they are compared where the bodies are equal. */
const OF_BODY: readonly string[] = ["content-length", "etag"];

function compareReplies(
  before: Reply,
  after: Reply,
  rewritten: Omit<Rewritten, "reply"> = { text: false, headers: false },
): Match | null {
  if (before.status !== after.status)
    return { what: "status", before: startOf(before), after: startOf(after) };
  const isAnyLength = isCompressed(before) && before.body.includes("<<");
  const skipped = rewritten.text ? OF_BODY : isAnyLength ? ["content-length"] : [];
  return (
    compareHeaders(before, after, OF_BODY) ??
    (rewritten.headers ? null : compareOrder(before, after)) ??
    (before.body === after.body ? null : { what: "body", ...excerpt(before.body, after.body) }) ??
    compareHeaders(before, after, skipped)
  );
}

/** Random ids take as many bytes in every run, but not when they are compressed. */
function isCompressed({ headers }: Reply): boolean {
  return headers.some(([name]) => name.toLowerCase() === "content-encoding");
}

function compareHeaders(before: Reply, after: Reply, skipped: readonly string[]): Match | null {
  const [names, others] = [before, after].map(({ headers }) => headers.map(([name]) => name));
  for (const name of new Set([...names!, ...others!])) {
    if ([...UNEQUAL_HEADERS, ...skipped].includes(name.toLowerCase())) continue;
    const [was, is] = [before, after].map(({ headers }) =>
      headers.flatMap(([each, value]) => (each === name ? [value] : [])).join(" | "),
    );
    const isThere = names!.includes(name) && others!.includes(name);
    if (isThere && was === is) continue;
    return {
      what: `header ${name}`,
      before: names!.includes(name) ? was! : "(absent)",
      after: others!.includes(name) ? is! : "(absent)",
    };
  }
  return null;
}

function compareOrder(before: Reply, after: Reply): Match | null {
  const [was, is] = [before, after].map(({ headers }) => headers.map(([name]) => name).join(", "));
  return was === is ? null : { what: "order of headers", before: was!, after: is! };
}

function startOf({ status, body }: Reply): string {
  return `${status} ${body.slice(0, 3 * AROUND)}`;
}

function excerpt(before: string, after: string): { before: string; after: string } {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const from = Math.max(0, at - AROUND);
  return { before: before.slice(from, at + AROUND), after: after.slice(from, at + AROUND) };
}
