/** Bases in pages whose file is damaged, whose disk is full, or whose import is killed. */
import { spawn } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { nameOfPage } from "#osm/imports.ts";
import { atExit } from "../../test/support/at-exit.ts";
import { NO_SMALL_DISK, runOnSmallDisk } from "../../test/support/small-disk.ts";
import { ask } from "./compare-answers.ts";
import { DAMAGES, type Damage } from "./damages.ts";
import type { FullDisk } from "./full-disk.ts";
import { temporaryFolder } from "./folders.ts";
import { withIds, writePlanet } from "./make-planet.ts";
import { BASE_ID, basesOf, importPaged, readHead } from "./paged-import.ts";
import type { Point } from "./question-places.ts";
import { serveBases } from "./service.ts";
import {
  type Answers,
  answersOf,
  askAll,
  isSilent,
  listUnlike,
  targetsAt,
} from "./town-answers.ts";
import { readTowns } from "./large-file.ts";

/** A file as it should be, and the data folder that has it. */
type Made = {
  extract: string;
  data_dir: string;
  folder: string;
  page_bytes: number;
  towns: readonly Point[];
};
const PAGE_BYTES = 1_500_000;

export async function judgeFaults({ kills }: { kills: number }): Promise<number> {
  const made = await make();
  const findings: string[] = [];
  const good = await answersOf(made.data_dir, made.towns);
  const note = (what: string, wrong: readonly string[], said: string): void => {
    console.log(`| ${what} | ${wrong.length === 0 ? "as decided" : wrong.join("; ")} | ${said} |`);
    findings.push(...wrong);
  };
  console.log("\n| fault | outcome | what is said |\n|---|---|---|");
  for (const damage of DAMAGES) {
    const { wrong, said } = await judgeDamage(made, damage, good);
    note(damage.what, wrong, said);
  }
  for (const damage of DAMAGES.filter(({ of }) => of === "base")) {
    const { wrong, said } = await judgeReplaced(made, damage, good);
    note(`${damage.what}, put in the place of a base that serves`, wrong, said);
  }
  if (NO_SMALL_DISK === false) {
    const { wrong, said } = await judgeFullDisk(made);
    note("disk full while a base is imported", wrong, said);
  } else console.log(`| disk full | not judged: ${NO_SMALL_DISK} | |`);
  const killed = await judgeKills(made, good, kills);
  note(`import killed at ${kills} moments`, killed.wrong, killed.said);
  return findings.length;
}

async function make(): Promise<Made> {
  const folder = temporaryFolder();
  const sources = (await readTowns())
    .filter(({ file_bytes }) => file_bytes < 1_200_000)
    .slice(0, 3);
  const towns = sources.map(({ focus }) => focus);
  const extract = join(folder, "towns.osm.pbf");
  await writePlanet(
    extract,
    withIds(sources.map((source) => ({ source, names: 0, to: source.focus }))),
  );
  const data_dir = join(folder, "good");
  const pages = await importPaged(extract, data_dir, PAGE_BYTES);
  console.log(`base of ${pages} pages`);
  return { extract, data_dir, folder, page_bytes: PAGE_BYTES, towns };
}

type Judged = { wrong: string[]; said: string };

const fileOf = (data_dir: string): string => join(basesOf(data_dir), `${BASE_ID}.vbase`);

async function copyOf({ folder, data_dir }: Made, name: string): Promise<string> {
  const other = join(folder, name.replaceAll(/\W+/g, "-"));
  await mkdir(basesOf(other), { recursive: true });
  copyFileSync(fileOf(data_dir), fileOf(other));
  return other;
}

/** The page of the first town is damaged: others answer as before. */
async function judgeDamage(
  made: Made,
  { what, apply, of }: Damage,
  good: Answers,
): Promise<Judged> {
  const head = await readHead(made.data_dir);
  const [first, second] = made.towns as [Point, Point];
  const number = head.tables.ground.at(Math.round(first.lat * 1e7), Math.round(first.lon * 1e7))!;
  const page = head.meta.pages[number]!;
  const data_dir = await copyOf(made, what);
  apply(fileOf(data_dir), page);
  const service = await serveBases(data_dir, { opened: of === "page" });
  const wrong: string[] = [];
  const answers = await askAll(service, first);
  for (const [i, target] of targetsAt(first).entries())
    // Where the places of a base that cannot be opened are is not known: the index of tiles lists it.
    if (isSilent(answers[i]!) && !(of === "base" && target.startsWith("/tiles/")))
      wrong.push(`${target}: ${answers[i]!.status} ${answers[i]!.body.toString().slice(0, 120)}`);
  const index = (await ask(service.ready.url, "/tiles/index.json")).body.toString();
  if (of === "base" && !index.includes('"unopened"'))
    wrong.push("the index of tiles does not list the base");
  if (of === "page") wrong.push(...(await listUnlike(service, second, good[1]!)));
  await new Promise((resolve) => void setTimeout(resolve, 500));
  const line = sayOf(service.output());
  const name = nameOfPage(page);
  if (of === "page" && !line.includes(name)) wrong.push(`the log does not name the page ${name}`);
  if (line === "") wrong.push("the log says nothing");
  await service.close();
  return { wrong, said: line };
}

