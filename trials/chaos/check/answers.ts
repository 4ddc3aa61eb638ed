/**
 * Identical answers: replicas that answer the same question from the same snapshots give the same
 * bytes. An answer's `debug` names its snapshots (state, size and age of each source, the times of the
 * documents that the listed entities were read from); the body is what precedes it. Ages grow, so that
 * only answers of one moment and of equal ages are compared. Two replicas that had to ask a source by
 * themselves, just before and just after it changed, have documents of other times, though of one age
 * in whole seconds.
 */
import { type Span, toVerdict, type Verdict } from "./verdict.ts";

export type Answer = Span & {
  replica: number;
  question: string;
  /** The whole reply, `debug` included. */
  text: string;
};

/** Asked within so much of one another: no age of a second has to step in between, most times. */
const MOMENT_MS = 500;
const DEBUG = ',"debug":{';

export function checkAnswers(answers: readonly Answer[]): Verdict {
  const findings: string[] = [];
  let compared = 0;
  let apart = 0;
  for (const [question, all] of Map.groupBy(answers, (each) => each.question)) {
    const sorted = all.toSorted((a, b) => a.from_ms - b.from_ms).map(read);
    for (const [i, one] of sorted.entries())
      for (const other of sorted.slice(i + 1)) {
        if (other.from_ms - one.from_ms > MOMENT_MS) break;
        if (one.replica === other.replica) continue;
        if (one.snapshots !== other.snapshots) {
          apart += 1;
          continue;
        }
        compared += 1;
        if (one.body !== other.body)
          findings.push(
            `${question}: ${one.replica} and ${other.replica} ${describeDifference(one.body, other.body)}`,
          );
      }
  }
  const figures = { answers: answers.length, compared, of_other_snapshots: apart };
  return toVerdict({ rule: "identical answers", findings, scanned: compared, figures });
}

function read({ text, ...rest }: Answer) {
  const at = text.lastIndexOf(DEBUG);
  const debug = at < 0 ? null : (JSON.parse(text) as { debug: Debug }).debug;
  return {
    ...rest,
    body: at < 0 ? text : text.slice(0, at),
    snapshots: debug === null ? "" : [snapshotsOf(debug), ...documentsOf(debug)].join(", "),
  };
}

type Debug = {
  sources: { source_id: string; status: string; raw_count: number }[];
  orchestration: { sources: { source_id: string; cache: string; age_s: number | null }[] };
  entities: { observations: { source_id: string; observed_at: string | null }[] }[];
};

/** Sources by id, each with all that distinguishes its snapshot from another one. */
function snapshotsOf(debug: Debug): string {
  const ages = new Map(
    debug.orchestration.sources.map(({ source_id, age_s }) => [source_id, age_s]),
  );
  return debug.sources
    .map(({ source_id, status, raw_count }) =>
      [source_id, status, raw_count, ages.get(source_id)].join(" "),
    )
    .sort()
    .join(", ");
}

/** Systems, each with the times of its documents: an observation is of `system:entity`. */
function documentsOf({ entities }: Debug): string[] {
  const observations = entities.flatMap((entity) => entity.observations);
  const documents = observations.map(
    ({ source_id, observed_at }) => `${source_id.split(":")[0]} of ${observed_at}`,
  );
  return [...new Set(documents)].sort();
}

function describeDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const part = (text: string): string => text.slice(Math.max(0, at - 30), at + 30);
  return `differ at ${at}: …${part(one)}… and …${part(other)}…`;
}
