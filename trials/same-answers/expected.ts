/**
 * Differences that are there on purpose: a list in a file, each with its reason. A text of the answers
 * before is replaced before they are compared, so that nothing else of such an answer may differ.
 */
import { readFile } from "node:fs/promises";
import type { Reply } from "./recording.ts";

export type Expected = {
  /** Operation, tool or command as the report names it; "*": all. */
  part: string;
  /** Absent: the body. */
  in?: "status" | "body" | `header ${string}`;
  /** Text of the answer before; a status as digits; a header as a whole, null: it was absent. */
  before: string | null;
  after: string | null;
  reason: string;
};

export type ExpectedUse = Expected & { used: number };

export async function readExpected(file: string): Promise<ExpectedUse[]> {
  const rows = JSON.parse(await readFile(file, "utf8")) as Expected[];
  return rows.map(checkExpected);
}

const REASON_MIN = 10;

export function checkExpected(row: Expected, at: number): ExpectedUse {
  const { part, before, after, reason } = row;
  if (typeof part !== "string" || before === after)
    throw new Error(
      `expected differences, row ${at + 1}: needs part, before and after that differ`,
    );
  if (typeof reason !== "string" || reason.length < REASON_MIN)
    throw new Error(`expected differences, row ${at + 1}: needs a reason`);
  return { ...row, used: 0 };
}

/** The answer as it is expected now; counts in each row how often it was needed. */
export function rewrite(part: string, reply: Reply, expected: readonly ExpectedUse[]): Rewritten {
  let rewritten = reply;
  for (const row of expected) {
    if (row.part !== part && row.part !== "*") continue;
    const next = applyRow(rewritten, row);
    if (next === null) continue;
    row.used++;
    rewritten = next;
  }
  const { body, headers } = rewritten;
  return {
    reply: rewritten,
    text: body !== reply.body,
    headers: headers.length !== reply.headers.length,
  };
}

/** `text`: what is computed from the body differs as well; `headers`: where a new one comes is unknown. */
export type Rewritten = { reply: Reply; text: boolean; headers: boolean };

/** null: it is about something else. */
function applyRow(reply: Reply, { in: where = "body", before, after }: Expected): Reply | null {
  if (where === "status")
    return String(reply.status) === before ? { ...reply, status: Number(after) } : null;
  if (where === "body") {
    const text = toLatin1(before ?? "");
    if (text === "" || !reply.body.includes(text)) return null;
    return { ...reply, body: reply.body.replaceAll(text, () => toLatin1(after ?? "")) };
  }
  const name = where.slice("header ".length);
  const at = reply.headers.findIndex(([each]) => each === name);
  if ((at === -1 ? null : reply.headers[at]![1]) !== before) return null;
  const headers = [...reply.headers];
  if (after === null) headers.splice(at, 1);
  else headers.splice(at === -1 ? headers.length : at, at === -1 ? 0 : 1, [name, after]);
  return { ...reply, headers };
}

/** Recordings have a character a byte. */
function toLatin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
