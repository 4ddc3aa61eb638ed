/**
 * What a writer did to its store, in the order of its system calls: recorded by strace, read from its
 * log (reliability 3.5). Positions are lines of the log; a call of another thread may lie between the
 * beginning and the end of one. Times are of the clock, in milliseconds.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

type Span = { start: number; end: number; start_ms: number; end_ms: number };
/** `covered_by`: whose fsync makes it durable; of an unlink, the folder. */
export type Op = Span & { file: string; covered_by: string } & (
    | { kind: "write"; at: number; bytes: Buffer }
    | { kind: "truncate"; length: number }
    | { kind: "unlink" }
  );
type Barrier = Span & { covers: string };

export type Trace = {
  ops: Op[];
  barriers: Barrier[];
  acks: Ack[];
  /** Lines of the log. */
  length: number;
};

/** What the writer acknowledged. */
export type Ack = {
  start: number;
  text: string;
  /** From here on a failure of power must not lose it either. */
  durable_at: number;
};

/** The file in the data folder that a writer writes its acknowledgements to, a line each. */
export const ACKS = "acks.log";
const CALLS = "pwrite64,pwritev,write,writev,ftruncate,fsync,fdatasync,unlink,rename";

/** False where strace is not installed, or may not trace. */
export function canTrace(): boolean {
  try {
    execFileSync("strace", ["-f", "-e", "trace=none", "-o", "/dev/null", "true"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

/** Runs the writer (`node WRITER DATA_DIR …`) to its end. `stores`: the database files of the trace. */
export function record(
  writer: string,
  data_dir: string,
  { args, stores }: { args: readonly string[]; stores: readonly string[] },
): Trace {
  const log = join(data_dir, "strace.log");
  const strace = ["-f", "-y", "-xx", "-ttt", "-T", "-s", "2000000", "--seccomp-bpf"];
  strace.push("-e", `trace=${CALLS}`);
  execFileSync("strace", [...strace, "-o", log, process.execPath, writer, data_dir, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: 120_000,
  });
  return readTrace(readFileSync(log, "latin1").split("\n"), stores);
}

/** `1234 time name(arguments) = result <duration>`; either half may be on a line of its own. */
const CALL =
  /^(\d+) +([\d.]+) (\w+)\((.*?)(?:\) += (-?\d+).*?(?:<([\d.]+)>)?| <unfinished \.\.\.>)$/;
const RESUMED = /^(\d+) +([\d.]+) <\.\.\. \w+ resumed>.*\) += (-?\d+)/;

export function readTrace(lines: readonly string[], stores: readonly string[]): Trace {
  const trace: Trace = { ops: [], barriers: [], acks: [], length: lines.length };
  const unfinished = new Map<
    string,
    { name: string; args: string; start: number; start_ms: number }
  >();
  for (const [index, line] of lines.entries()) {
    const resumed = RESUMED.exec(line);
    const call = resumed ? null : CALL.exec(line);
    const [, thread = "", time, name = "", args = "", result, lasted = "0"] = call ?? [];
    const start_ms = Number(time) * 1000;
    if (call && result === undefined)
      unfinished.set(thread, { name, args, start: index, start_ms });
    else if (call) {
      const end_ms = start_ms + Number(lasted) * 1000;
      noteCall(trace, stores, {
        name,
        args,
        start: index,
        end: index,
        start_ms,
        end_ms,
        result: Number(result),
      });
    }
    const begun = resumed ? unfinished.get(resumed[1]!) : undefined;
    if (resumed && begun) {
      const end_ms = Number(resumed[2]) * 1000;
      noteCall(trace, stores, { ...begun, end: index, end_ms, result: Number(resumed[3]) });
      unfinished.delete(resumed[1]!);
    }
  }
  trace.ops.sort((a, b) => a.start - b.start);
  trace.acks.sort((a, b) => a.start - b.start);
  return trace;
}

type Call = Span & { name: string; args: string; result: number };

function noteCall(
  trace: Trace,
  stores: readonly string[],
  { name, args, result, ...span }: Call,
): void {
  if (result < 0) return;
  const strings = [...args.matchAll(/[<"]((?:\\x[\da-f]{2})*)[>"]/g)].map(([, hex]) => unhex(hex!));
  const path = strings[0]?.toString() ?? "";
  const file = basename(path);
  const last = Number(/, (\d+)$/.exec(args)?.[1]);
  const bytes = strings[1] ?? Buffer.alloc(0);
  if (name === "write" && file === ACKS) {
    for (const text of bytes.toString().trimEnd().split("\n"))
      trace.acks.push({ start: span.start, durable_at: span.start, text });
    return;
  }
  if (name === "fsync" || name === "fdatasync") trace.barriers.push({ ...span, covers: path });
  // The content of the -shm is rebuilt from the log.
  if (!stores.some((store) => file.startsWith(store)) || file.endsWith("-shm")) return;
  const of = { ...span, file, covered_by: path };
  if (name === "pwrite64") {
    if (result !== bytes.length) throw new Error(`a write of ${result} of ${bytes.length} bytes`);
    trace.ops.push({ ...of, kind: "write", at: last, bytes });
  } else if (name === "ftruncate") trace.ops.push({ ...of, kind: "truncate", length: last });
  else if (name === "unlink") trace.ops.push({ ...of, covered_by: dirname(path), kind: "unlink" });
  else if (!name.endsWith("sync")) throw new Error(`${name} of ${file} is not handled`);
}

function unhex(text: string): Buffer {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}
