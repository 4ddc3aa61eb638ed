/** docs/lab/scale.md is what the simulation says, and the simulation moves as it must. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { simulate } from "../model.ts";
import { PARAMETERS, usualValues, type Values } from "../parameters.ts";
import { intoPage, printScale } from "../print.ts";

const PAGE = new URL("../../../docs/lab/scale.md", import.meta.url);

test("the tables of docs/lab/scale.md are those of the simulation", () => {
  const page = readFileSync(PAGE, "utf8");
  const values = usualValues();
  const table = printScale(simulate(values), values);
  assert.ok(table.split("\n").length > Object.keys(PARAMETERS).length);
  assert.ok(page.includes(table), "run npm run trials -- scale --write");
  assert.equal(intoPage(page, table), page);
});

const lineOf = (values: Values, what: string): number => {
  const line = simulate(values).lines.find((each) => each.what === what);
  assert.ok(line, what);
  return line.value;
};

test("twice the questions, twice the answers and events; feeds stay", () => {
  const [one, two] = [usualValues(), usualValues()];
  two.questions_a_day *= 2;
  for (const what of ["questions at its peak", "cores for answers", "events at the peak"])
    assert.ok(Math.abs(lineOf(two, what) / lineOf(one, what) - 2) < 1e-9, what);
  assert.equal(lineOf(two, "cores for reading feeds"), lineOf(one, "cores for reading feeds"));
});

test("fewer watched systems take fewer replicas; more replicas read more of Valkey", () => {
  const [all, few] = [usualValues(), usualValues()];
  few.watched_share = 0.1;
  assert.ok(simulate(few).replicas_of_region < simulate(all).replicas_of_region);
  const many = usualValues();
  many.utilisation = 0.1;
  assert.ok(lineOf(many, "read") > 4 * lineOf(all, "read"));
});

test("every parameter counts, and says where it is from", () => {
  const unused = Object.keys(PARAMETERS).filter((name) => {
    const values = usualValues();
    values[name as keyof Values] *= 1.7;
    return JSON.stringify(simulate(values)) === JSON.stringify(simulate(usualValues()));
  });
  assert.deepEqual(unused, []);
  for (const { from } of Object.values(PARAMETERS)) assert.match(from, /^(measured|assumed): ./);
});
