/** The threads of an import: each does one job at a time, and its results are values (import-paged.ts asks). */
import type { BaseSection } from "../base/base-features.ts";
import { openBasePack } from "../base/open-base.ts";
import { mergeNames } from "../geocoder/merge-names.ts";
import { fromLines, shareFacts, toLines } from "../geocoder/share-facts.ts";
import { BORDERS, createBordersSection } from "../pages/borders-section.ts";
import { factsOfPage, noCells } from "../pages/head-facts.ts";
import type { Columns, PackColumn } from "#kit/pack.ts";
import { detach, guard } from "#kit/guard.ts";
import { isOfWriting } from "#kit/path-problem.ts";
import type { MapFacts, MapPage } from "../tiles/map-facts.ts";
import { createSteps } from "#kit/run/import-thread.ts";
import { serveJobs } from "#kit/run/thread.ts";
import { createTurn, runSteps, type Turn } from "#kit/run/turn.ts";
import { feedSections, geocoderOf, namesOf, packPage } from "./build-page.ts";
import { type FilePlace, openBlobs } from "./extract-file.ts";
import { readLines, writeLines, writeShared } from "./facts-file.ts";
import {
  finishSections,
  packColumns,
  readExtract,
  toExtractProblem,
  toFacts,
  toMeta,
} from "./import-extract.ts";
import type { BaseProgress } from "./import-progress.ts";
import type {
  FactsDone,
  FactsJob,
  HeadDone,
  HeadJob,
  ImportJob,
  JobDone,
  JobNote,
  JobProblem,
  JobSettings,
  PageDone,
  PageJob,
  ShareDone,
  ShareJob,
  SplitDone,
  SplitJob,
  WholeDone,
  WholeJob,
} from "./import-jobs.ts";
import { readNames, writeNames } from "./names-file.ts";
import { readRun } from "./split/read-run.ts";
import { splitExtract } from "./split/split-extract.ts";
import { OPEN_MAP_TERMS } from "../terms.ts";

/** Makes the sections of a page in its thread; `page` is absent where one has all. */
export type SectionsOf = (settings: JobSettings, page?: MapPage) => BaseSection[];

type Note = (note: JobNote) => void;
type Done = WholeDone | SplitDone | FactsDone | ShareDone | PageDone | HeadDone;
/** What a job is done with. `at`: where the file is read, for messages. */
type Work = { createSections: SectionsOf; note: Note; at: FilePlace; turn: Turn };

const PROGRESS_STEP = 0.002;
/** Where no map is made. */
const NO_MAP: MapFacts = {
  sea: null,
  borders: { ways: new Float64Array(0), levels: new Uint8Array(0) },
};
/** Of a page, of which there may be thousands. */
const PAGE_STEP = 0.1;

/** Runs in the thread: does the jobs of imports, with sections that are made there. */
export function serveBaseImport(createSections: SectionsOf): void {
  serveJobs<ImportJob, JobDone<Done>, JobNote>(
    (job, note) => {
      // The caller takes it when it can, and nothing waits for that.
      const report: Note = (each) => detach(note(each), () => undefined);
      const work: Work = { createSections, note: report, at: { byte: null }, turn: createTurn({}) };
      return guard<JobDone<Done>, JobProblem>(
        async () => ({ ok: true, ...(await run(job, work)) }),
        (error) => toJobProblem(error, work.at),
      );
    },
    { transfer: (result) => (result.ok ? buffersOf(result) : []) },
  );
}

function run(job: ImportJob, work: Work): Promise<Done> {
  switch (job.kind) {
    case "whole":
      return importWhole(job, work);
    case "split":
      return split(job, work);
    case "facts":
      return listFacts(job, work);
    case "share":
      return share(job, work);
    case "page":
      return buildPage(job, work);
    case "head":
      return buildHead(job, work);
  }
}

function toJobProblem(error: unknown, at: FilePlace): JobProblem {
  const failed = toExtractProblem(error, at);
  if (!isOfWriting(error)) return failed;
  const { code, message } = error as Error & { code: string };
  return { ...failed, unwritten: { code, message } };
}

/** Buffers that move to the caller: what is packed, and the columns of a head. */
function buffersOf(done: Done): ArrayBuffer[] {
  const pack = "pack" in done ? [done.pack.buffer] : [];
  const columns = "columns" in done ? Object.values(done.columns).map(({ buffer }) => buffer) : [];
  return [...new Set([...pack, ...columns])].filter((buffer) => buffer instanceof ArrayBuffer);
}

