/** The service on a disk that becomes full: what it answers, and whether it starts again. */
import { once } from "node:events";
import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sized } from "./size.ts";
import { ROOT, startProcess, untilSurveyed } from "../integration/service/processes.ts";

export type Answered = {
  anonymous: number;
  keyed: number;
  search: number;
  /** The message of the error; null: there was none. */
  message: string | null;
};

export type FullDiskStory = {
  with_room: Answered;
  full: Answered;
  /** Starts while the disk is full, after SIGKILL: what was answered, or the line it ended with. */
  restarts: (Answered | string)[];
  /** The status of the dataset that was stored while there was space, read while there is none. */
  reread: number;
  room_again: Answered;
  files: string[];
};

/** While the disk is full. */
export const RESTARTS = sized(1, 3);
const CIRCLE = { lat: 48.8566, lon: 2.3522, radius: 400 };
type Process = Awaited<ReturnType<typeof startProcess>>;

/** The data folder of the mode is a disk of its own; the file that says "ready" is elsewhere. */
async function play(data_dir: string): Promise<FullDiskStory> {
  const disk = join(data_dir, "sandbox");
  let service = await start(data_dir);
  await untilSurveyed(service.ready);
  const with_room = await askAll(service);
  const dataset = await search(service);
  fill(disk);
  const full = await askAll(service);
  const restarts: FullDiskStory["restarts"] = [];
  for (let i = 0; i < RESTARTS; i++) {
    await kill(service);
    const again = await start(data_dir).catch((error: Error) => error.message);
    if (typeof again === "string") return { ...NOTHING, with_room, full, restarts: [again] };
    service = again;
    restarts.push(await askAll(service));
  }
  const reread = (await fetch(service.ready.url + dataset.href)).status;
  rmSync(join(disk, "fill"));
  const room_again = await askAll(service);
  await kill(service);
  service = await start(data_dir);
  await kill(service);
  const files = readdirSync(disk).map((name) => `${name} ${statSync(join(disk, name)).size}`);
  return { with_room, full, restarts, reread, room_again, files };
}

const NONE: Answered = { anonymous: 0, keyed: 0, search: 0, message: null };
const NOTHING = { reread: 0, room_again: NONE, files: [] };

function start(data_dir: string): Promise<Process> {
  return startProcess({
    data_dir,
    command: process.execPath,
    args: [join(ROOT, "src/main.ts"), "serve", "--sandbox"],
  });
}

async function kill({ running }: Process): Promise<void> {
  running.child.kill("SIGKILL");
  await running.ended;
}

async function askAll(service: Process): Promise<Answered> {
  const key = await keyOf(service);
  const { lat, lon, radius } = CIRCLE;
  const path = `${service.ready.url}/v1/nearby?lat=${lat}&lon=${lon}&radius=${radius}`;
  const anonymous = await fetch(path);
  const keyed = await fetch(path, { headers: { authorization: `Bearer ${key}` } });
  const searched = await search(service);
  return {
    anonymous: anonymous.status,
    keyed: keyed.status,
    search: searched.status,
    message: searched.message,
  };
}

/** As it is printed, which may be after the file that says "ready". */
async function keyOf({ running }: Process): Promise<string> {
  for (;;) {
    const key = /svc_test_\w{49}/.exec(running.output().out)?.[0];
    if (key !== undefined) return key;
    await once(running.child.stdout!, "data");
  }
}

type Searched = { status: number; message: string | null; href: string };

/** No search is a repeat of another. */
async function search({ ready }: Process): Promise<Searched> {
  const correlation = { conversation_id: "c", interaction_id: "i", request_id: `${Math.random()}` };
  const reply = await fetch(`${ready.url}/v1/capabilities`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      contract_version: "1.0.0",
      correlation: { ...correlation, parent_request_id: null, turn_id: null },
      request: { capability: "search_mobility", args: CIRCLE },
      freshness_policy: null,
    }),
  });
  const body = (await reply.json()) as {
    error?: { message: string };
    observation?: { provenance: { href: string }[] };
  };
  const href = body.observation?.provenance[0]?.href ?? "";
  return { status: reply.status, message: body.error?.message ?? null, href };
}

/** To the last byte. */
function fill(disk: string): void {
  const file = openSync(join(disk, "fill"), "w");
  for (const size of [64 * 1024, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch {
      // Less than that is left.
    }
  }
  closeSync(file);
}

if (process.argv[1] === import.meta.filename) {
  writeSync(1, JSON.stringify(await play(process.argv[2]!)));
  // Something may still wait for a service that did not start.
  process.exit();
}
