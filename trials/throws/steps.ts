/**
 * A throw in each step of the start, in a process with `hooks.ts`: the start is refused in one line, or
 * the service is there without the part; the stack is in the log once, and nothing stays open. Prints
 * its findings as JSON; it ends by itself, or something was left open.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { startService } from "../../src/main/service.ts";
import { type Findings, noFindings } from "./findings.ts";
import { listReached, plantIn } from "./hooks.ts";

const [most = "1", further = "3", seed = "0"] = process.argv.slice(2);

/** Parts of the start: what composes, opens and creates, and no helper of a request. */
const STEP =
  /^src\/(main|storage|http|observe|app|world|upstream)\/.*#(open|create|start|begin|read|load|list|provide|build|follow|to|warn)[A-Z]?\w*$/;
/** What a test sees of the log is made before there is one. */
const BEFORE = /#(startService|createLog|openLog)$/;

type Line = { msg?: string; part?: string; err?: { stack?: string } };

async function begin(folder: string) {
  const lines: Line[] = [];
  const write = (text: string): void => void lines.push(JSON.parse(text) as Line);
  const env = readEnv({
    PORT: "0",
    ADMIN_PORT: "0",
    SANDBOX_PORT: "0",
    VICINITY_DATA_DIR: folder,
    VICINITY_CONTACT: "tests@example.org",
    SANDBOX_CITIES: "berlin",
  });
  if (!env.ok) throw new Error(env.message);
  const loaded = loadConfig({ mode: "sandbox", env: env.value });
  if (!loaded.ok) throw new Error(loaded.message);
  const { openbase, gtfs, ...others } = loaded.value.sources;
  const off = { enabled: false };
  const sources = { ...others, openbase: { ...openbase, ...off }, gtfs: { ...gtfs, ...off } };
  const service = await startService({
    config: { ...loaded.value, sources },
    env: env.value,
    version: "1.1.0",
    log: { log: pino({ level: "error", base: null }, { write }), close: () => undefined },
  });
  return { service, lines };
}

/** Functions that a start calls, in the order of their first call. */
async function listSteps(folder: string): Promise<string[]> {
  plantIn(null);
  const { service } = await begin(folder);
  const reached = [...listReached()];
  if ("problem" in service) throw new Error(service.problem);
  await service.close({ delay_ms: 0 });
  return reached.filter((name) => STEP.test(name) && !BEFORE.test(name));
}

async function plantInStep(name: string, folder: string, findings: Findings): Promise<void> {
  plantIn(name);
  const { service, lines } = await begin(folder);
  findings.planted++;
  const isReached = listReached().has(name);
  if (!("problem" in service)) await service.close({ delay_ms: 0 });
  plantIn(null);
  const say = (line: string): void => void findings.wrong.push(`${name}: ${line}`);
  if ("problem" in service && /\n/.test(service.problem))
    say(`more than a line: ${service.problem}`);
  const stacks = lines.filter(({ err }) => err?.stack?.includes(`planted in ${name}`));
  if (isReached && stacks.length !== 1) say(`${stacks.length} lines with its stack`);
}

const folder = await mkdtemp(join(tmpdir(), "vicinity-throws-"));
const steps = await listSteps(folder);
const findings = noFindings();
const step_of = Math.max(1, Math.floor(steps.length / Number(most)));
const chosen = steps
  .filter((_, i) => i % step_of === Number(seed) % step_of)
  .slice(0, Number(most));
for (const name of chosen) await plantInStep(name, folder, findings);
const { service } = await begin(folder);
if ("problem" in service) findings.wrong.push(`a start after them: ${service.problem}`);
else {
  for (let i = 0; i < Number(further); i++) {
    const reply = await fetch(`${service.url}/v1/nearby?lat=52.52&lon=13.405`);
    await reply.arrayBuffer();
    findings.further++;
    if (reply.status !== 200 && reply.status !== 429)
      findings.wrong.push(`a further question: ${reply.status}`);
  }
  await service.close({ delay_ms: 0 });
}
await rm(folder, { recursive: true });
process.stdout.write(JSON.stringify({ ...findings, steps: steps.length }));
