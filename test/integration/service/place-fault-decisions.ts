/**
 * What each cell of the fault matrix of places must answer (places.md 0.1; decisions, Errors; §2.7),
 * and the one function that holds a cell to it. Written from the rules: nothing here asks the
 * service.
 */
import assert from "node:assert/strict";
import { checkForm, checkRefusal, REFUSALS } from "./fault-refusals.ts";
import {
  asks,
  type FaultName,
  GEOCODING,
  type Lane,
  LANES,
  LIMIT,
  type OperationName,
  type Provider,
} from "./place-fault-lanes.ts";
import type { Body, Cell, Look } from "./place-fault-matrix.ts";

/** Decisions, Conventions. */
const DEADLINES_MS: Record<OperationName, number> = {
  geocode: 2500,
  "place-search": 2500,
  "reverse-geocode": 2500,
  services: 3000,
  parking: 3000,
  charging: 3000,
  nearby: 2000,
};

/** `debug.providers` of the failing provider. A truncated reply may look like either. */
const STATUSES: Record<FaultName, RegExp> = {
  timeout: /^timeout$/,
  slow: /^ok$/,
  late: /^timeout$/,
  http_500: /^unavailable$/,
  http_429: /^unavailable$/,
  http_401: /^unauthorized$/,
  garbage: /^error$/,
  truncated: /^(error|unavailable)$/,
  empty: /^error$/,
  /** Its size may be met before the deadline, or after it. */
  huge: /^(error|timeout)$/,
  reset: /^unavailable$/,
};

/** `whole`: as if nothing failed. `refused`: an error status. */
type Verdict = "whole" | "partial" | "refused";

function decide(cell: Cell): Verdict {
  if (!isAsked(cell) || cell.fault === "slow" || cell.stored === "whole") return "whole";
  if (!GEOCODING.has(cell.operation)) return "partial";
  // An old answer that the terms allow beats every error.
  return cell.novelty === "seen" ? "whole" : "refused";
}

/** Whether the failing provider is one that this operation asks. */
export function isAsked({ lane, provider, operation }: Cell): boolean {
  return asks(LANES[lane], provider).includes(operation);
}

export function checkCell(cell: Cell): void {
  const where = `${cell.lane}: ${cell.fault} × ${cell.provider} × ${cell.operation}, ${wordOf(cell)}`;
  for (const look of [cell.during, cell.after]) checkLook(cell, look, where);
  if (cell.operation === "nearby") checkNearby(cell, where);
  else CHECKS[decide(cell)](cell, cell.during, where);
  checkWhole(cell, cell.after, `${where}, after`);
  if (isAsked(cell)) assert.ok(cell.struck > 0, `${where}: the fault never struck`);
  if (cell.before) checkLook(cell, cell.before, `${where}, before`);
}

function wordOf({ stored, novelty }: Cell): string {
  return stored === null ? novelty : `${stored} held`;
}

function checkLook({ operation, secrets, judged }: Cell, look: Look, where: string): void {
  const deadline_ms = judged ? DEADLINES_MS[operation] : null;
  checkForm(look, { deadline_ms, secrets }, where);
}

const CHECKS: Record<Verdict, (cell: Cell, look: Look, where: string) => void> = {
  whole: checkWhole,
  partial: checkPartial,
  refused: checkRefused,
};

function checkRefused({ fault }: Cell, look: Look, where: string): void {
  checkRefusal(look, REFUSALS[fault as "timeout"], where);
}

function checkWhole(cell: Cell, { status, body }: Look, where: string): void {
  assert.equal(status, 200, `${where}: ${JSON.stringify(body)}`);
  if (cell.operation === "nearby") return;
  if (GEOCODING.has(cell.operation)) {
    assert.ok(body.meta!.total > 0, `${where}: nothing found`);
    return;
  }
  checkProviders(cell, body, where);
  const reported = body.debug!.providers[cell.provider];
  assert.equal(reported?.status ?? "ok", "ok", where);
  // Another register of the lane may be failing at the same time.
  if (cell.stored === null) assert.notEqual(body.status, "partial", where);
}

