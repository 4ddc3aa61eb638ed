/**
 * npm run bench -- bad-keys: the cost of invalid keys at the entrance of the gate as the service opens it
 * (`openAccess` over the embedded store, everything enforced), with the store's look-ups counted; and
 * whether the time taken distinguishes a nearly right key from a random one: Welch's t after dudect
 * (Reparaz, Balasch, Verbauwhede, 2017), classes drawn at random call by call, slow measurements
 * cropped at a hundred thresholds, the largest |t| reported.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../trials/arguments.ts";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { encodeNumber } from "#core/keys/base62.ts";
import { crc32 } from "#core/keys/crc32.ts";
import { composeKey, KEY_PREFIXES, SECRET_BYTES } from "#core/keys/key.ts";
import { DEFAULT_SCOPES } from "#core/keys/scopes.ts";
import { findOperation } from "#api/operations.ts";
import { createClock } from "#process/clock.ts";
import type { Exchange } from "#http/http-exchange.ts";
import type { AccountsAtHand } from "#ports.ts";
import { openStorage } from "#storage/open-storage.ts";
import { openAccess } from "../src/main/access/open-access.ts";
import { createLog } from "#observe/log.ts";
import { quantile } from "./children.ts";
import { createRng } from "./world.ts";
import { noFault } from "../test/support/faults.ts";

const options = readArguments(process.argv.slice(2), { count: 100_000, seed: 1 });
const count = options.count;
const rng = createRng(options.seed);
const NEARBY = findOperation("getNearby");
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = KEY_PREFIXES.live;
const CHECKSUM_LENGTH = 6;
const one = socketOf("198.51.100.7");

const folder = mkdtempSync(join(tmpdir(), "vicinity-bench-"));
const storage = openStorage({ data_dir: folder, mode: "live" });
if ("problem" in storage) throw new Error(storage.problem);
const good = issueKey(storage.accounts);
let lookups = 0;
const counting: AccountsAtHand = {
  ...storage.accounts,
  findKeyByHash: (hash) => {
    lookups++;
    return storage.accounts.findKeyByHash(hash);
  },
};
const access = openAccess({
  onFault: noFault,
  config: {
    mode: "live",
    plans: Object.fromEntries(SHIPPED_PLANS.map((row) => [row.name, row])),
    keys: { grace_s: 3_600 },
    server: { trusted_proxies: [] },
    enforce_limits: true,
  },
  storage: { accounts: counting, usage: storage.usage, fleet: null },
  clock: createClock(),
  log: createLog({ level: "fatal", dest: "/dev/null" }).log,
  shedder: { admits: () => true, hold: () => null },
});

const CLASSES = {
  "one character wrong": () => mistype(good),
  "two exchanged": () => exchange(good),
  "random, right length": () => PREFIX + randomText(good.length - PREFIX.length),
  "another prefix": () => `sk_live_${randomText(good.length - 8)}`,
  "of the other mode": () => composeKey(KEY_PREFIXES.sandbox, randomBytes()),
  "right checksum, unknown": () => composeKey(PREFIX, randomBytes()),
} as const;

console.log(`node ${process.version}, ${count} keys a class, seed ${options.seed}`);
const entry = enter(good, socketOf("192.0.2.1"));
if (entry !== "admitted") throw new Error(`the good key: ${entry}`);
for (const [name, draw] of Object.entries(CLASSES)) {
  measure(`${name}, one address`, draw, () => one);
  measure(`${name}, an address each`, draw, (i) =>
    socketOf(`2001:db8:${toHex(i >> 16)}:${toHex(i & 0xffff)}::1`),
  );
}
console.log(
  "| nearly right against random | keys a class | largest abs t | cropped at | mean ns |",
);
console.log("|---|---|---|---|---|");
compare("checksum wrong", CLASSES["one character wrong"], CLASSES["random, right length"]);
compare("checksum right", nearlyRight, CLASSES["right checksum, unknown"]);
access.close();
await storage.usage.close();
storage.close();
rmSync(folder, { recursive: true });

type Socket = { remoteAddress: string };

function toHex(part: number): string {
  return part.toString(16);
}

function socketOf(remoteAddress: string): Socket {
  return { remoteAddress };
}

/** What the answer would be, and nothing of how it is written. */
function enter(key: string, socket: Socket): string {
  return judge(knock(toExchanges([key], () => socket)[0]!));
}

function knock(at: Exchange): ReturnType<typeof access.gate.enter> {
  return access.gate.enter(at, NEARBY, undefined);
}

function judge(verdict: ReturnType<typeof access.gate.enter>): string {
  if (verdict instanceof Promise) return "late";
  return verdict.ok ? "admitted" : verdict.code;
}

/**
 * Strings decoded one by one from bytes, flat, as the HTTP parser makes them: otherwise the time would
 * depend on how each string was built and where it lies in memory.
 */
