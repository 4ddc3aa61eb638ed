/**
 * The attacker, a process of its own: keeps the subscribers of one attack open, and opens those that
 * are closed again after a moment. Ends when its input does, and by itself after a while.
 *
 * `attacker.ts NAME PORT SECONDS`; writes `ready`, and at the end what became of it as JSON.
 */
import { connect, type Socket } from "node:net";
import { pathOf, STREAM_ATTACKS, type StreamAttack, type StreamAttacked } from "./attacks.ts";

const OPENED_PER_S = 1_000;
/** Time for connections to be accepted, after which the attack starts with those that are open. */
const CONNECT_TIMEOUT_MS = 10_000;
/** On average, so that they do not all come at once. */
const AGAIN_MS = 10_000;
const BYTE_EVERY_MS = 100;

const [name, port, seconds] = process.argv.slice(2);
const attack = STREAM_ATTACKS.find((each) => each.name === name);
if (attack === undefined) throw new Error(`unknown attack ${name}`);
let connected = 0;
const seen: StreamAttacked = { opened: 0, let_in: 0, stored: 0, lost: 0 };
const slow = new Set<Socket>();

function open(number: number, how: StreamAttack, last_id: string | null = null): void {
  const { addresses, box, half, reads, reset_within_ms, resumes } = how;
  const at = number % addresses;
  const localAddress = `127.${30 + (at >> 6)}.${at & 63}.1`;
  let id = last_id;
  const take = (chunk: Buffer): void => {
    const text = chunk.toString("latin1");
    if (text.startsWith("HTTP/1.1 200")) seen.let_in++;
    if (resumes) id = /(?:^|\n)id: (\S+)/.exec(text)?.[1] ?? id;
  };
  const options = { port: Number(port), host: "127.0.0.1", localAddress };
  // A byte at a time: what is read goes into one byte, and then it waits.
  const buffer = Buffer.alloc(1);
  const socket: Socket =
    reads === "byte"
      ? connect({ ...options, onread: { buffer, callback: () => false } })
      : connect(options);
  if (reads === "all" || reads === "none") socket.on("data", take);
  if (reads === "none") socket.pause();
  if (reads === "byte") slow.add(socket);
  socket.once("connect", () => {
    seen.opened++;
    connected++;
    socket.once("close", () => connected--);
    const resume = id === null ? "" : `Last-Event-ID: ${id}\r\n`;
    const head = `GET ${pathOf(box, number)} HTTP/1.1\r\nHost: x\r\n${resume}`;
    socket.write(half ? `${head}X-` : `${head}\r\n`);
    if (reset_within_ms === undefined) return;
    setTimeout(() => socket.resetAndDestroy(), Math.random() * reset_within_ms);
  });
  socket.once("error", () => undefined);
  socket.once("close", () => {
    slow.delete(socket);
    seen.lost++;
    const pause_ms = reset_within_ms === undefined ? AGAIN_MS * (0.5 + Math.random()) : 0;
    setTimeout(() => open(number, how, id), pause_ms);
  });
}

setInterval(() => {
  for (const socket of slow) socket.resume();
}, BYTE_EVERY_MS);

const ALL_OPENED_MS = (attack.connections / OPENED_PER_S) * 1_000;
let begun = 0;
const started_ms = performance.now();
const opening = setInterval(() => {
  const due = Math.ceil(((performance.now() - started_ms) / 1_000) * OPENED_PER_S);
  for (; begun < Math.min(due, attack.connections); begun++) open(begun, attack);
  const over = performance.now() - started_ms > ALL_OPENED_MS + CONNECT_TIMEOUT_MS;
  if (begun < attack.connections || (connected < 0.9 * attack.connections && !over)) return;
  clearInterval(opening);
  setTimeout(() => process.stdout.write("ready\n"), 500);
}, 10);

const end = (): void => {
  process.stdout.write(`${JSON.stringify({ ...seen, stored: connected })}\n`, () => process.exit());
};
process.stdin.resume().once("end", end);
setTimeout(end, (Number(seconds) + 60) * 1_000);
