/**
 * The import of an extract of any size into a paged base: what fits one page is read and packed at
 * once; what does not is split on disk, and its pages are built in as many threads as there are cores.
 * Each step is a job of a thread (extract-thread.ts): a fault of one is one line, and ends the import.
 */
import { availableParallelism } from "node:os";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { CELLS_COLUMN, type OptionalSection } from "../base/base-layout.ts";
import {
  type Capacity,
  checkPagedNeeds,
  fitsOnePage,
  threadsFor,
  UNKNOWN_CAPACITY,
} from "../base/needs.ts";
import { mergeFacts, type PartFacts } from "../pages/head-facts.ts";
import { WHOLE } from "../pages/page-cell.ts";
import { type PageSink, PagedWriter } from "../pages/paged-writer.ts";
import { guard } from "#kit/guard.ts";
import { type ImportLimits, jobProblem, noteDefect } from "#kit/run/import-thread.ts";
import { type ImportProblem, toProblem } from "#kit/run/run-problem.ts";
import { exceptOutOfMemory, Thread } from "#kit/run/thread.ts";
import { type BaseReport, toMeta } from "./import-extract.ts";
import type {
  FactsDone,
  HeadDone,
  ImportJob,
  JobDone,
  JobNote,
  JobSettings,
  PageDone,
  ShareDone,
  SplitDone,
  WholeDone,
} from "./import-jobs.ts";
import type { BaseProgress } from "./import-progress.ts";
import { createPagedProgress, type PagedProgress } from "./paged-progress.ts";
import type { PageRun } from "./split/split-types.ts";
import { OPEN_MAP_TERMS } from "../terms.ts";

/** Where a base is written (src/ports/bases.ts): its bytes, and a folder for what it is made of. */
export type BaseTarget = PageSink & { folder: string };

export type PagedImportOptions = {
  id: string;
  region: string | null;
  now_ms: number;
  /** Its caller commits it, or removes it. */
  target: BaseTarget;
  /** Names of the sections that are not made. */
  without?: readonly OptionalSection[];
  capacity?: Capacity;
  onProgress?: (progress: BaseProgress) => void;
  signal?: AbortSignal;
  /** Of a packed page; absent: 64 MB. */
  page_bytes?: number;
  /** Absent: as many as there are cores and there is memory for. */
  threads?: number;
};

type PagedImportResult = { ok: true; report: BaseReport } | ImportProblem;

export type ImportExtract = (
  path: string,
  options: PagedImportOptions,
) => Promise<PagedImportResult>;

/** Of the heap of one thread: positions of nodes and columns lie outside of it. */
const DEFAULTS = { max_heap_mb: 4_096, job_timeout_ms: 24 * 60 * 60_000 } as const;
/** A page is built from at most so much; one that needs more is refused, and not the machine's fault. */
const PAGE_BYTES = 64 * 1024 ** 2;
/** Part of a page's work that goes into what its addresses say. */
const FACTS = 0.1;
/** Tables and buffers of the split. */
const SPLIT_BYTES = 512 * 1024 ** 2;

type Limits = Pick<ImportLimits, "worker_url" | "onFault"> & Partial<ImportLimits>;
type Bounds = Limits & Pick<ImportLimits, keyof typeof DEFAULTS>;

/** Imports in threads that run `worker_url`, which calls `serveBaseImport`. What the target refuses is thrown. */
export function threadBaseImport(input: Limits): ImportExtract {
  const limits: Bounds = { ...DEFAULTS, ...input };
  return async (path, options) => {
    const settled = await guard<PagedImportResult, { error: unknown }>(
      () => new PagedImport(path, options, limits).run(),
      (error) => ({ error }),
    );
    if (!("error" in settled) || "ok" in settled) return settled;
    if (settled.error instanceof Unwritten) throw settled.error.cause;
    return toProblem(settled.error, "extract");
  };
}

/** What the disk did not take; its cause is the error of the file system. */
class Unwritten extends Error {}

type ImportThread = {
  run<Done>(job: ImportJob, onNote?: (note: JobNote) => void): Promise<Done>;
};

/** Why a job was not done, in one line. */
class NotDone extends Error {
  readonly code = "IMPORT_PROBLEM";
}

