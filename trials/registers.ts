/**
 * Captured registers of car parks and charging points through a service in live mode
 * (docs/registers.md): what is shown near one of the places of each. Times of the states are moved to
 * now, since an old state is not shown; with `--as_captured` they are left, and no state that has a time
 * may be shown. `--serve` keeps the service for the explorer until it is stopped. `--port N`: of the
 * service.
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

type Register = {
  id: string;
  shape: string;
  kind: "parking" | "charging";
  /** Where there are places with a state. */
  at: readonly [lat: number, lon: number];
  radius_m: number;
  file: string;
  /** The file of the states. */
  live: string;
  /** Its states have no time: they are as old as the reading, whenever they were captured. */
  is_undated?: true;
  /** Makes a document of the format of the file of the states. */
  toStates?(text: string): string;
};

const SWITZERLAND = "charging/switzerland/oicp";
const POWERGO = "charging/ocpi-locations/ocpi_2_2_locations_powergo.json.gz";

const REGISTERS: readonly Register[] = [
  {
    ...{ id: "aachen", shape: "datex2_parking", kind: "parking" },
    ...{ at: [50.776, 6.086], radius_m: 1_500 },
    ...{ file: "parking/datex2/aachen-static.xml", live: "parking/datex2/aachen-realtime.xml" },
  },
  {
    ...{ id: "france", shape: "irve", kind: "charging" },
    ...{ at: [47.2466, -1.509], radius_m: 3_000 },
    file: "charging/irve-france/irve-statique.json.gz",
    live: "charging/irve-france/irve-dynamique-sessions.json.gz",
    toStates: occupiedAt,
  },
  {
    ...{ id: "switzerland", shape: "oicp", kind: "charging", is_undated: true },
    ...{ at: [46.9292, 7.4893], radius_m: 1_500 },
    ...{ file: `${SWITZERLAND}-data-sample.json`, live: `${SWITZERLAND}-status-sample.json` },
  },
  {
    ...{ id: "powergo", shape: "ocpi_bulk", kind: "charging" },
    ...{ at: [56.14, 9.155], radius_m: 3_000, file: POWERGO, live: POWERGO },
  },
];

/** A moment of the captured sessions at which a station of one point was in use. */
const SESSIONS_MS = 1_735_041_600_000;

/** Points with a session at that moment, as IRVE has it; of the others nothing is known. */
function occupiedAt(text: string): string {
  type Session = { id_pdc_itinerance: string; start: number; end: number };
  const sessions = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Session);
  const rows = sessions
    .filter(({ start, end }) => start <= SESSIONS_MS && SESSIONS_MS < end)
    .map((one) => `${one.id_pdc_itinerance},en_service,occupe,${toTime(SESSIONS_MS)}`);
  return ["id_pdc_itinerance,etat_pdc,occupation_pdc,horodatage", ...new Set(rows)].join("\n");
}

const toTime = (ms: number): string => new Date(ms).toISOString();

type Service = {
  name: string;
  attributes: { availability?: unknown; charging?: { available_count?: number } };
};

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
      for (const { at, radius_m } of REGISTERS)
        console.log(`${origin}/?at=${at.join(",")}&r=${radius_m}&show=parking,charging`);
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

/** Only files that are listed; the states by the name of their register. */
async function readCaptured(path: string, as_captured: boolean): Promise<Buffer | string> {
  const [, id, half] = path.split("/");
  const register = REGISTERS.find((one) => one.id === id);
  if (!register) throw new Error("no such register");
  const { file, live, toStates = (text) => text } = register;
  if (half !== "states") return readPlain(file);
  const states = toStates((await readPlain(live)).toString("utf8"));
  return as_captured ? states : states.replaceAll(TIME, toTime(Date.now()));
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?(?!\d)/g;

async function readPlain(file: string): Promise<Buffer> {
  const bytes = await readFile(new URL(file, DATA));
  return file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

function configurationFor(port: number): object {
  const base = `http://127.0.0.1:${port}`;
  return {
    // The host listens on loopback.
    egress: { allow_private: true },
    sources: {
      registers: REGISTERS.map(({ id, shape }) => ({
        ...{ id, shape, name: id, url: `${base}/${id}/places`, live_url: `${base}/${id}/states` },
        // The register of France has 36 MB.
        max_bytes: 64 * 1024 ** 2,
      })),
    },
  };
}

/** Prints what is near; returns the number of findings. */
async function show(
  origin: string,
  { id, kind, at, radius_m, is_undated }: Register,
  as_captured: boolean,
): Promise<number> {
  const address = `${origin}/v1/${kind}/nearby?lat=${at[0]}&lon=${at[1]}&radius=${radius_m}`;
  const isShown = !as_captured || is_undated === true;
  let results: readonly Service[] = [];
  const withState = (): Service[] => results.filter(hasState);
  const isDone = (): boolean => results.length > 0 && (!isShown || withState().length > 0);
  for (let n = 0; n < TRIES && !isDone(); n += 1) {
    await wait(500);
    results = await fetch(address)
      .then(async (reply) => ((await reply.json()) as { results?: Service[] }).results ?? [])
      .catch(() => []);
  }
  // Long enough for the states of a register that has just been requested.
  if (as_captured) await wait(2000);
  const states = withState();
  console.log(`${id}: ${results.length} places of ${kind}, ${states.length} with a state`);
  for (const { name, attributes } of [...new Set([...states, ...results])].slice(0, 5))
    console.log(
      `  ${name}: ${JSON.stringify(attributes.availability ?? attributes.charging ?? attributes)}`,
    );
  const isRight = isDone() && (isShown || states.length === 0);
  if (!isRight) console.log(`✖ ${id}: not what is to be shown`);
  return isRight ? 0 : 1;
}

function hasState({ attributes }: Service): boolean {
  return (
    attributes.availability !== undefined || attributes.charging?.available_count !== undefined
  );
}
