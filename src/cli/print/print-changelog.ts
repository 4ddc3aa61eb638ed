/** Reasons that hold a release back, for people: one line each, and at the end what to do. */
import { oneLine } from "#kit/text/one-line.ts";
import type { Judgement, Released } from "#release/changelog/release-gate.ts";

export function formatJudgement(
  { ok, findings, breaking, told_by }: Judgement,
  about: { released: Released | null; entries: number; api_version: string },
): string {
  const { released, entries, api_version } = about;
  const excused = breaking.length > 0 && told_by.length > 0;
  const lines = [
    ...findings.map(({ message, code }) => `${oneLine(message)} (${code})`),
    ...breaking.map(({ message, rule }) => `breaking: ${oneLine(message)} (${rule})`),
  ];
  if (breaking.length > 0 && !excused) {
    lines.push(
      `${count(breaking.length, "breaking change")} since ${released?.api_version}, and no new entry of ${api_version} says "breaking": true`,
    );
  }
  if (excused) lines.push(`described by ${told_by.map(oneLine).join(", ")}`);
  const since = released === null ? "no release before" : `compared with ${released.api_version}`;
  const counts = `${count(entries, "entry", "entries")}, ${since}`;
  const verdict = ok ? "may be published" : "must not be published";
  return `${[...lines, `${counts}: ${verdict}`].join("\n")}\n`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
