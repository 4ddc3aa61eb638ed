/** What a program was asked and what it answered, in the order of the requests; kept as one file. */
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";

/** Texts are Latin-1, so that each byte is a character. What is random is an alias (aliases.ts). */
export type Step = {
  /** Operation, tool, command or group of requests: differences are counted by it. */
  part: string;
  /** Unique in a stage. */
  label: string;
} & (
  | {
      to: "api" | "admin" | "simulator";
      method: string;
      target: string;
      headers: Readonly<Record<string, string>>;
      body: string | null;
    }
  /** Written as it is to a connection of its own. */
  | { to: "socket"; bytes: string }
  /** `apart`: it depends on nothing else, so that it may run at any time. */
  | { to: "shell"; args: readonly string[]; input: string; apart?: true }
);

export type Reply = {
  /** The exit code of a command. */
  status: number;
  /** Names and values as they came. */
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
};

export type Entry = { step: Step; reply: Reply };
type StageRecording = { stage: string; entries: Entry[] };
export type Recording = { format: typeof FORMAT; stages: StageRecording[] };

export const FORMAT = 1;

/** Bodies occur many times: each is kept once. */
type Stored = {
  format: number;
  bodies: string[];
  stages: {
    stage: string;
    entries: { step: Step; reply: Omit<Reply, "body"> & { body: number } }[];
  }[];
};

export function packRecording({ format, stages }: Recording): Buffer {
  const numbers = new Map<string, number>();
  const numberOf = (body: string): number => {
    const known_number = numbers.get(body) ?? numbers.size;
    numbers.set(body, known_number);
    return known_number;
  };
  const rows = stages.map(({ stage, entries }) => ({
    stage,
    entries: entries.map(({ step, reply }) => ({
      step,
      reply: { ...reply, body: numberOf(reply.body) },
    })),
  }));
  const stored: Stored = { format, stages: rows, bodies: [...numbers.keys()] };
  return gzipSync(JSON.stringify(stored));
}

export function unpackRecording(bytes: Uint8Array): Recording {
  const { format, stages, bodies } = JSON.parse(gunzipSync(bytes).toString()) as Stored;
  if (format !== FORMAT) throw new Error(`a recording of format ${format}, expected ${FORMAT}`);
  return {
    format,
    stages: stages.map(({ stage, entries }) => ({
      stage,
      entries: entries.map(({ step, reply }) => ({
        step,
        reply: { ...reply, body: bodies[reply.body]! },
      })),
    })),
  };
}

export async function writeRecording(file: string, recording: Recording): Promise<void> {
  await writeFile(file, packRecording(recording));
}

export async function readRecording(file: string): Promise<Recording> {
  return unpackRecording(await readFile(file));
}