function toExchanges(keys: readonly string[], from: (i: number) => Socket): Exchange[] {
  const bytes = keys.map((key) => Buffer.from(`Bearer ${key}`, "latin1"));
  return bytes.map((text, i) => {
    const request = {
      raw: { headers: { authorization: text.toString("latin1") }, socket: from(i) },
    };
    return { request, started_ms: performance.now(), allowances: [] } as unknown as Exchange;
  });
}

function measure(name: string, draw: () => string, from: (i: number) => Socket): void {
  const exchanges = toExchanges(Array.from({ length: count }, draw), from);
  lookups = 0;
  const verdicts: Record<string, number> = {};
  const began = process.threadCpuUsage();
  for (const at of exchanges) {
    const verdict = judge(knock(at));
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  }
  const { user, system } = process.threadCpuUsage(began);
  const counts = Object.entries(verdicts).map(([code, times]) => `${times} ${code}`);
  const us = ((user + system) / count).toFixed(2);
  console.log(`${name}: ${us} µs of CPU each, ${lookups} look-ups, ${counts.join(", ")}`);
}

/** Both classes from one address that is throttled already, so that all do the same. */
function compare(name: string, near: () => string, random: () => string): void {
  for (let i = 0; i < 20_000; i++) enter(i % 2 ? near() : random(), one);
  const times: [number[], number[]] = [[], []];
  for (let chunk = 0; chunk < 2 * count; chunk += 1000) {
    const classes = Array.from({ length: 1000 }, () => (rng() < 0.5 ? 0 : 1));
    const drawn = classes.map((of) => (of === 0 ? near() : random()));
    const exchanges = toExchanges(drawn, () => one);
    for (let i = 0; i < exchanges.length; i++) {
      const began = process.hrtime.bigint();
      void knock(exchanges[i]!);
      times[classes[i] as 0 | 1].push(Number(process.hrtime.bigint() - began));
    }
  }
  const { t, crop } = largest(times);
  const means = times.map((each) => statistics(each, quantile(each, 0.99)).mean.toFixed(0));
  const counts = times.map((each) => each.length).join(" and ");
  console.log(`| ${name} | ${counts} | ${t.toFixed(2)} | ${crop} | ${means.join(" and ")} |`);
}

/** dudect's thresholds: 1 − 0.5^(10 (i + 1) / 100) of all times; and none. */
function largest(times: [number[], number[]]): { t: number; crop: string } {
  const all = Float64Array.from(times.flat()).sort();
  let match = { t: welch(times, Infinity), crop: "nothing" };
  for (let i = 0; i < 100; i++) {
    const share = 1 - 0.5 ** ((10 * (i + 1)) / 100);
    const t = welch(times, all[Math.floor(share * all.length)]!);
    if (t > match.t) match = { t, crop: `${(share * 100).toFixed(1)} %` };
  }
  return match;
}

function welch([a, b]: [number[], number[]], below: number): number {
  const [first, second] = [statistics(a, below), statistics(b, below)];
  const error = Math.sqrt(first.variance / first.n + second.variance / second.n);
  return error > 0 ? Math.abs(first.mean - second.mean) / error : 0;
}

function statistics(values: readonly number[], below: number) {
  let [n, mean, squares] = [0, 0, 0];
  for (const value of values) {
    if (value >= below) continue;
    n++;
    const off = value - mean;
    mean += off / n;
    squares += off * (value - mean);
  }
  return { n, mean, variance: n > 1 ? squares / (n - 1) : 0 };
}

function issueKey(accounts: AccountsAtHand): string {
  const issue = { now_ms: Date.now(), draw: randomBytes, prefix: PREFIX };
  const account = newAccount({ name: "bench", plan: "developer" }, issue);
  const terms = { account_id: account.id, name: null, expires_at_ms: null };
  const made = newKey({ ...terms, scopes: DEFAULT_SCOPES }, issue);
  accounts.createAccount(account);
  accounts.createKey(made.record);
  return made.key;
}

function randomBytes(size: number = SECRET_BYTES): Uint8Array {
  return Uint8Array.from({ length: size }, () => Math.floor(rng() * 256));
}

function randomText(length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) text += ALPHABET[Math.floor(rng() * ALPHABET.length)]!;
  return text;
}

function mistype(key: string): string {
  const at = PREFIX.length + Math.floor(rng() * (key.length - PREFIX.length));
  const old = ALPHABET.indexOf(key[at]!);
  const other = ALPHABET[(old + 1 + Math.floor(rng() * 61)) % 62]!;
  return key.slice(0, at) + other + key.slice(at + 1);
}

/** Four characters of the secret are others, and the checksum is that of the whole. */
function nearlyRight(): string {
  let checked = good.slice(0, -CHECKSUM_LENGTH);
  for (let i = 0; i < 4; i++) checked = mistype(checked);
  return checked + encodeNumber(BigInt(crc32(checked, checked.length)), CHECKSUM_LENGTH);
}

function exchange(key: string): string {
  const last = key.length - 2;
  let at = PREFIX.length + Math.floor(rng() * (last - PREFIX.length));
  while (key[at] === key[at + 1]) at = at === last ? PREFIX.length : at + 1;
  return key.slice(0, at) + key[at + 1]! + key[at]! + key.slice(at + 2);
}
