/**
 * What each cell of the fault matrix of the legacy routes must answer (§4.10 to §4.12b; decisions,
 * Errors and Legacy routes), and the one function that holds a cell to it. Written from the rules:
 * nothing here asks the service.
 */
import assert from "node:assert/strict";
import { checkForm, checkRefusal, REFUSALS } from "./fault-refusals.ts";
import type { Retained, Subject } from "./legacy-fault-lanes.ts";
import type { Body, Cell, Look } from "./legacy-fault-matrix.ts";

/** `whole`: as if nothing failed. `partial`: 200 that says so. `refused`: an error status. */
type Verdict = "whole" | "partial" | "refused";
type Verdicts = Partial<Record<Retained, Verdict>>;

/** An old answer beats every error; a forecast is returned as it is, a list says that it is old. */
const WEATHER: Verdicts = { nothing: "refused", old: "whole", gone: "refused" };
const FLEET: Verdicts = { nothing: "refused", old: "partial", gone: "refused" };
const OTHERS: Verdicts = { nothing: "partial", old: "partial", gone: "partial" };
const MAP: Verdicts = { nothing: "refused", old: "partial" };
const SETS: Verdicts = { whole: "whole", old: "partial" };

const VERDICTS: Readonly<Record<Subject, (cell: Cell) => Verdicts>> = {
  openweathermap: () => WEATHER,
  met_norway: () => WEATHER,
  open_meteo: () => WEATHER,
  openstreetmap: () => MAP,
  gbfs: () => FLEET,
  "gbfs, one operator": ({ asking }) => (asking === "scooters" ? OTHERS : FLEET),
  /** Where the sets are not there, the map answers. */
  paris_opendata: () => ({ nothing: "partial", ...SETS }),
  "paris_opendata and openstreetmap": () => ({ nothing: "refused", ...SETS }),
};

function decide(cell: Cell): Verdict {
  if (cell.stored === null || cell.fault === "slow") return "whole";
  const verdict = VERDICTS[cell.subject](cell)[cell.stored];
  assert.ok(verdict, `undecided: ${cell.subject}, ${cell.stored}`);
  return verdict;
}

/** Texts of the simulator's failing answers, which are an upstream's own. */
const UPSTREAM_TEXTS = [
  "internal server error",
  "too many requests",
  "yesterday",
  '"unauthorized"',
];

export function checkCell(cell: Cell): void {
  const { lane, fault, subject, asking, stored } = cell;
  const where = `${lane}: ${fault} × ${subject} × ${asking}, ${stored ?? "not asked"}`;
  const secrets = [...cell.secrets, ...UPSTREAM_TEXTS];
  const form = { deadline_ms: cell.deadline_ms, secrets };
  for (const look of [cell.during, cell.after]) checkForm(look, form, where);
  CHECKS[decide(cell)](cell, cell.during, where);
  checkWhole(cell, cell.after, `${where}, after`);
  if (stored !== null) assert.ok(cell.struck > 0, `${where}: the fault never struck`);
}

const CHECKS: Record<Verdict, (cell: Cell, look: Look, where: string) => void> = {
  whole: checkWhole,
  partial: checkPartial,
  refused: checkRefused,
};

function checkRefused({ fault, subject, stored }: Cell, look: Look, where: string): void {
  // What operators that are not yet found would report is unknown.
  const isUnsurveyed = subject.startsWith("gbfs") && stored === "nothing";
  const expected = isUnsurveyed ? /^503 provider_unavailable$/ : REFUSALS[fault as "timeout"];
  checkRefusal(look, expected, where);
  assert.equal(look.headers["cache-control"], "no-store", where);
}

function checkWhole(_cell: Cell, { status, headers, body }: Look, where: string): void {
  assert.equal(status, 200, `${where}: ${JSON.stringify(body)}`);
  assert.equal(headers["x-coverage"], undefined, where);
  assert.ok(idsOf(body).length > 0, `${where}: nothing found`);
}

/** The results of the others are there, and what is still held of the failing source is as it was. */
function checkPartial(cell: Cell, { status, headers, body }: Look, where: string): void {
  assert.equal(status, 200, `${where}: ${JSON.stringify(body)}`);
  assert.equal(headers["x-coverage"], "partial", where);
  assert.equal(headers["cache-control"], "no-store", where);
  assert.ok(idsOf(body).length > 0, `${where}: an empty list for a failure`);
  if (cell.subject === "gbfs, one operator" && cell.asking === "scooters")
    checkMixed(cell, body, where);
  else if (cell.stored === "old") assert.deepEqual(idsOf(body), idsOf(cell.before!.body), where);
}

/** The nearest hundred of both operators: how many are whose changes as the other's move. */
function checkMixed({ stored }: Cell, body: Body, where: string): void {
  const failing = body.filter(({ provider }) => provider!.name === OPERATOR);
  assert.ok(body.length > failing.length, `${where}: the other operator's`);
  assert.equal(
    failing.length > 0,
    stored === "old",
    `${where}: ${failing.length} of the failing operator`,
  );
}

/** Weather is one thing without an id. */
function idsOf(body: Body): string[] {
  if (Array.isArray(body)) return body.map(({ id }) => String(id));
  return body.records?.map(({ recordid }) => recordid) ?? ["weather"];
}

const OPERATOR = "Zigzag Paris";

/** For the table: what was answered while the fault lasted. */
export function answerOf({ during: { status, headers, body } }: Cell): string {
  if (status !== 200) return `${status} \`${body.error?.code}\``;
  return headers["x-coverage"] === undefined ? "whole" : "partial";
}
