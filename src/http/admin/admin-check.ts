/** Bodies and queries, held against their schemas and the rules that schemas cannot say. */
import { isUtf8 } from "node:buffer";
import type { TObject } from "typebox";
import { findProblem } from "#config/config-problem.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { endRules } from "#core/keys/moment.ts";
import { readBy, type Rule } from "#kit/rule.ts";
import { refuse, type AdminRefusal } from "./admin-answer.ts";

/** What was given is not repeated in a refusal: it may be a key. */
export function findFault(schema: TObject, input: unknown): AdminRefusal | null {
  if (input === undefined) return refuse("invalid_request", "the body must be JSON");
  const problem = findProblem(schema, input);
  return problem && wrong(problem.path.length <= PATH_MAX ? problem.path : "", problem.problem);
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

/** Reads a member by rules that a schema cannot state. */
export function readMember<T>(member: string, text: string, ...rules: readonly Rule<T>[]): Read<T> {
  const read = readBy(text, ...rules);
  return read.ok ? read : wrong(member, `expected ${read.words}`);
}

/** Epoch milliseconds, to come; null: never. */
export function readEnd(text: string | null, now_ms: number): Read<number | null> {
  if (text === null) return { ok: true, value: null };
  return readMember("expires_at", text, ...endRules(now_ms));
}