/** (a), (d): 200, partial, and the results of the others are there. */
function checkPartial(cell: Cell, { status, body }: Look, where: string): void {
  assert.equal(status, 200, where);
  assert.equal(body.status, "partial", `${where}: ${JSON.stringify(body.debug)}`);
  assert.ok(body.message, where);
  const reported = body.debug!.providers[cell.provider];
  assert.ok(reported, `${where}: not reported`);
  assert.match(reported.status, STATUSES[cell.fault], `${where}: ${reported.reason}`);
  assert.match(reported.reason ?? "", /^[a-z][a-z0-9_]*$/, where);
  checkProviders(cell, body, where);
  checkOthers(cell, where);
}

/** No other provider is affected, and the status matches what the providers report. */
function checkProviders(cell: Cell, { debug, status }: Body, where: string): void {
  const reported = Object.values(debug!.providers);
  assert.equal(
    status === "partial",
    reported.some((each) => each.status !== "ok"),
    where,
  );
  const failing = failingOf(cell);
  for (const [key, each] of Object.entries(debug!.providers))
    if (!failing.includes(key as Provider))
      assert.equal(each.status, "ok", `${where}: ${key} ${each.reason}`);
}

/** Registers of a lane fail together. */
function failingOf({ lane, provider, stored }: Cell): readonly Provider[] {
  const { registries }: Lane = LANES[lane];
  return stored === null ? [provider] : registries;
}

/** What is known when all is well and is not from the failing provider is known without it. */
function checkOthers(cell: Cell, where: string): void {
  const gone = cell.stored === "old" || cell.novelty === "seen" ? [] : failingOf(cell);
  const during = observationsOf(cell.during.body);
  const reference = cell.novelty === "seen" || cell.stored === "old" ? cell.before! : cell.after;
  const whole = observationsOf(reference.body);
  assert.ok(reference.body.total! < LIMIT, `${where}: too many to compare`);
  const lost = [...whole].filter(([thing, from]) => !gone.includes(from) && !during.has(thing));
  assert.deepEqual(lost, [], `${where}: lost of ${whole.size}`);
  const others = [...whole.values()].filter((from) => !failingOf(cell).includes(from));
  if (cell.operation === "services")
    assert.ok(new Set(others).size >= 2, `${where}: ${[...new Set(others)].join()}`);
}

type Item = {
  source_id: string;
  external_id: string;
  service_type: string;
  attributes: { sources?: { source_id: string; external_id: string }[] };
};

/** Things as their sources know them, by name, with their provider. */
function observationsOf({ results }: Body): Map<string, Provider> {
  const seen = new Map<string, Provider>();
  for (const item of results as Item[]) {
    const from = item.attributes.sources ?? [item];
    for (const { source_id, external_id } of from) {
      const origin = originOf(source_id, external_id);
      seen.set(`${origin} ${external_id}`, origin);
    }
  }
  return seen;
}

/** The maps provider's constants hide the source; keys reveal it. */
function originOf(source_id: string, external_id: string): Provider {
  if (source_id !== "openstreetmap") return source_id as Provider;
  if (external_id.startsWith("ocm/")) return "openchargemap";
  return /^(node|way|relation)\//.test(external_id) ? "openstreetmap" : "ocpi";
}

/** It is answered from what is held: no provider is asked, whichever fails. */
function checkNearby({ before, during, calls, provider }: Cell, where: string): void {
  assert.equal(calls, 0, `${where}: ${calls} calls`);
  assert.equal(during.status, 200, where);
  assert.deepEqual(during.body, before!.body, `${where}: changed by ${provider}`);
}

/** For the table: what was answered while the fault lasted. */
export function answerOf({ during }: Cell): string {
  const { status, body } = during;
  if (status !== 200) return `${status} ${body.error?.code}`;
  return body.status === "partial" ? "partial" : "whole";
}

/** For the table: status and reason of the failing provider; null: it was well, or is not reported. */
export function failureOf({ during, provider }: Cell): string | null {
  const reported = during.body.debug?.providers[provider];
  return !reported || reported.status === "ok"
    ? null
    : `\`${reported.status}\` \`${reported.reason}\``;
}
