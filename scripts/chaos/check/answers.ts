/**
 * Identical answers: replicas that answer the same question out of the same snapshots give the same
 * bytes. Which snapshots an answer stems from is told by its own `debug` (state, size and age of each
 * source); the body is what stands before it. Ages grow, so that only answers of one moment and of
 * equal ages are compared; and they are whole seconds, so that two replicas which had to ask a source
 * by themselves, just before and just after it changed, cannot be told from two that share what one
 * of them was told: what was read around a full minute, when the simulator changes, is left out.
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
const MINUTE_S = 60;
/** Before and after a full minute: ages are rounded, and a reading takes its time. */
const AROUND_S = 1.5;
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
        if (one.snapshots !== other.snapshots || one.turning || other.turning) {
          apart += 1;
          continue;
        }
        compared += 1;
        if (one.body !== other.body)
          findings.push(
            `${question}: ${one.replica} and ${other.replica} ${tellDifference(one.body, other.body)}`,
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
    snapshots: debug === null ? "" : snapshotsOf(debug),
    turning: debug !== null && isTurning(debug, rest.from_ms),
  };
}

type Debug = {
  sources: { source_id: string; status: string; raw_count: number }[];
  orchestration: { sources: { source_id: string; cache: string; age_s: number | null }[] };
};

/** Sources by id, each with all that tells its snapshot from another one. */
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

/** Was a source read around a full minute? */
function isTurning({ orchestration }: Debug, asked_ms: number): boolean {
  return orchestration.sources.some(({ age_s }) => {
    if (age_s === null) return false;
    const read_s = asked_ms / 1000 - age_s;
    return Math.abs(read_s - Math.round(read_s / MINUTE_S) * MINUTE_S) <= AROUND_S;
  });
}

function tellDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const part = (text: string): string => text.slice(Math.max(0, at - 30), at + 30);
  return `differ at ${at}: …${part(one)}… and …${part(other)}…`;
}