class PagedImport {
  readonly #path: string;
  readonly #options: PagedImportOptions;
  readonly #settings: JobSettings;
  readonly #limits: Bounds;
  readonly #writer: PagedWriter;
  readonly #progress: PagedProgress;
  readonly #begun_ms = performance.now();
  /** Ends the other threads once one has failed. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;

  constructor(path: string, options: PagedImportOptions, limits: Bounds) {
    const { id, region, now_ms, without = [], target, signal } = options;
    this.#path = path;
    this.#options = options;
    this.#settings = { id, region, now_ms, without };
    this.#limits = limits;
    this.#writer = new PagedWriter({ write: (at, bytes) => written(target.write(at, bytes)) });
    this.#progress = createPagedProgress(options.onProgress);
    this.#signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
  }

  async run(): Promise<PagedImportResult> {
    const { capacity = UNKNOWN_CAPACITY, without = [], page_bytes = PAGE_BYTES } = this.#options;
    const { size } = await stat(this.#path);
    const kind = without.includes("walk") ? "extract without ways" : "extract";
    this.#progress.begin(size);
    if (fitsOnePage(kind, size, page_bytes)) return await this.#importWhole(capacity, size);
    const threads = this.#options.threads ?? threadsFor(availableParallelism(), capacity);
    checkPagedNeeds("extract", kind, size, capacity);
    return await this.#importSplit({ page_bytes, threads }, size);
  }

  async #importWhole(capacity: Capacity, file_bytes: number): Promise<PagedImportResult> {
    const job = { kind: "whole", path: this.#path, settings: this.#settings, capacity } as const;
    const done = await this.#once<WholeDone>(job, (note) => {
      if ("progress" in note) this.#progress.pass(note.progress);
    });
    const { pack, facts, summary } = done;
    await this.#writer.add(0, { level: "ground", cell: WHOLE, pack });
    return await this.#finish(summary, [facts], done, file_bytes);
  }

  async #importSplit(
    { page_bytes, threads }: { page_bytes: number; threads: number },
    file_bytes: number,
  ): Promise<PagedImportResult> {
    const { folder } = this.#options.target;
    const common = { path: this.#path, folder, page_bytes, memory_bytes: SPLIT_BYTES };
    const split = await this.#once<SplitDone>(
      { kind: "split", ...common, settings: this.#settings },
      (note) => {
        if ("done" in note) this.#progress.split(note.done, note.counts);
      },
    );
    const { facts, names } = await this.#buildPages(split, threads);
    this.#progress.names();
    const head = await this.#once<HeadDone>({ kind: "head", run: split.head, names });
    return await this.#finish(split.summary, facts, head, file_bytes);
  }

  /** Pages are numbered as their runs, whichever is done first. */
  async #buildPages(
    split: SplitDone,
    most_threads: number,
  ): Promise<{ facts: PartFacts[]; names: (string | null)[] }> {
    const { runs, order, map, summary } = split;
    await using opened = new AsyncDisposableStack();
    const count = Math.max(1, Math.min(most_threads, runs.length));
    const threads = Array.from({ length: count }, () => opened.use(this.#thread()));
    const [facts, names]: [PartFacts[], (string | null)[]] = [[], []];
    const total = runs.reduce((sum, run) => sum + run.bytes, 0);
    const pages = this.#progress.pages(total);
    const shared = await this.#shareFacts(split, { threads, pages });
    await this.#forEachRun(runs, threads, async (run, number, thread) => {
      const path = join(this.#options.target.folder, `names.${number}`);
      const job: ImportJob = {
        ...{ kind: "page", run, order, map, data_at_s: summary.data_at_s },
        ...{ settings: this.#settings, names: path, shared: shared[number] ?? null },
      };
      const done = await thread.run<PageDone>(job, (note) => {
        if ("done" in note) pages(number, (FACTS + (1 - FACTS) * note.done) * run.bytes);
      });
      const { level, cell } = run;
      await this.#writer.add(number, { level, cell, pack: done.pack });
      pages(number, run.bytes);
      facts[number] = done.facts;
      names[number] = done.hasNames ? path : null;
    });
    return { facts, names };
  }

  /** What addresses say over the edges of cells, as files by the number of the page; null: nothing. */
  async #shareFacts(
    { runs, order }: SplitDone,
    {
      threads,
      pages,
    }: { threads: readonly ImportThread[]; pages: (page: number, bytes: number) => void },
  ): Promise<readonly (string | null)[]> {
    const { folder } = this.#options.target;
    const ground = runs.filter(({ level }) => level === "ground");
    if (!order.includes("geocoder") || ground.length < 2) return [];
    const facts = runs.map((): string | null => null);
    await this.#forEachRun(runs, threads, async (run, number, thread) => {
      if (run.level !== "ground") return;
      const path = join(folder, `facts.${number}`);
      const job: ImportJob = { kind: "facts", run, order, settings: this.#settings, path };
      const { hasFacts } = await thread.run<FactsDone>(job);
      if (hasFacts) facts[number] = path;
      pages(number, FACTS * run.bytes);
    });
    const { shared } = await threads[0]!.run<ShareDone>({ kind: "share", folder, facts });
    return shared;
  }

  /** Each run once, in whichever thread is free; the first that fails ends the others. */
  async #forEachRun(
    runs: SplitDone["runs"],
    threads: readonly ImportThread[],
    work: (run: PageRun, number: number, thread: ImportThread) => Promise<void>,
  ): Promise<void> {
    const pending = runs.entries();
    const inThread = async (thread: ImportThread): Promise<void> => {
      for (const [number, run] of pending) await work(run, number, thread);
    };
    await allOrStop(threads.map(inThread), this.#stop);
  }

  async #finish(
    summary: SplitDone["summary"],
    pages: readonly PartFacts[],
    { columns, sections }: HeadDone,
    file_bytes: number,
  ): Promise<PagedImportResult> {
    this.#signal.throwIfAborted();
    const facts = mergeFacts(pages);
    const parts = { ...facts, sections: { ...facts.sections, ...sections } };
    const meta = toMeta(summary, { ...this.#settings, terms: OPEN_MAP_TERMS }, parts);
    const head = { [CELLS_COLUMN]: summary.cells, ...columns };
    const pack_bytes = await this.#writer.finish(meta, head);
    this.#progress.end();
    const elapsed_ms = performance.now() - this.#begun_ms;
    const { sections: _, ...own } = meta;
    return { ok: true, report: { ...own, file_bytes, pack_bytes, elapsed_ms } };
  }

  async #once<Done>(job: ImportJob, onNote?: (note: JobNote) => void): Promise<Done> {
    await using thread = this.#thread();
    return await thread.run<Done>(job, onNote);
  }

  #thread(): ImportThread & AsyncDisposable {
    const limits = this.#limits;
    const onFault = exceptOutOfMemory(limits.onFault);
    const thread = new Thread<ImportJob, JobDone<object>, JobNote>({ ...limits, onFault });
    const signal = this.#signal;
    return {
      async run<Done>(job: ImportJob, onNote?: (note: JobNote) => void): Promise<Done> {
        const result = await thread.attempt(job, { signal, onNote });
        if (!result.ok) throw new NotDone(jobProblem("extract", result.reason, limits));
        const done = result.value as JobDone<Done & object>;
        if (done.ok) return done;
        noteDefect(done, "extract", limits.onFault);
        if (done.unwritten) throw toUnwritten(done.unwritten);
        throw new NotDone(done.problem);
      },
      [Symbol.asyncDispose]: () => thread.close(),
    };
  }
}

/** Resolves when all have ended; the first that fails ends the others, and is thrown. */
async function allOrStop(tasks: readonly Promise<void>[], stop: AbortController): Promise<void> {
  let first: { error: unknown } | null = null;
  const fail = (error: unknown): void => {
    first ??= { error };
    stop.abort();
  };
  await Promise.all(tasks.map((task) => guard(() => task, fail)));
  if (first !== null) throw (first as { error: unknown }).error;
}

async function written(task: Promise<void>): Promise<void> {
  const failed = await guard<null, { error: unknown }>(
    () => task.then(() => null),
    (error) => ({ error }),
  );
  if (failed !== null) throw new Unwritten("", { cause: failed.error });
}

function toUnwritten({ code, message }: { code: string; message: string }): Unwritten {
  return new Unwritten("", {
    cause: Object.assign(new Error(message), { code, syscall: "write" }),
  });
}
