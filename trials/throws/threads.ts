/**
 * A throw in each kind of thread, in a process with `hooks.ts`: the job ends with an outcome, the
 * thread is replaced, and the next job is done. Prints its findings as JSON.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Findings, noFindings } from "./findings.ts";
import { plantIn } from "./hooks.ts";
import { type ThreadKind, THREADS } from "./thread-kinds.ts";

const [times = "1", further = "3", ...only] = process.argv.slice(2);
// A service has listeners; threads alone keep no process alive.
const awake = setInterval(() => undefined, 1_000);
process.stdout.write(JSON.stringify(await plantInThreads()));
clearInterval(awake);

async function plantInThreads(): Promise<Findings> {
  const findings = noFindings();
  const folder = mkdtempSync(join(tmpdir(), "vicinity-throws-"));
  for (const [name, kind] of Object.entries(THREADS))
    if (only.length === 0 || only.includes(name))
      await plantInKind(name, kind, { folder, findings });
  rmSync(folder, { recursive: true });
  return findings;
}

async function plantInKind(
  name: string,
  { plant, open }: ThreadKind,
  { folder, findings }: { folder: string; findings: Findings },
): Promise<void> {
  const stacks: string[] = [];
  plantIn(plant);
  const { run, close } = open(folder, (part, error) =>
    stacks.push(`${part}: ${(error as Error).stack}`),
  );
  for (let i = 0; i < Number(times); i++) {
    const result = await run();
    findings.planted++;
    if (result !== null)
      findings.wrong.push(`thread ${name}: ended with ${JSON.stringify(result)}`);
  }
  const own_stacks = stacks.filter((stack) => /^thread .*planted in .*\n\s+at /.test(stack));
  if (own_stacks.length !== Number(times))
    findings.wrong.push(
      `thread ${name}: ${own_stacks.length} stacks of ${times} throws: ${stacks.join()}`,
    );
  plantIn(null);
  for (let i = 0; i < Number(further); i++) {
    findings.further++;
    const before = stacks.length;
    if ((await run()) === null)
      findings.wrong.push(
        `thread ${name}: a job after it has failed: ${stacks.slice(before).join()}`,
      );
  }
  await close();
}
