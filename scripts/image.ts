/**
 * The steps of the Dockerfile without Docker: the commit's files that .dockerignore lets through in
 * a clean folder, `npm ci --omit=dev`, the bundle of the pages, no file that may be written to, and the
 * program started from it by a user without rights, in sandbox mode. It must answer; then its size is
 * reported.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** User that the program runs as where we may choose, one without rights to anything. */
const UNPRIVILEGED = 65_534;
const READY_MS = 20_000;

const work = mkdtempSync(join(tmpdir(), "vicinity-image-"));
chmodSync(work, 0o755);
const app = join(work, "app");
const data = join(work, "data");

try {
  build();
  const ready = await start();
  console.log(`# answers as ${ready}`);
  reportSizes();
} finally {
  execFileSync("chmod", ["-R", "u+w", work]);
  rmSync(work, { recursive: true });
}

function build(): void {
  mkdirSync(app);
  const paths = readFileSync(join(ROOT, ".dockerignore"), "utf8").match(/^!.+$/gm) ?? [];
  const names = paths.map((line) => line.slice(1));
  const archive = execFileSync("git", ["archive", "HEAD", "--", ...names], {
    cwd: ROOT,
    maxBuffer: 1e9,
  });
  execFileSync("tar", ["-x", "-C", app], { input: archive });
  npm(["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]);
  execFileSync(process.execPath, ["scripts/bundle.ts"], { cwd: app, stdio: "inherit" });
  if (existsSync(join(app, "node_modules/.bin/node"))) throw new Error("the runtime came along");
  mkdirSync(join(work, "bin"));
  symlinkSync(process.execPath, join(work, "bin/node"));
  mkdirSync(data);
  if (process.getuid?.() === 0) chownSync(data, UNPRIVILEGED, UNPRIVILEGED);
  execFileSync("chmod", ["-R", "a-w,a+rX", app]);
}

/** On the runtime of this script: the base image brings the same. */
function npm(args: readonly string[]): void {
  const shim = execFileSync("sh", ["-c", "readlink -f $(command -v npm)"], { encoding: "utf8" });
  execFileSync(process.execPath, [shim.trim(), ...args], { cwd: app, stdio: "inherit" });
}

/** The variables of the image; on free ports, on loopback, and with a folder of its own. */
function variables(): Record<string, string> {
  const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
  const [, block = ""] = /^ENV ((?:.*\\\n)*.*)/m.exec(dockerfile) ?? [];
  // What an argument of the build gives is not there.
  const pairs = [...block.matchAll(/(\w+)=([^$\s]\S*)/g)].map(([, name, value]) => [name, value]);
  return {
    ...(Object.fromEntries(pairs) as Record<string, string>),
    HOST: "127.0.0.1",
    PORT: "0",
    ADMIN_HOST: "127.0.0.1",
    ADMIN_PORT: "0",
    VICINITY_DATA_DIR: data,
    VICINITY_READY_FILE: join(data, "ready.json"),
    PATH: `${join(work, "bin")}:/usr/bin:/bin`,
    NODE_COMPILE_CACHE: join(data, "cache"),
  };
}

async function start(): Promise<string> {
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const begun = performance.now();
  const child = spawn(join(app, "bin/vicinity"), ["serve", "--sandbox"], {
    cwd: app,
    env: variables(),
    ...user,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const { url, admin_url } = await waitReady(begun);
  const ready_ms = Math.round(performance.now() - begun);
  const requests = ["/health", "/v1/nearby?lat=48.8566&lon=2.3522", "/", "/openapi.json"];
  for (const target of [...requests.map((path) => url + path), `${admin_url}/livez`]) {
    const reply = await fetch(target);
    await reply.arrayBuffer();
    if (reply.status !== 200) throw new Error(`${target}: ${reply.status}`);
  }
  child.kill("SIGTERM");
  const code = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}`);
  return `user ${user.uid ?? "of this shell"}, ready after ${ready_ms} ms, ended with 0`;
}

async function waitReady(begun: number): Promise<{ url: string; admin_url: string }> {
  const file = join(data, "ready.json");
  while (!existsSync(file)) {
    if (performance.now() - begun > READY_MS) throw new Error("it is not ready");
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  return JSON.parse(readFileSync(file, "utf8")) as { url: string; admin_url: string };
}

function reportSizes(): void {
  const size = (path: string): string => {
    const [kilobytes = "0"] = execFileSync("du", ["-sk", path], { encoding: "utf8" }).split("\t");
    return (Number(kilobytes) / 1024).toFixed(1);
  };
  const packages = size(join(app, "node_modules"));
  console.log(`# ${size(app)} MB in /app, of which node_modules ${packages} MB`);
}
