/**
 * What readings of sources found wrong: entities left out, values put right, and statements that
 * contradict each other, each with its reason, a count and a few examples. Bounded in sources, in
 * findings and in text, and forgotten after 30 days without a repetition.
 */
import { cleanText } from "#kit/text/clean.ts";
import type { TrailEntry } from "#kit/trail.ts";

export const EFFECTS = ["dropped", "repaired", "contradiction"] as const;
export type Effect = (typeof EFFECTS)[number];

/** One reading of a source, or of a part of it. */
export type SourceReading = {
  /** Which file or operation; null: the source has no parts. */
  part: string | null;
  /** Absent: what was left out is not known. */
  dropped?: readonly TrailEntry[];
  repaired?: readonly TrailEntry[];
  contradictions?: readonly TrailEntry[];
};

export type Finding = {
  effect: Effect;
  part: string | null;
  /** A machine token. */
  reason: string;
  /** Entities of the last reading that had any. */
  count: number;
  /** Readings that had any, since the first. */
  readings: number;
  /** As the source calls them. */
  examples: string[];
  /** The last reading of the part had it. */
  current: boolean;
  first_ms: number;
  last_ms: number;
};

/** `last_ms`: of the last reading that said what it left out. */
export type SourceFindings = { last_ms: number; findings: Finding[] };

export const MAX_NOTED = 20_000;
/** Of all sources together; those that were read longest ago give way. */
export const MAX_FINDINGS = 8_000;
const MOST_OF_ONE = 40;
const MOST_EXAMPLES = 3;
const MOST_CHARACTERS = 80;
const LIFE_MS = 30 * 86_400_000;

/** Of each source, the one that was read last at the end. */
export class Findings {
  readonly #sources = new Map<string, SourceFindings>();
  #count = 0;

  note(source_id: string, reading: SourceReading, now_ms: number): void {
    const known = this.#sources.get(source_id);
    const source = known ?? { last_ms: now_ms, findings: [] };
    source.last_ms = now_ms;
    for (const finding of source.findings)
      if (finding.part === reading.part) finding.current = false;
    for (const [effect, entries] of listEntries(reading))
      for (const entry of entries.slice(0, MOST_OF_ONE))
        this.#add(source, { effect, part: reading.part, entry, now_ms });
    // The last in the order of a map is the one that was set last.
    this.#sources.delete(source_id);
    this.#sources.set(source_id, source);
    this.#bound();
  }

  /** Those of the last 30 days, the most frequent first; null: no reading of it is known. */
  read(source_id: string, now_ms: number): SourceFindings | null {
    const source = this.#sources.get(source_id);
    if (!source || isOld(source.last_ms, now_ms)) return null;
    const findings = source.findings.filter(({ last_ms }) => !isOld(last_ms, now_ms));
    return { ...source, findings: findings.toSorted((a, b) => b.count - a.count) };
  }

  export(now_ms: number): [string, SourceFindings][] {
    return [...this.#sources].flatMap(([id]) => {
      const source = this.read(id, now_ms);
      return source ? [[id, source]] : [];
    });
  }

  /** Takes up what was exported; what is later than `now_ms` was noted by a clock that was ahead. */
  import(exported: readonly [string, SourceFindings][], now_ms: number): void {
    for (const [id, { last_ms, findings }] of exported) {
      if (this.#sources.has(id) || isOld(last_ms, now_ms)) continue;
      const source = {
        last_ms: Math.min(last_ms, now_ms),
        findings: findings.slice(0, MOST_OF_ONE).map((finding) => ({
          ...finding,
          first_ms: Math.min(finding.first_ms, now_ms),
          last_ms: Math.min(finding.last_ms, now_ms),
        })),
      };
      this.#sources.set(id, source);
      this.#count += source.findings.length;
      this.#bound();
    }
  }

  #add(source: SourceFindings, { effect, part, entry, now_ms }: Entry): void {
    const { reason, count } = entry;
    const known = source.findings.find(
      (each) => each.effect === effect && each.part === part && each.reason === reason,
    );
    const examples = entry.examples.slice(0, MOST_EXAMPLES).map(toExample);
    if (known) {
      Object.assign(known, { count, examples, current: true, last_ms: now_ms });
      known.readings++;
      return;
    }
    if (source.findings.length === MOST_OF_ONE) {
      const oldest = source.findings.reduce((a, b) => (b.last_ms < a.last_ms ? b : a));
      source.findings.splice(source.findings.indexOf(oldest), 1);
      this.#count--;
    }
    source.findings.push({
      ...{ effect, part, reason: cleanText(reason, MOST_CHARACTERS), count, readings: 1 },
      ...{ examples, current: true, first_ms: now_ms, last_ms: now_ms },
    });
    this.#count++;
  }

  #bound(): void {
    while (this.#sources.size > MAX_NOTED || this.#count > MAX_FINDINGS) {
      const [oldest] = this.#sources;
      if (!oldest) return;
      this.#sources.delete(oldest[0]);
      this.#count -= oldest[1].findings.length;
    }
  }
}

type Entry = { effect: Effect; part: string | null; entry: TrailEntry; now_ms: number };

function listEntries(reading: SourceReading): [Effect, readonly TrailEntry[]][] {
  const { dropped = [], repaired = [], contradictions = [] } = reading;
  return [
    ["dropped", dropped],
    ["repaired", repaired],
    ["contradiction", contradictions],
  ];
}

/** Without what is invisible, and cut. */
function toExample(text: string): string {
  return cleanText(text, MOST_CHARACTERS);
}

function isOld(at_ms: number, now_ms: number): boolean {
  return at_ms <= now_ms - LIFE_MS;
}
