/**
 * `npm run trials -- hours [DIR] [--moments 200] [--places 5] [--strings 1000000] [--grammar 20000]
 * [--only-grammar] [--seed N]`: opening hours of captured extracts, and of values from a grammar, are
 * read, agree with another implementation, and cost a bounded time (docs/lab/hours.md).
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createHoursMemory, evaluateHours, parseHours } from "#hours/index.ts";
import { CASES, UNREADABLE } from "#hours/test/cases.ts";
import { createDice } from "./dice.ts";
import { type Agreement, compare, createAgreement } from "./hours/agreement.ts";
import { valueOf } from "./hours/grammar.ts";
import { runMutations } from "./hours/mutations.ts";
import { COUNTRIES, momentsOf, noons, PLACES } from "./hours/places.ts";
import { readValues, type Value } from "./hours/values.ts";

const DEFAULT_DIR = fileURLToPath(new URL("../../shared/data/osm", import.meta.url));
const LEAST_SHARE = 0.98;

export async function run(args: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      moments: { type: "string", default: "200" },
      places: { type: "string", default: "5" },
      strings: { type: "string", default: "1000000" },
      grammar: { type: "string", default: "20000" },
      "only-grammar": { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
    },
  });
  const generated = {
    seed: Number(options.seed),
    moments: Number(options.moments),
    count: Number(options.grammar),
  };
  if (options["only-grammar"]) return printGrammar(await compareGrammar(generated));
  const dir = positionals[0] ?? DEFAULT_DIR;
  if (!existsSync(dir)) throw new Error(`no such folder: ${dir}`);
  const seed = Number(options.seed);
  const values = readValues(dir);
  if (values.length === 0) throw new Error(`no opening hours under ${dir}`);
  let findings = reportReading(values);
  const moments = Number(options.moments);
  const judged = { seed, moments, places: Number(options.places) };
  const real = values.map(({ text }) => text);
  findings += printAgreement("values of the extracts", await compareAll(real, judged));
  const own = [...new Set([...CASES.map(([value]) => value), ...UNREADABLE])];
  findings += printAgreement(
    "values of packages/opening-hours/test/cases.ts",
    await compareAll(own, judged),
  );
  findings += printGrammar(await compareGrammar(generated));
  findings += printAgreement("PH at every noon of two years, by country", await compareHolidays());
  findings += runMutations([...real, ...own], { count: Number(options.strings), seed });
  return findings;
}

/** Counts values that are read, and those of them that say something at some moment. */
function reportReading(values: readonly Value[]): number {
  const memory = createHoursMemory();
  const place = PLACES[0]!;
  const unread: string[] = [];
  const silent: string[] = [];
  for (const { text } of values) {
    const hours = parseHours(text);
    if (!hours) unread.push(text);
    else if (
      momentsOf(createDice(1), 2_000).every(
        (at_ms) => evaluateHours(hours, at_ms, place, memory).state === "unknown",
      )
    )
      silent.push(text);
  }
  const occurrences = values.reduce((sum, { count }) => sum + count, 0);
  const share = (values.length - unread.length - silent.length) / values.length;
  console.log(
    `${values.length} distinct values, which occur ${occurrences} times: ${unread.length} not read, ` +
      `${silent.length} always unknown, ${(share * 100).toFixed(2)} % evaluated`,
  );
  for (const text of unread) console.log(`  not read: ${JSON.stringify(text)}`);
  for (const text of silent) console.log(`  always unknown: ${JSON.stringify(text)}`);
  return share >= LEAST_SHARE ? 0 : 1;
}

type Judged = { seed: number; moments: number; places: number };

async function compareAll(values: readonly string[], options: Judged): Promise<Agreement> {
  const agreement = createAgreement();
  for (const [number, place] of PLACES.slice(0, options.places).entries())
    await compare(agreement, {
      values,
      place,
      momentsOf: (index) =>
        momentsOf(createDice(options.seed, number * 100_000 + index), options.moments),
    });
  return agreement;
}

/** Each value of the grammar at one of the places, in turn. */
async function compareGrammar(options: {
  seed: number;
  moments: number;
  count: number;
}): Promise<Agreement> {
  const { seed, moments, count } = options;
  const agreement = createAgreement();
  for (const [number, place] of PLACES.entries()) {
    const indexes: number[] = [];
    for (let index = number; index < count; index += PLACES.length) indexes.push(index);
    await compare(agreement, {
      values: indexes.map((index) => valueOf(seed, index)),
      place,
      momentsOf: (at) => momentsOf(createDice(seed, 1_000_000 + indexes[at]!), moments),
    });
  }
  return agreement;
}

function printGrammar(agreement: Agreement): number {
  const { only_judge, only_ours, unknown, moments } = agreement;
  console.log(
    `grammar: ${((100 * unknown) / moments).toFixed(2)} % of ${moments} moments are unknown to us; ` +
      `read by the judge alone: ${only_judge.length} values, by us alone: ${only_ours.length}`,
  );
  return printAgreement("values of the grammar", { ...agreement, only_judge: [], only_ours: [] });
}

async function compareHolidays(): Promise<Agreement> {
  const agreement = createAgreement();
  for (const place of COUNTRIES)
    await compare(agreement, { values: ["PH open"], place, momentsOf: noons });
  return agreement;
}

function printAgreement(what: string, agreement: Agreement): number {
  console.log(
    `${what}: ${agreement.compared} values at places, ${agreement.moments} moments: ${agreement.agreed} agree, ` +
      `${agreement.cautious} we say unknown, ${agreement.near_sun} near sunrise or sunset, ` +
      `${agreement.not_judged} the judge cannot, ${agreement.disagreements.length} values disagree`,
  );
  for (const [reason, list] of agreement.judge_wrong)
    console.log(`  the judge ${reason}: ${list.length} times, such as ${list[0]}`);
  const lists = { "only the judge": agreement.only_judge, "only ours": agreement.only_ours };
  for (const [name, list] of Object.entries(lists)) {
    const distinct = [...new Set(list)].map((value) => JSON.stringify(value));
    if (distinct.length > 0) console.log(`  ${name}: ${distinct.join(", ")}`);
  }
  for (const name of agreement.slow) console.log(`  the judge takes more than 10 s: ${name}`);
  for (const text of agreement.disagreements) console.log(`  disagree: ${text}`);
  return agreement.disagreements.length;
}