async function importWhole({ path, settings, capacity }: WholeJob, work: Work): Promise<WholeDone> {
  const { note, at, turn } = work;
  const sections = work.createSections(settings);
  const borders = createBordersSection();
  const isStep = createSteps(PROGRESS_STEP);
  let pass: BaseProgress["pass"] | null = null;
  const show = (progress: BaseProgress): void => {
    if (isStep(progress.fraction) || progress.pass !== pass) note({ progress });
    pass = progress.pass;
  };
  const all = [...sections, borders];
  const read = await readExtract(path, { sections: all, capacity, onProgress: show }, { at, turn });
  read.progress.onPacking();
  const head = await finishSections([borders], turn);
  const { columns, ...parts } = await finishSections(sections, turn);
  const summary = toFacts(read.summary);
  const meta = toMeta(summary, { ...settings, terms: OPEN_MAP_TERMS }, parts);
  const pack = await packColumns(meta, { ...noCells(), ...columns }, turn);
  // The head has no names: they would lead to the only page.
  return {
    pack,
    facts: factsOfPage(openBasePack(pack, true)!, "ground"),
    summary,
    columns: own(head.columns),
    sections: head.sections,
  };
}

async function split(job: SplitJob, { createSections, note, at, turn }: Work): Promise<SplitDone> {
  const sections = createSections(job.settings).map(({ name, keys }) => ({ name, keys }));
  const file = await openBlobs(job.path, at);
  const { folder, page_bytes, memory_bytes } = job;
  const isStep = createSteps(PROGRESS_STEP);
  try {
    const { runs, head, summary, map } = await splitExtract(file, {
      ...{ folder, page_bytes, memory_bytes, sections },
      onProgress: ({ done, counts }) => {
        if (isStep(done)) note({ done, counts });
      },
      pause: turn,
    });
    const order = sections.map(({ name }) => name);
    return { runs, head, map, order, summary: toFacts(summary) };
  } finally {
    await file.close();
  }
}

async function listFacts(
  { run: source, order, settings, path }: FactsJob,
  { createSections, turn }: Work,
): Promise<FactsDone> {
  const { level, cell } = source;
  const geocoder = geocoderOf(createSections(settings, { level, cell, facts: NO_MAP }));
  if (geocoder === null) return { hasFacts: false };
  const entries = readRun(source, 1 << order.indexOf(geocoder.name));
  await feedSections(entries, [geocoder], order, turn);
  await writeLines(path, toLines(geocoder.listAddressFacts()));
  return { hasFacts: true };
}

async function share({ folder, facts }: ShareJob, { turn }: Work): Promise<ShareDone> {
  const lists = facts.flatMap((path, page) =>
    path === null ? [] : [{ page, lines: readLines(path) }],
  );
  const writing = writeShared(folder, shareFacts(lists), facts.length);
  return { shared: await runSteps(writing, turn) };
}

async function buildPage(job: PageJob, { createSections, note, turn }: Work): Promise<PageDone> {
  const { run: source, order, settings, data_at_s, map } = job;
  const { level, cell, features } = source;
  const isAll = level === "ground" && cell.z === 0;
  const page = isAll ? undefined : { level, cell, facts: map ?? NO_MAP };
  const sections = createSections(settings, page);
  const isStep = createSteps(PAGE_STEP);
  let read = 0;
  const counted = function* () {
    for (const entry of readRun(source)) {
      read += 1;
      if (isStep(read / (2 * features))) note({ done: read / (2 * features) });
      yield entry;
    }
  };
  await feedSections(counted(), sections, order, turn);
  if (job.shared !== null) geocoderOf(sections)?.share(fromLines(readLines(job.shared)));
  const { pack, opened } = await packPage(sections, { ...settings, data_at_s }, turn);
  const names = level === "ground" ? namesOf(opened, cell) : null;
  if (names) await writeNames(job.names, names);
  return { pack, facts: factsOfPage(opened, level), hasNames: names !== null };
}

async function buildHead({ run: source, names }: HeadJob, { turn }: Work): Promise<HeadDone> {
  const borders = createBordersSection();
  const entries = function* () {
    for (const { feature } of readRun(source)) yield { sections: 1, feature };
  };
  await feedSections(entries(), [borders], [BORDERS], turn);
  const { columns, sections } = await finishSections([borders], turn);
  const lists = names.flatMap((path, page) =>
    path === null ? [] : [{ page, entries: readNames(path) }],
  );
  const merged = lists.length === 0 ? {} : await runSteps(mergeNames(lists), turn);
  return { columns: own({ ...columns, ...merged }), sections };
}

/** Columns that own their memory, so that they move and are not copied. */
function own(columns: Columns): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      isOwner(column) ? column : column.slice(),
    ]),
  );
}

function isOwner({ buffer, byteLength }: PackColumn): boolean {
  return buffer.byteLength === byteLength;
}
