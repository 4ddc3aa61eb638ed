/**
 * What readings of the sources found wrong, kept over a restart: written every hour and at the end. Any
 * reader of a source reports here, by the id under which `/v1/sources` lists the source.
 */
import {
  EFFECTS,
  Findings,
  type SourceFindings,
  type SourceReading,
} from "#core/quality/findings.ts";
import { isObject } from "#core/members/member-rules.ts";
import { parseJsonBytes } from "#kit/json.ts";
import type { HistoryDeps } from "./source-history.ts";

export type SourceQuality = {
  /** A reading has ended, with what it found wrong; absent members: it says nothing of these. */
  note(source_id: string, reading: SourceReading): void;
  /** null: no reading of it has said what it found. */
  read(source_id: string): SourceFindings | null;
  /** Writes what is not written yet. */
  close(): Promise<void>;
};

const NAME = "source_quality";
/** Another one voids what is kept. */
const WRITTEN_AS = "source quality 1";
const WRITE_MS = 3_600_000;

/** Opens it with what an earlier process kept. */
export async function openSourceQuality({
  clock,
  documents,
  onUnkept,
}: HistoryDeps): Promise<SourceQuality> {
  const findings = new Findings();
  const stored = await documents.read(NAME);
  const [body] = stored?.origin === WRITTEN_AS ? stored.bodies : [];
  const rows = body && parseJsonBytes(body);
  if (Array.isArray(rows)) findings.import(rows.filter(isRow), clock.now());
  let cancel = (): void => undefined;

  async function write(): Promise<void> {
    const read_at_ms = clock.now();
    const text = JSON.stringify(findings.export(read_at_ms));
    const labels = { origin: WRITTEN_AS, read_at_ms, etag: null, last_modified: null };
    if (!(await documents.write(NAME, { ...labels, bodies: [new TextEncoder().encode(text)] })))
      onUnkept();
  }
  function writeLater(): void {
    cancel = clock.schedule(clock.now() + WRITE_MS, () => {
      writeLater();
      return write();
    });
  }

  writeLater();
  return {
    note: (source_id, reading) => findings.note(source_id, reading, clock.now()),
    read: (source_id) => findings.read(source_id, clock.now()),
    async close() {
      cancel();
      await write();
    },
  };
}

type Row = [string, SourceFindings];

/** The store may be damaged: what has another form is left. */
function isRow(row: unknown): row is Row {
  if (!Array.isArray(row) || typeof row[0] !== "string" || !isObject(row[1])) return false;
  const { last_ms, findings } = row[1];
  return Number.isFinite(last_ms) && Array.isArray(findings) && findings.every(isFinding);
}

function isFinding(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { effect, part, reason, examples } = value;
  const numbers = [value["count"], value["readings"], value["first_ms"], value["last_ms"]];
  return (
    EFFECTS.some((each) => each === effect) &&
    (part === null || typeof part === "string") &&
    typeof reason === "string" &&
    typeof value["current"] === "boolean" &&
    Array.isArray(examples) &&
    examples.every((example) => typeof example === "string") &&
    numbers.every((number) => Number.isFinite(number))
  );
}
