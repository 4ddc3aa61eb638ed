/** Runs all stages against one program: makes the requests, or takes those of a recording. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toPbf } from "../../sandbox/pbf/encode.ts";
import { SMALL } from "../../test/support/gtfs.ts";
import { listTown } from "../../test/support/town.ts";
import { zipOf } from "../../test/support/zip.ts";
import { Aliases } from "./aliases.ts";
import { type FrozenProgram, type ProgramWish, runCommand, startFrozen } from "./program.ts";
import { type Entry, FORMAT, type Recording, type Reply, type Step } from "./recording.ts";
import { withoutNoise } from "./noise.ts";
import { sendBytes, sendHttp } from "./send.ts";
import { readBasis, readSources, readTileVersion, type Scout, settle } from "./settle.ts";
import { type Stage, STAGES } from "./stages.ts";
import { FILES } from "./steps/commands.ts";
import type { Amount } from "./steps/generated.ts";
import type { Draft, Memory } from "./steps/step.ts";

type RunWish = {
  root: string;
  amount: Amount;
  /** What is asked: null: made of what the program publishes. */
  recording: Recording | null;
  only?: readonly string[] | undefined;
  onProgress?: (text: string) => void;
};

export async function runStages({ root, amount, recording, ...wish }: RunWish): Promise<Recording> {
  const { only, onProgress } = wish;
  const stages = STAGES.filter(({ name }) => only?.includes(name) ?? true);
  const recorded: Recording = { format: FORMAT, stages: [] };
  for (const stage of stages) {
    const begun_ms = performance.now();
    const input = recording?.stages.find((each) => each.stage === stage.name)?.entries;
    if (recording !== null && input === undefined) continue;
    const entries = await runStage(stage, { root, amount, given: input ?? null });
    recorded.stages.push({ stage: stage.name, entries });
    const elapsed_s = ((performance.now() - begun_ms) / 1000).toFixed(0);
    onProgress?.(`${stage.name}: ${entries.length} requests in ${elapsed_s} s`);
  }
  return recorded;
}

type StageWish = { root: string; amount: Amount; given: readonly Entry[] | null };

