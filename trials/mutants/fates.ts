/** What became of planted faults: kept in a file while the trial runs, so that it can be resumed. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import type { Planted } from "./draw.ts";
import type { MutantKind } from "./mutate.ts";

/**
 * `killed`: by a test; `checked`: by an error of types; `justified`: it survived, and a list says why no
 * test could or should see it.
 */
export type Fate = "killed" | "checked" | "survived" | "justified";
export type Judged = {
  id: string;
  layer: string;
  kind: MutantKind;
  file: string;
  line: number;
  source: string;
  what: string;
  fate: Fate;
};

export function toJudged({ layer, file, line, source, mutant }: Planted, fate: Fate): Judged {
  const { kind, what, text, start } = mutant;
  const id = createHash("sha256").update([file, source, start, text].join("\0")).digest("hex");
  return { id: id.slice(0, 16), layer, kind, file, line, source, what, fate };
}

/** A line each; `file` null: nothing is kept; `again`: what no test has seen is unknown. */
export class Fates {
  readonly #file: string | null;
  readonly #known = new Map<string, Judged>();

  constructor(file: string | null, again = false) {
    this.#file = file;
    if (file === null || !existsSync(file)) return;
    const text = readFileSync(file, "utf8");
    // A line that was cut off when the trial was killed is judged again.
    if (!text.endsWith("\n")) appendFileSync(file, "\n");
    for (const line of text.split("\n")) {
      if (!line.endsWith("}")) continue;
      const judged = JSON.parse(line) as Judged;
      if (again && judged.fate !== "killed" && judged.fate !== "checked")
        this.#known.delete(judged.id);
      else this.#known.set(judged.id, judged);
    }
  }

  find(planted: Planted): Judged | undefined {
    return this.#known.get(toJudged(planted, "survived").id);
  }

  keep(judged: Judged): void {
    this.#known.set(judged.id, judged);
    if (this.#file !== null) appendFileSync(this.#file, `${JSON.stringify(judged)}\n`);
  }
}

/** A fault that no test sees, with the reason: it changes no answer, or less than any test should ask. */
export type Justified = { file: string; source: string; what: string; reason: string };

const JUSTIFIED_FILE: URL = new URL("./justified.json", import.meta.url);

export function readJustified(file: URL | string = JUSTIFIED_FILE): Justified[] {
  return JSON.parse(readFileSync(file, "utf8")) as Justified[];
}

export function justify(judged: Judged, rows: readonly Justified[]): Judged {
  const { file, source, what, fate } = judged;
  const isListed = rows.some(
    (row) => row.file === file && row.source === source && row.what === what,
  );
  return fate === "survived" && isListed ? { ...judged, fate: "justified" } : judged;
}
