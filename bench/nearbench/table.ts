/** The table of results: by kind of question and by language, with calls and tokens. */
import { KINDS, LANGUAGES, type Question } from "./question.ts";
import { type Verdict, VERDICTS } from "./scorer.ts";

export type Scored = {
  readonly question: Question;
  readonly verdict: Verdict;
  readonly calls: number;
  /** null: not counted. */
  readonly tokens: number | null;
};

/** Lines of Markdown. */
export function toTable(all: readonly Scored[]): string {
  const rows = [
    ...KINDS.map((kind) =>
      rowOf(
        kind,
        of(all, (question) => question.kind === kind),
      ),
    ),
    ...LANGUAGES.map((code) =>
      rowOf(
        code,
        of(all, (question) => question.language === code),
      ),
    ),
    rowOf("all", all),
  ];
  const heads = ["", "questions", ...VERDICTS, "median calls", "median tokens"];
  const head = `| ${heads.join(" | ").replaceAll("_", " ")} |`;
  return [head, `|${"---|".repeat(heads.length)}`, ...rows.filter((row) => row !== "")].join("\n");
}

const of = (all: readonly Scored[], is: (question: Question) => boolean): Scored[] =>
  all.filter(({ question }) => is(question));

function rowOf(name: string, rows: readonly Scored[]): string {
  if (rows.length === 0) return "";
  const counts = VERDICTS.map((verdict) => rows.filter((row) => row.verdict === verdict).length);
  const calls = medianOf(rows.map((row) => row.calls));
  const tokens = medianOf(rows.flatMap((row) => row.tokens ?? []));
  return `| ${[name, rows.length, ...counts, calls ?? "–", tokens ?? "–"].join(" | ")} |`;
}

/** null: of none. */
export function medianOf(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
}