async function runStage(stage: Stage, { root, amount, given }: StageWish): Promise<Entry[]> {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-same-"));
  await writeFiles(join(folder, "shell"));
  const wish: ProgramWish = { root, folder, ...stage };
  const program = await startFrozen(wish);
  const lanes = new Lanes(program, wish);
  try {
    await settle(lanes.scout, stage.settle);
    lanes.random = { tiles: await readTileVersion(lanes.scout) };
    const drafts = given?.map(({ step }) => step) ?? (await makeSteps(stage, amount, lanes));
    const apart = runApart(drafts, lanes);
    if (stage.warm) await warmUp(drafts, lanes);
    return await askAll(drafts, lanes, apart);
  } finally {
    lanes.close();
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Small files that the commands import: the same bytes for both programs. */
async function writeFiles(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const data_at_s = Date.UTC(2026, 2, 1) / 1000;
  await writeFile(join(folder, FILES.extract), toPbf(listTown(), { data_at_s }));
  await writeFile(join(folder, FILES.timetable), zipOf(SMALL));
}

async function makeSteps(stage: Stage, amount: Amount, lanes: Lanes): Promise<Draft[]> {
  const { program, scout } = lanes;
  const sources = await readSources(scout);
  // What settles must not be asked where sources are to fail: it would be answered.
  const basis = await readBasis(scout, { stations: stage.settle === "answers" });
  return stage.make({ program, basis, sources }, amount);
}

/** The connections to a program. */
class Lanes {
  readonly program: FrozenProgram;
  random: Readonly<Record<string, string>> = {};
  readonly #wish: ProgramWish;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Units of anonymous callers are those of their address: not of the one that is recorded. */
  readonly warm = new Agent({ keepAlive: true, maxSockets: 1, localAddress: "127.0.0.2" });

  constructor(program: FrozenProgram, wish: ProgramWish) {
    this.program = program;
    this.#wish = wish;
  }

  get scout(): Scout {
    const { program, warm: agent } = this;
    const isLimited = this.#wish.variables["VICINITY_ENFORCE_LIMITS"] === "1";
    return { program, agent, key: isLimited ? program.keys.at(-1)! : null };
  }

  async send(step: Step, agent = this.#agent): Promise<Reply> {
    if (step.to === "shell") return withoutNoise(step, await runCommand(this.#wish, step));
    if (step.to === "socket") return sendBytes(this.program.api, step.bytes);
    return withoutNoise(step, await sendHttp(this.program[step.to], step, agent));
  }

  close(): void {
    this.#agent.destroy();
    this.warm.destroy();
  }
}

/** Without keys: which units a first answer costs depends on how fast the sources were. */
async function warmUp(drafts: readonly Draft[], lanes: Lanes): Promise<void> {
  for (const draft of drafts) {
    const step = typeof draft === "function" ? draft({ datasets: [], entries: [] }) : draft;
    if (step?.to !== "api") continue;
    const { authorization: _, ...headers } = step.headers as Record<string, string>;
    await lanes.send({ ...step, headers, target: withoutToken(step.target) }, lanes.warm);
  }
}

/** A key may be a parameter as well. */
function withoutToken(target: string): string {
  const [path = "", ...query] = target.split("?");
  const rest = query
    .join("?")
    .split("&")
    .filter((pair) => !/^token(=|$)/.test(pair));
  return rest.length === 0 || rest[0] === "" ? path : `${path}?${rest.join("&")}`;
}

const COMMANDS_AT_ONCE = 2;

/** The replies of the commands that depend on nothing, by their labels. */
async function runApart(
  drafts: readonly Draft[],
  lanes: Lanes,
): Promise<ReadonlyMap<string, Reply>> {
  const queue = drafts.flatMap((draft) =>
    typeof draft === "object" && draft.to === "shell" && draft.apart ? [draft] : [],
  );
  const replies = new Map<string, Reply>();
  const work = async (): Promise<void> => {
    for (let step = queue.shift(); step; step = queue.shift())
      replies.set(step.label, await lanes.send(step));
  };
  await Promise.all(Array.from({ length: COMMANDS_AT_ONCE }, work));
  return replies;
}

const DATASETS_KEPT = 20;
const DATASET = /"dataset":\{"id":"([^"]+)","version":"([^"]+)"/;

/** What can be asked; a pair of them in tests. */
export type Lane = {
  program: Pick<FrozenProgram, "keys">;
  /** What is random in all answers, by its kind. */
  random?: Readonly<Record<string, string>>;
  send(step: Step): Promise<Reply>;
};

export async function askAll(
  drafts: readonly Draft[],
  lanes: Lane,
  apart: Promise<ReadonlyMap<string, Reply>>,
): Promise<Entry[]> {
  const aliases = new Aliases();
  lanes.program.keys.forEach((key, n) => aliases.give("key", `plan ${n + 1}`, key));
  for (const [kind, value] of Object.entries(lanes.random ?? {}))
    aliases.give(kind, "the start", value);
  const entries: Entry[] = [];
  const memory: Memory = { datasets: [], entries };
  for (const draft of drafts) {
    const made = typeof draft === "function" ? draft(memory) : draft;
    if (made === null) continue;
    const step = mapStep(made, (text) => aliases.toNames(text));
    const sent = mapStep(step, (text) => aliases.toValues(text));
    const isApart = step.to === "shell" && step.apart === true;
    const reply = isApart ? (await apart).get(step.label)! : await lanes.send(sent);
    const [, id, version] = DATASET.exec(reply.body) ?? [];
    if (id !== undefined && version !== undefined) memory.datasets.push({ id, version });
    if (memory.datasets.length > DATASETS_KEPT) memory.datasets.shift();
    entries.push({ step, reply: aliases.toCanonical(step.label, textOf(sent), reply) });
  }
  return entries;
}

function mapStep(step: Step, change: (text: string) => string): Step {
  if (step.to === "shell")
    return { ...step, args: step.args.map(change), input: change(step.input) };
  if (step.to === "socket") return { ...step, bytes: change(step.bytes) };
  const headers = Object.entries(step.headers).map(([name, value]) => [name, change(value)]);
  return {
    ...step,
    target: change(step.target),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: step.body === null ? null : change(step.body),
  };
}

function textOf(step: Step): string {
  if (step.to === "shell") return step.args.join(" ");
  if (step.to === "socket") return step.bytes;
  return [step.target, ...Object.values(step.headers), step.body ?? ""].join("\n");
}
