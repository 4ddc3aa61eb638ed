/** Asks one program all requests in turn, with its clock stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { atExit } from "../../test/support/at-exit.ts";
import type { Description, Tool } from "../requests/description.ts";
import { PLACES } from "../requests/places.ts";
import { type ApiRequest, createRequests } from "../requests/requests.ts";
import type { Subject } from "../requests/texts.ts";
import type { Answer, Recorded } from "./compare.ts";

const FREEZE = fileURLToPath(new URL("./freeze.ts", import.meta.url));
const READY_MS = 60_000;
/** The same for both programs: answers name the address of the simulator. */
const PORTS = { PORT: "18480", SANDBOX_PORT: "18481", ADMIN_PORT: "18482" };
const DATASETS_KEPT = 20;

type Wish = { root: string; seed: number; count: number };
/** What the generated requests derive from: the same for both programs. */
export type Basis = { description: Description; tools: readonly Tool[] };

/**
 * The first pass fills what the program keeps (feeds, answers of sources); the second is recorded.
 * `basis`: null: what this program publishes.
 */
export async function record(
  { root, seed, count }: Wish,
  given: Basis | null,
): Promise<{ basis: Basis; recorded: Recorded[] }> {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-same-"));
  const { url, keys, stop } = await startFrozen(root, folder);
  const agent = new Agent({ keepAlive: true });
  // Units of anonymous callers are those of their address: not of the one that is recorded.
  const warm = new Agent({ keepAlive: true, localAddress: "127.0.0.2" });
  try {
    const basis = given ?? (await readBasis(url, warm));
    const source = createRequests(basis, { seed, keys });
    await wakeCities(url, warm);
    let recorded: Recorded[] = [];
    for (let pass = 0; pass < 2; pass++) {
      recorded = [];
      const datasets: NonNullable<Subject["dataset"]>[] = [];
      for (let serial = 0; serial < count; serial++) {
        const request = source.make(serial, datasets);
        const answer = await (pass === 0
          ? send(url, withoutKey(request), warm)
          : send(url, request, agent));
        recorded.push({ request, answer });
        const dataset = /"dataset":\{"id":"([^"]+)","version":"([^"]+)"/.exec(answer.text);
        if (dataset) datasets.push({ id: dataset[1]!, version: dataset[2]! });
        if (datasets.length > DATASETS_KEPT) datasets.shift();
      }
    }
    return { basis, recorded };
  } finally {
    agent.destroy();
    warm.destroy();
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const WAKE_TRIES = 100;

/** One city after the other until its sources have answered, so that none depends on how fast they are. */
async function wakeCities(url: string, agent: Agent): Promise<void> {
  for (const { lat, lon } of PLACES) {
    const target = `/v1/nearby?lat=${lat}&lon=${lon}&include=stations,vehicles`;
    const ask = { operation: "", method: "GET", target, headers: {}, fault: null, refused: null };
    for (let tries = 0; tries < WAKE_TRIES; tries++) {
      const { text } = await send(url, { ...ask, body: null }, agent);
      if (!text.includes('"status":"partial"')) break;
      await new Promise((resolve) => void setTimeout(resolve, 100));
    }
  }
}

/** Which units a first answer costs depends on how fast the sources were. */
function withoutKey(request: ApiRequest): ApiRequest {
  const { authorization: _, ...headers } = request.headers as Record<string, string>;
  return { ...request, headers };
}

async function startFrozen(
  root: string,
  folder: string,
): Promise<{ url: string; keys: string[]; stop(): Promise<void> }> {
  const ready = join(folder, "ready.json");
  const config = join(folder, "vicinity.json");
  await writeFile(config, "{}");
  const child = spawn(join(root, "bin/vicinity"), ["serve", "--sandbox", "--config", config], {
    cwd: root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      ...PORTS,
      LOG_LEVEL: "error",
      VICINITY_DATA_DIR: join(folder, "data"),
      SANDBOX_SEED: "1",
      VICINITY_READY_FILE: ready,
      VICINITY_ENFORCE_LIMITS: "0",
      NO_COLOR: "1",
      NODE_OPTIONS: `--import ${FREEZE}`,
      NODE_COMPILE_CACHE: join(folder, "cache"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stay = atExit(() => child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await waitReady(ready, child, () => output);
  return {
    url: `http://127.0.0.1:${PORTS.PORT}`,
    keys: [...output.matchAll(/\bsvc_test_[A-Za-z0-9_]{20,}/g)].map(([key]) => key),
    async stop() {
      child.kill("SIGINT");
      const hard = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(hard);
      stay();
    },
  };
}

async function waitReady(file: string, child: ChildProcess, output: () => string): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    if ((await readFile(file, "utf8").catch(() => null)) !== null) return;
    if (child.exitCode !== null || performance.now() > until) {
      child.kill("SIGKILL");
      throw new Error(`the program did not become ready:\n${output()}`);
    }
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
}

async function readBasis(url: string, agent: Agent): Promise<Basis> {
  const get = { operation: "", headers: {}, body: null, fault: null, refused: null };
  const text = await send(url, { ...get, method: "GET", target: "/openapi.json" }, agent);
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const listed = await send(
    url,
    { ...get, method: "POST", target: "/mcp", headers, body: Buffer.from(JSON.stringify(list)) },
    agent,
  );
  const reply = /\{.*\}/s.exec(listed.text)?.[0] ?? "{}";
  const { result } = JSON.parse(reply) as { result: { tools: Tool[] } };
  return { description: JSON.parse(text.text) as Description, tools: result.tools };
}

function send(url: string, request: ApiRequest, agent: Agent): Promise<Answer> {
  const { method, headers, body } = request;
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${url}${request.target}`,
      {
        method,
        agent,
        timeout: 30_000,
        // Node writes the body of a DELETE, HEAD or OPTIONS without its length.
        headers: body === null ? { ...headers } : { ...headers, "content-length": body.length },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const headers_out = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          const text = decode(Buffer.concat(chunks), headers_out["content-encoding"]);
          resolve({ status: response.statusCode!, headers: headers_out, text });
        });
      },
    );
    sent.on("timeout", () => sent.destroy(new Error(`no answer to ${method} ${request.target}`)));
    sent.on("error", reject);
    sent.end(body);
  });
}

function decode(body: Buffer, encoding: string | undefined): string {
  if (body.length === 0 || encoding === undefined) return body.toString();
  if (encoding === "gzip") return gunzipSync(body).toString();
  if (encoding === "br") return brotliDecompressSync(body).toString();
  if (encoding === "zstd") return zstdDecompressSync(body).toString();
  throw new Error(`unknown encoding ${encoding}`);
}
