/**
 * Every regular expression over foreign text takes time in proportion to its length, whatever the
 * text. Each one is run over near matches made of its own characters; one that takes so much
 * processor time for a few thousand characters that it cannot be in proportion is run again over
 * four times as many. Waiting for the processor counts for nothing, so that a busy machine is no
 * reason to fail.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  attacksOn,
  type Attack,
  type Expression,
  listExpressions,
} from "./architecture/regexes.ts";
import { measureCpu } from "./support/size.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const SHORT = 4_000;
const LONG = SHORT * 4;
/** Of processor time; what is in proportion takes some ten microseconds for the short text. */
const SUSPECT_US = 1_500;
/** Four times the text is four times the time; sixteen times where it grows with the square. */
const MAX_GROWTH = 9;
/** For what doubles with every character the shortest texts are enough. */
const TINY = [25];
const TINY_MAX_US = 50_000;

/** Not linear, with the reason why it may stay. */
const EXEMPT: Readonly<Record<string, string>> = {};

function textOf({ before, pump, after }: Attack, length: number): string {
  return before + pump.repeat(Math.ceil(length / pump.length)) + after;
}

/** The least of several, since collecting garbage is no part of it. What is quick is not measured again. */
function costOf(expression: RegExp, text: string, times: number): number {
  const begun_ms = performance.now();
  run(expression, text);
  const elapsed_us = (performance.now() - begun_ms) * 1_000;
  if (elapsed_us < SUSPECT_US) return elapsed_us;
  let least = Infinity;
  for (let i = 0; i < times && least >= SUSPECT_US; i++)
    least = Math.min(least, measureCpu(() => run(expression, text)) * 1_000);
  return least;
}

function run(expression: RegExp, text: string): void {
  expression.lastIndex = 0;
  expression.test(text);
}

/** The attack under which the expression is slow, with what it cost; null: it is linear. */
function findSlow(expression: Expression): string | null {
  const regex = new RegExp(expression.source, expression.flags.replace("y", ""));
  for (const attack of attacksOn(expression)) {
    for (const length of TINY) {
      const cost = costOf(regex, textOf(attack, length), 2);
      if (cost > TINY_MAX_US)
        return `${JSON.stringify(attack)}: ${cost} us for ${length} characters`;
    }
    const short = costOf(regex, textOf(attack, SHORT), 3);
    if (short < SUSPECT_US) continue;
    const long = costOf(regex, textOf(attack, LONG), 2);
    if (long / short > MAX_GROWTH)
      return `${JSON.stringify(attack)}: ${short} us, of a text four times as long ${long} us`;
  }
  return null;
}

function expressionsOf(pattern: string): Expression[] {
  return globSync(pattern, { cwd: ROOT }).flatMap((path) =>
    listExpressions(path, readFileSync(`${ROOT}${path}`, "utf8")),
  );
}

const made = (source: string, flags = ""): Expression => ({ path: "", line: 1, source, flags });

test("expressions that are known to be slow are found to be slow", () => {
  const slow = [
    ...["^(a+)+$", "(x+x+)+y", "\\s+$", '<([^>]*)>[^,]*;\\s*rel=(?:"next"|next)\\s*(?:[;,]|$)'],
    ...["^(?:a|a)*$", " - (.*\\p{L}.*)$", "^\\d+\\d+x$", "(?:\\s*,\\s*)+;", "\\d*-\\d*-\\d*x"],
  ];
  for (const source of slow) assert.notEqual(findSlow(made(source, "u")), null, source);
});

test("expressions that are linear are found to be linear", () => {
  for (const source of ["^\\d+$", "^[a-z]+(?: [a-z]+)*$", "[\\t\\n]+", "%[0-9a-f]{2}"])
    assert.equal(findSlow(made(source)), null, source);
});

for (const [pattern, least] of [
  ["{src,packages}/**/*.ts", 200],
  ["explorer/**/*.js", 3],
  ["packages/map-element/source/*.js", 3],
] as const)
  test(`every regular expression of ${pattern} is linear`, () => {
    const listed = expressionsOf(pattern);
    const expressions = [
      ...new Map(listed.map((one) => [`${one.source}/${one.flags}`, one])).values(),
    ];
    assert.ok(expressions.length >= least, `${expressions.length} expressions`);
    const slow = expressions
      .filter(({ path }) => EXEMPT[path] === undefined)
      .flatMap((expression) => {
        const why = findSlow(expression);
        const { path, line, source } = expression;
        return why === null ? [] : [`${path}:${line} /${source}/ ${why}`];
      });
    assert.deepEqual(slow, []);
  });
