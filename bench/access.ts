/**
 * npm run bench -- access: what credentials, rates, quotas and metering cost `/v1/nearby`. One process
 * serves one world by two production servers: behind a gate that asks nothing and records nothing, and
 * behind the real one, everything enforced, over the embedded store: a keyed reply leaves once its
 * units are in the journal. Each is compared with the same requests to the first one. Alternating
 * rounds of one run, seeded, every point different.
 */
import { cpus } from "node:os";
import { readArguments } from "../trials/arguments.ts";
import {
  ask,
  give,
  receive,
  median,
  type Ports,
  print,
  type Reading,
  spread,
  start,
} from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import type { Band } from "./server.ts";

const options = readArguments(process.argv.slice(2), {
  entities: "100000",
  seconds: 1.5,
  rounds: 9,
  connections: 32,
  rate: 1000,
  bands: "none,about_20,about_100",
});
const { seconds, rounds, connections } = options;

const POINTS = 20_000;
const KEYS = 32;
/** The share of a load's requests that may fail before it is measured again. */
const MAX_FAILED = 0.005;
/** Measurements in a row at most. */
const ATTEMPTS = 5;
/** A side, and what it is compared with: the very same requests behind the gate that lets pass. */
const SIDES = {
  free: { gate: "free", with_key: false, against: "free" },
  free_keyed: { gate: "free", with_key: true, against: "free_keyed" },
  keyed: { gate: "real", with_key: true, against: "free_keyed" },
  anonymous: { gate: "real", with_key: false, against: "free" },
} as const;
type Side = keyof typeof SIDES;
const NAMES = Object.keys(SIDES) as Side[];
/** A second, CPU of the serving thread and of the process a request. */
type Measured = { rps: number; main_us: number; all_us: number };

const client = start("client.ts");
const server = start("server.ts", [options.entities, "0", "enforced"]);
const ports = await receive<Ports>(server);
const keys = await ask<string[]>(server, { kind: "keys", count: KEYS });

print(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
print(`${rounds} rounds of ${seconds} s, ${connections} connections, ${KEYS} keys\n`);
for (const band of options.bands.split(",") as Band[]) await measureBand(band);
server.kill();
client.kill();

async function measureBand(band: Band): Promise<void> {
  const paths = await ask<string[]>(server, { kind: "points", band, count: POINTS });
  for (const side of NAMES) await load(side, paths, { seconds: 1, rate: null });
  const turns: Record<Side, Measured>[] = [];
  for (let round = 0; round < rounds; round++) turns.push(await measureTurn(paths, round));
  print(band);
  for (const side of NAMES) {
    const all = turns.map((turn) => turn[side]);
    const { against } = SIDES[side];
    const ratios = turns.map((turn) => turn[side].rps / turn[against].rps);
    const lean = turns.map((turn) => turn[against].main_us / turn[side].main_us);
    const of = (part: keyof Measured): string => median(all.map((one) => one[part])).toFixed(1);
    print(
      `  ${side.padEnd(10)} ${median(all.map(({ rps }) => rps)).toFixed(0)}/s, ratio ${spread(ratios)}; ` +
        `CPU a request ${of("main_us")} µs, ratio ${spread(lean)}, all threads ${of("all_us")} µs`,
    );
  }
  for (const side of NAMES) {
    const { latency, errors } = await load(side, paths, { seconds: 6, rate: options.rate });
    const { p50, p99 } = latency!;
    const figures = `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)} ms, ${errors} errors`;
    print(`  ${side.padEnd(10)} at ${options.rate}/s: ${figures}`);
  }
}

/** Who begins changes from round to round. */
async function measureTurn(paths: string[], round: number): Promise<Record<Side, Measured>> {
  const turn: Partial<Record<Side, Measured>> = {};
  for (let i = 0; i < NAMES.length; i++) {
    const side = NAMES[(i + round) % NAMES.length]!;
    turn[side] = await measure(side, paths);
  }
  return turn as Record<Side, Measured>;
}

/** When the machine stalls for a moment, a server that is always busy sheds a few requests. */
async function measure(side: Side, paths: string[], attempt = 1): Promise<Measured> {
  await ask(server, { kind: "reset" });
  const done = await load(side, paths, { seconds, rate: null });
  const used = await ask<Reading>(server, { kind: "read", collect: false });
  if (done.errors > MAX_FAILED * done.requests) {
    const lost = `${side}: ${done.errors} of ${done.requests} requests failed`;
    if (attempt === ATTEMPTS) throw new Error(lost);
    print(`  ${lost}, measured again`);
    return await measure(side, paths, attempt + 1);
  }
  const per = 1e6 / done.requests;
  const [main_us, all_us] = [used.main_cpu_s * per, used.cpu_s * per];
  return { rps: done.requests / done.seconds, main_us, all_us };
}

async function load(
  side: Side,
  paths: string[],
  how: { seconds: number; rate: number | null },
): Promise<LoadResult> {
  const { gate, with_key } = SIDES[side];
  const port = { free: ports.free_port, real: ports.port }[gate];
  const job = { port, paths, connections, ...how };
  return await give<LoadJob, LoadResult>(client, with_key ? { ...job, keys } : job);
}
