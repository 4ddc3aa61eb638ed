/**
 * `npm run trials -- departures [--instants 1000] [--feed NAME] [--seed N]`: planned departures and
 * arrivals of the recorded feeds equal those of an independent program that reads their raw files
 * (test/oracle/departures.py).
 */
import { readArguments } from "./arguments.ts";
import { importGtfs, openFeed } from "#transit/index.ts";
import { feedPath, listFeeds } from "../scripts/gtfs-count.ts";
import { AIMS, compareDepartures, type Comparison } from "../test/support/departures-oracle.ts";

/** Of the questions of a feed, those that have an answer: otherwise nothing is compared. */
const LEAST_ANSWERED = 0.8;
const MOST_SHOWN = 5;

export async function run(args: readonly string[]): Promise<number> {
  const options = readArguments(args, { instants: 1000, feed: null, seed: 1 });
  const count = options.instants;
  if (!Number.isInteger(count) || count < 1) throw new Error("--instants: expected a whole number");
  const feeds = listFeeds().filter((name) => options.feed === undefined || name === options.feed);
  if (feeds.length === 0) throw new Error("no such feed");
  let findings = 0;
  for (const name of feeds) {
    const comparison = await compareFeed(name, { count, seed: options.seed });
    print(name, comparison);
    findings += comparison.differences.length;
    if (comparison.answered / comparison.questions < LEAST_ANSWERED) findings++;
  }
  return findings;
}

async function compareFeed(
  name: string,
  options: { count: number; seed: number },
): Promise<Comparison> {
  const path = feedPath(name);
  const imported = await importGtfs({ path }, { feed_id: name, region: null, now_ms: 1 });
  if (!imported.ok) throw new Error(`${name}: ${imported.problem}`);
  return compareDepartures({ path, open: openFeed(imported.pack)! }, options);
}

function print(name: string, comparison: Comparison): void {
  const { questions, answered, rows, aims, changes, differences } = comparison;
  const share = ((answered / questions) * 100).toFixed(1);
  const byAim = AIMS.map((aim) => `${aim} ${aims[aim]}`).join(", ");
  console.log(
    `${name}: ${questions} questions, ${share} % with an answer, ${rows} rows, ` +
      `${differences.length} differences (${byAim}; ${changes} clock changes)`,
  );
  for (const difference of differences.slice(0, MOST_SHOWN)) console.log(`  ${difference}`);
}
