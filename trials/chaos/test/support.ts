/** Histories in few words: times are milliseconds from a beginning that does not matter. */
import assert from "node:assert/strict";
import type { Fault, FaultKind, Verdict } from "../check/verdict.ts";

export function fault(kind: FaultKind, from_ms: number, to_ms: number, replica?: number): Fault {
  return { kind, from_ms, to_ms, replica: replica ?? null };
}

export function assertKept({ findings, scanned }: Verdict, least = 1): void {
  assert.deepEqual(findings, []);
  assert.ok(scanned >= least, `${scanned} judged`);
}

/** Every finding is of this kind, and there is one. */
export function assertFound({ findings }: Verdict, pattern: RegExp): void {
  assert.ok(findings.length > 0, "nothing found");
  for (const each of findings) assert.match(each, pattern);
}
