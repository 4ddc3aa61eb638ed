/**
 * A captured register of car parks through a service in live mode
 * (docs/registers.md): what is shown near one of its places. Times of the states are moved to now, since
 * an old state is not shown; with `--as_captured` they are left, and no state may be shown. `--serve`
 * keeps the service for the explorer until it is stopped. `--port N`: of the service.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { setTimeout as wait } from "node:timers/promises";
import { readArguments } from "./arguments.ts";

const DATA = new URL("../../shared/data/", import.meta.url);
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const TRIES = 30;

/** `live`: the file of the states. */
const REGISTERS = [
  {
    ...{ id: "aachen", shape: "datex2_parking", kind: "parking", at: [50.776, 6.086] },
    ...{ file: "parking/datex2/aachen-static.xml", live: "parking/datex2/aachen-realtime.xml" },
  },
] as const;

type Service = { name: string; attributes: { availability?: unknown; capacity?: number } };

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, { port: 18_690, as_captured: false, serve: false });
  const host = createServer((request, response) => {
    void readCaptured(request.url ?? "", values.as_captured).then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    );
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  const folder = await mkdtemp(join(tmpdir(), "registers-"));
  const config = join(folder, "vicinity.json");
  await writeFile(config, JSON.stringify(configurationFor((host.address() as AddressInfo).port)));
  const contact = "https://operator.example";
  const env = {
    ...process.env,
    VICINITY_CONTACT: contact,
    PORT: String(values.port),
    DATA_DIR: join(folder, "data"),
  };
  const child = spawn(process.execPath, [MAIN, "serve", "--config", config], {
    ...{ env, stdio: ["ignore", "ignore", "inherit"] },
  });
  const ended = once(child, "exit");
  try {
    const origin = `http://127.0.0.1:${values.port}`;
    let findings = 0;
    for (const register of REGISTERS) findings += await show(origin, register, values.as_captured);
    if (values.serve) {
      console.log(`${origin}/?at=${REGISTERS[0].at.join(",")}&r=1500&show=parking,charging`);
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), ended]);
    }
    return findings;
  } finally {
    child.kill();
    await ended;
    host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Only files that are listed. An XML or JSON time becomes the present one. */
async function readCaptured(path: string, as_captured: boolean): Promise<Buffer | string> {
  const files: readonly string[] = REGISTERS.flatMap(({ file, live }) => [file, live]);
  const file = files.find((one) => path === `/${one}`);
  if (!file) throw new Error("no such file");
  const bytes = await readFile(new URL(file, DATA));
  const plain = file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  const isLive = REGISTERS.some(({ live }) => live === file);
  if (!isLive || as_captured) return plain;
  return plain
    .toString("utf8")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z/g, new Date().toISOString());
}

function configurationFor(port: number): object {
  const base = `http://127.0.0.1:${port}`;
  return {
    // The host listens on loopback.
    egress: { allow_private: true },
    sources: {
      registers: REGISTERS.map(({ id, shape, file, live }) => ({
        ...{ id, shape, name: id, url: `${base}/${file}` },
        live_url: `${base}/${live}`,
      })),
    },
  };
}

/** Prints what is near; returns the number of findings. */
async function show(
  origin: string,
  { id, kind, at }: (typeof REGISTERS)[number],
  as_captured: boolean,
): Promise<number> {
  const address = `${origin}/v1/${kind}/nearby?lat=${at[0]}&lon=${at[1]}&radius=1500`;
  let results: readonly Service[] = [];
  const withState = (): Service[] => results.filter(({ attributes }) => attributes.availability);
  const isDone = (): boolean => results.length > 0 && (as_captured || withState().length > 0);
  for (let n = 0; n < TRIES && !isDone(); n += 1) {
    await wait(500);
    results = await fetch(address)
      .then(async (reply) => ((await reply.json()) as { results?: Service[] }).results ?? [])
      .catch(() => []);
  }
  // Long enough for the states of a register that has just been asked for.
  if (as_captured) await wait(2000);
  const states = withState();
  console.log(`${id}: ${results.length} places of ${kind}, ${states.length} with a state`);
  for (const { name, attributes } of results.slice(0, 5))
    console.log(`  ${name}: ${JSON.stringify(attributes.availability ?? attributes)}`);
  const isRight = isDone() && (!as_captured || states.length === 0);
  if (!isRight) console.log(`✖ ${id}: not what is to be shown`);
  return isRight ? 0 : 1;
}
