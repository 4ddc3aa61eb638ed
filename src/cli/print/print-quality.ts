/** The quality of a source for people: both spans, then what was found wrong, with what to do. */
import type { SourceQualityReply } from "#api/quality.ts";
import type { On } from "#cli/print/print-answer.ts";
import { type Column, renderTable } from "#cli/print/print-table.ts";
import { age, count, UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";

type Span = SourceQualityReply["last_24_hours"];
type Findings = SourceQualityReply["dropped"];

const SPANS: readonly Column[] = [
  { title: "span" },
  { title: "available", align: "right" },
  { title: "attempts", align: "right" },
  { title: "failed", align: "right" },
  { title: "age p50", align: "right" },
  { title: "p99", align: "right" },
  { title: "most", align: "right" },
];
const FINDINGS: readonly Column[] = [
  { title: "reason" },
  { title: "count", align: "right" },
  { title: "part", spare: 1 },
  { title: "examples", elastic: true, spare: 2 },
  { title: "what to do", elastic: 2, least: 30, wraps: 3 },
];

export function formatQuality(body: SourceQualityReply, on: On): string {
  const { source, requested, last_24_hours, last_30_days } = body;
  const { id, name, licence, problem } = source;
  const spans = [toRow("24 hours", last_24_hours), toRow("30 days", last_30_days)];
  return [
    `${oneLine(name)} (${oneLine(id)}), licence ${oneLine(licence ?? UNKNOWN)}\n`,
    problem ? `${oneLine(problem.message)}\n` : "",
    requested ? "" : "It was not asked in the last 30 days, as far as is known.\n",
    `\n${renderTable(SPANS, spans, on)}`,
    toList("left out", body.dropped, on),
    toList("put right", body.repaired, on),
    toList("contradictions", body.contradictions, on),
  ].join("");
}

function toRow(name: string, { availability, attempts, failures, age: spread }: Span): string[] {
  const share = availability === null ? UNKNOWN : `${(availability * 100).toFixed(1)} %`;
  const ages = [spread?.p50_s, spread?.p99_s, spread?.max_s].map((each) => age(each ?? null));
  return [name, share, count(attempts), count(failures), ...ages];
}

function toList(title: string, findings: Findings, on: On): string {
  if (findings === null) return `\n${title}: unknown, no reading of it says so\n`;
  if (findings.length === 0) return `\n${title}: nothing in the last 30 days\n`;
  const rows = findings.map(({ reason, count: n, part, examples, advice, current }) => [
    oneLine(reason),
    current ? count(n) : on.paint.dim(count(n)),
    oneLine(part ?? UNKNOWN),
    oneLine(examples.join(", ")),
    advice,
  ]);
  return `\n${title}:\n${renderTable(FINDINGS, rows, on)}`;
}
