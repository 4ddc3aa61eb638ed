/** Status and code of an operation of which no source has answered (decisions, Errors). */
import assert from "node:assert/strict";
import type { Look } from "./fault-stage.ts";
import type { FaultName } from "./place-fault-lanes.ts";

export const REFUSALS: Record<Exclude<FaultName, "slow">, RegExp> = {
  timeout: /^504 provider_timeout$/,
  late: /^504 provider_timeout$/,
  http_500: /^502 provider_bad_response$/,
  http_429: /^503 provider_unavailable$/,
  http_401: /^502 provider_bad_response$/,
  garbage: /^502 provider_bad_response$/,
  truncated: /^502 provider_bad_response$/,
  empty: /^502 provider_bad_response$/,
  huge: /^(502 provider_bad_response|504 provider_timeout)$/,
  reset: /^502 provider_bad_response$/,
};

export type ErrorBody = { error?: { code: string; message: string } };

export function checkRefusal(look: Look<ErrorBody>, expected: RegExp, where: string): void {
  assert.match(`${look.status} ${look.body.error?.code}`, expected, where);
  if (look.status !== 503) return;
  const wait_s = Number(look.headers["retry-after"]);
  assert.ok(wait_s >= 1 && wait_s <= 60, `${where}: Retry-After ${wait_s}`);
}

const LENIENCE_MS = 100;

/**
 * (b), (c), (g) of the fault table: in time (`deadline_ms` null: not judged), as described, and
 * without secrets.
 */
export function checkForm(
  look: Look<unknown>,
  { deadline_ms, secrets }: { deadline_ms: number | null; secrets: readonly string[] },
  where: string,
): void {
  const { elapsed_ms, invalid, text } = look;
  if (deadline_ms !== null)
    assert.ok(elapsed_ms <= deadline_ms + LENIENCE_MS, `${where}: ${Math.round(elapsed_ms)} ms`);
  assert.equal(invalid, null, where);
  for (const secret of secrets) assert.ok(!text.includes(secret), `${where}: reveals ${secret}`);
}
