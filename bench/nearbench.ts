/**
 * `npm run bench -- nearbench`: 200 questions about what is near, now, in ten languages, put to a server
 * that speaks the Model Context Protocol and scored by the truth of the simulated world
 * (nearbench/README.md). Without `--url` or `--command` the server is this service.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { startSandbox } from "../sandbox/main.ts";
import { createFolder, removeFolder, start } from "../test/integration/service/support.ts";
import { readArguments } from "../trials/arguments.ts";
import { countTokens } from "../trials/judges/tokens.ts";
import { type Answerer, planByRules } from "./nearbench/planner.ts";
import type { Question, Transcript } from "./nearbench/question.ts";
import { score } from "./nearbench/scorer.ts";
import { type Address, connectTo, type MeasuredServer } from "./nearbench/server.ts";
import { type Scored, toTable } from "./nearbench/table.ts";
import { readQuestions, readTranscripts, toAnswer } from "./nearbench/transcript.ts";
import { findWishTool, planByWishes } from "./nearbench/wishes.ts";
import { moveTo, readMoment, readNow, type Simulator } from "./nearbench/truth.ts";

const USUAL = {
  ...{ url: null, command: null, truth: null, model: null, transcript: null, record: null },
  ...{ only: null, kind: null, language: null, show: false, rules: false },
} as const;
/** Of the simulated world, unless the environment names another. */
const SEED = Number(process.env["SANDBOX_SEED"] ?? 1);

const values = readArguments(process.argv.slice(2), USUAL);
const questions = readQuestions()
  .filter(({ id }) => !values.only || values.only.split(",").includes(id))
  .filter(({ kind }) => !values.kind || values.kind.split(",").includes(kind))
  .filter(({ language }) => !values.language || values.language.split(",").includes(language))
  // The clock of the world never goes back.
  .toSorted((a, b) => Date.parse(a.instant) - Date.parse(b.instant));
const scored =
  values.transcript === undefined
    ? await runAll()
    : await scoreRecorded(readTranscripts(readFileSync(values.transcript, "utf8")));
console.log(toTable(scored));

async function runAll(): Promise<Scored[]> {
  const address = addressOf();
  if (address === null) return runOwn();
  const { truth } = values;
  if (truth === undefined)
    throw new Error("--truth: the address of the simulator whose sources the server reads");
  const server = await connectTo(address, countTokens, headersOf());
  try {
    return await putAll(server, { url: truth });
  } finally {
    await server.close();
  }
}

function addressOf(): Address | null {
  const { url, command } = values;
  if (url !== undefined) return { url };
  return command === undefined ? null : { command };
}

function headersOf(): Record<string, string> {
  const key = process.env["NEARBENCH_API_KEY"];
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** This service over all cities, whose streets and timetables are imported. */
async function runOwn(): Promise<Scored[]> {
  const data_dir = await createFolder();
  const { service } = await start({ cities: "all", data_dir, base: true, registers: true });
  try {
    const { url } = service.sandbox!;
    const server = await connectTo({ url: `${service.url}/mcp` }, countTokens);
    const all = await putAll(server, { url });
    await server.close();
    return all;
  } finally {
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  }
}

async function putAll(server: MeasuredServer, simulator: Simulator): Promise<Scored[]> {
  const answerer = await findAnswerer(server);
  const all: Scored[] = [];
  for (const question of questions) {
    await moveTo(simulator, Date.parse(question.instant));
    const transcript = await put(question, answerer, server);
    const moment = await readMoment(simulator, question);
    const at = new Date(await readNow(simulator)).toISOString();
    all.push(report(question, { ...transcript, at }, moment));
  }
  return all;
}

/** `--model`: a module whose default export answers questions in place of the rules. */
async function findAnswerer({ tools }: MeasuredServer): Promise<Answerer> {
  if (values.model === undefined)
    return values.rules || findWishTool(tools) === undefined ? planByRules : planByWishes;
  const module = (await import(pathToFileURL(values.model).href)) as { default: Answerer };
  return module.default;
}

async function put(
  question: Question,
  answerer: Answerer,
  { tools, call }: MeasuredServer,
): Promise<Transcript> {
  const calls: { tool: string; input: unknown }[] = [];
  let tokens = 0;
  const answer = await answerer(question, {
    tools,
    call: async (tool, input) => {
      calls.push({ tool, input });
      const reply = await call(tool, input);
      tokens += reply.tokens + countTokens(JSON.stringify(input));
      return reply;
    },
  });
  return { id: question.id, at: question.instant, calls, tokens, answer: toAnswer(answer) };
}

/** Over a simulator alone, at the times that the transcripts state. */
async function scoreRecorded(transcripts: readonly Transcript[]): Promise<Scored[]> {
  const begin_ms = Math.min(...transcripts.map(({ at }) => Date.parse(at)));
  const sandbox = await startSandbox({ seed: SEED, port: 0, now: () => begin_ms });
  try {
    const all: Scored[] = [];
    for (const one of transcripts.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
      const question = questions.find(({ id }) => id === one.id);
      if (question === undefined) continue;
      await moveTo(sandbox, Date.parse(one.at));
      all.push(report(question, one, await readMoment(sandbox, question)));
    }
    return all;
  } finally {
    await sandbox.close();
  }
}

function report(
  question: Question,
  transcript: Transcript,
  moment: Parameters<typeof score>[2],
): Scored {
  const verdict = score(question, transcript.answer, moment);
  if (values.record !== undefined) appendFileSync(values.record, `${JSON.stringify(transcript)}\n`);
  if (values.show || verdict === "confidently_wrong")
    console.log(`${question.id} ${verdict}: ${question.text}\n   ${JSON.stringify(transcript)}`);
  return { question, verdict, calls: transcript.calls.length, tokens: transcript.tokens };
}