/** The new file is damaged: the old base serves on. */
async function judgeReplaced(made: Made, { what, apply }: Damage, good: Answers): Promise<Judged> {
  const data_dir = await copyOf(made, `${what} replaced`);
  const service = await serveBases(data_dir);
  const wrong: string[] = [];
  const next = `${fileOf(data_dir)}.next`;
  copyFileSync(fileOf(made.data_dir), next);
  const head = await readHead(made.data_dir);
  apply(next, head.meta.pages[0]!);
  renameSync(next, fileOf(data_dir));
  for (const until = performance.now() + 30_000; sayOf(service.output()) === "";) {
    if (performance.now() > until) break;
    await new Promise((resolve) => void setTimeout(resolve, 250));
  }
  const line = sayOf(service.output());
  if (line === "") wrong.push("the log says nothing");
  for (const [i, town] of made.towns.entries())
    wrong.push(...(await listUnlike(service, town, good[i]!)));
  await service.close();
  return { wrong, said: line };
}

async function judgeFullDisk({ extract, data_dir, folder, page_bytes }: Made): Promise<Judged> {
  const small = join(folder, "small.osm.pbf");
  const [town] = (await readTowns()).toSorted((a, b) => a.file_bytes - b.file_bytes);
  await writePlanet(small, withIds([{ source: town!, names: 0, to: town!.focus }]));
  const { size } = statSync(fileOf(data_dir));
  const args = [small, extract, String(page_bytes)];
  // Room for the small base, and not for the large one and what it is made of.
  const options = { size: `${Math.ceil(size / 2 ** 20)}m`, at: "data", args };
  const done = await runOnSmallDisk<FullDisk>(new URL("./full-disk.ts", import.meta.url), options);
  const wrong: string[] = [];
  if (done.message === null) wrong.push("the import had room");
  if (!done.kept) wrong.push("the base before it is another one");
  if (done.files.length !== 1) wrong.push(`left: ${done.files.join(", ")}`);
  return { wrong, said: done.message ?? "" };
}

async function judgeKills(
  { extract, data_dir, folder, page_bytes, towns }: Made,
  good: Answers,
  kills: number,
): Promise<Judged> {
  const service = await serveBases(data_dir);
  const wrong: string[] = [];
  const begun = performance.now();
  await importApart(extract, join(folder, "timed"), page_bytes, null);
  const lasts_ms = performance.now() - begun;
  const before = readFileSync(fileOf(data_dir));
  for (let n = 0; n < kills; n++) {
    const isKilled = await importApart(
      extract,
      data_dir,
      page_bytes,
      ((n + 0.5) / kills) * lasts_ms,
    );
    // One that was faster than the first has made a base of its own, which is whole.
    if (isKilled && !readFileSync(fileOf(data_dir)).equals(before))
      wrong.push(`kill ${n + 1}: the base before it is another one`);
    if (!isKilled) break;
    for (const unlike of await listUnlike(service, towns[0]!, good[0]!))
      wrong.push(`kill ${n + 1}: ${unlike}`);
  }
  await importApart(extract, data_dir, page_bytes, null);
  const left = readdirSync(basesOf(data_dir));
  if (left.length !== 1) wrong.push(`left: ${left.join(", ")}`);
  await service.close();
  return { wrong, said: "" };
}

/** true: it was killed before it had ended. */
async function importApart(
  extract: string,
  data_dir: string,
  page_bytes: number,
  kill_ms: number | null,
): Promise<boolean> {
  const module = new URL("./import-child.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [module, extract, data_dir, String(page_bytes)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stay = atExit(() => child.kill("SIGKILL"));
  const ended = new Promise<{ code: number | null }>(
    (resolve) => void child.once("close", (code) => resolve({ code })),
  );
  const timer = kill_ms === null ? null : setTimeout(() => child.kill("SIGKILL"), kill_ms);
  const { code } = await ended;
  if (timer !== null) clearTimeout(timer);
  stay();
  if (code !== null && code !== 0) throw new Error(`an import ended with ${code}`);
  return code === null;
}

/** What the log says of damage. */
function sayOf(output: string): string {
  const line =
    output
      .split("\n")
      .find((text) => /damaged|checksum|cannot be (read|opened)|not be opened/i.test(text)) ?? "";
  try {
    const { msg = line, ...rest } = JSON.parse(line) as { msg?: string } & Record<string, unknown>;
    return [
      msg,
      ...Object.entries(rest)
        .filter(([name]) => /page|cause|reason|error|problem|base/.test(name))
        .map(([name, value]) => `${name} ${String(value)}`),
    ].join(", ");
  } catch {
    return line;
  }
}
