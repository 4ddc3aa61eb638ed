/** Bodies and queries, held against their schemas and the rules that schemas cannot say. */
import { isUtf8 } from "node:buffer";
import type { TObject } from "typebox";
import { findProblem } from "#config/problem.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { toName } from "#core/keys/issue.ts";
import { readMoment_ms } from "#core/keys/moment.ts";
import { refuse, type AdminRefusal } from "./answer.ts";

/** What was given is not repeated in a refusal: it may be a key. */
export function findFault(schema: TObject, given: unknown): AdminRefusal | null {
  if (given === undefined) return refuse("invalid_request", "the body must be JSON");
  const found = findProblem(schema, given);
  return found && wrong(found.path.length <= PATH_MAX ? found.path : "", found.problem);
}

/** Longer than the path of any member; what is, may be a key in the place of a name. */
const PATH_MAX = 40;

/** `member`: "" is the whole. */
export function wrong(member: string, problem: string): AdminRefusal {
  return refuse("invalid_request", member === "" ? problem : `${member}: ${problem}`);
}

/** undefined: not JSON. No body at all gives no members. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  return isUtf8(bytes) ? parseJsonBytes(bytes) : undefined;
}

type Read<T> = { ok: true; value: T } | AdminRefusal;

export function readName(text: string): Read<string> {
  const name = toName(text);
  if (name === null) return wrong("name", "expected one line of 1 to 100 characters");
  return { ok: true, value: name };
}

/** Epoch milliseconds, to come; null: never. */
export function readEnd(text: string | null, now_ms: number): Read<number | null> {
  if (text === null) return { ok: true, value: null };
  const at_ms = readMoment_ms(text, now_ms);
  if (at_ms !== null && at_ms > now_ms) return { ok: true, value: at_ms };
  const expected =
    at_ms === null ? "a date, an RFC 3339 time or a duration such as 30d" : "a time to come";
  return wrong("expires_at", `expected ${expected}`);
}
