/** Replies to what is no request: refused or hung up on, never a defect, never two for one. */
import type { Reply } from "../client.ts";
import { readJson, readText } from "./body.ts";
import { findCommonProblem } from "./headers.ts";
import type { Served } from "./reply.ts";

export function findMalformedProblem(
  { schemas }: Served,
  replies: readonly Reply[],
  statuses: readonly number[],
): string | null {
  for (const reply of replies) {
    const { status } = reply;
    if (!statuses.includes(status) && status !== 100)
      return `answered ${status}, expected ${statuses.join(" or ")}`;
    const problem = status === 100 ? null : findCommonProblem(reply);
    if (problem !== null) return problem;
    if (status < 400 || reply.body.length === 0) continue;
    const broken = schemas.errorProblem(readJson(readText(reply) ?? ""));
    if (broken !== null) return broken;
  }
  return null;
}
