/**
 * The attacker, a process of its own: keeps the connections of one attack open, and opens those that
 * are closed again after a moment. Ends when its input does, and by itself after a while.
 *
 * `attacker.ts NAME PORT ASSET SECONDS`; writes `ready`, and at the end what became of it as JSON.
 */
import { connect } from "node:net";
import { type Attack, type Attacked, ATTACKS } from "./attacks.ts";

const OPENED_PER_S = 1_500;
/** Time for connections to be accepted, after which the attack starts with those that are open. */
const CONNECT_TIMEOUT_MS = 10_000;
/** On average, so that they do not all come at once. */
const AGAIN_MS = 10_000;

const [name, port, asset = "", seconds] = process.argv.slice(2);
const attack = ATTACKS.find((each) => each.name === name);
if (attack === undefined) throw new Error(`unknown attack ${name}`);
let connected = 0;
const seen: Attacked = { opened: 0, stored: 0, lost: 0 };
const text = attack.send(asset);

function open(number: number, { addresses, reads, reset_within_ms }: Attack): void {
  const localAddress = `127.${60 + (number % addresses)}.0.1`;
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
  socket.once("connect", () => {
    seen.opened++;
    connected++;
    socket.once("close", () => connected--);
    socket.write(text);
    if (reset_within_ms === undefined) return;
    setTimeout(() => socket.resetAndDestroy(), Math.random() * reset_within_ms);
  });
  if (reads) socket.resume();
  else socket.pause();
  socket.once("error", () => undefined);
  socket.once("close", () => {
    seen.lost++;
    const pause_ms = reset_within_ms === undefined ? AGAIN_MS * (0.5 + Math.random()) : 0;
    setTimeout(() => open(number, attack as Attack), pause_ms);
  });
}

const ALL_OPENED_MS = (attack.connections / OPENED_PER_S) * 1_000;
let begun = 0;
const started_ms = performance.now();
const opening = setInterval(() => {
  const due = Math.ceil(((performance.now() - started_ms) / 1_000) * OPENED_PER_S);
  for (; begun < Math.min(due, attack.connections); begun++) open(begun, attack);
  const over = performance.now() - started_ms > ALL_OPENED_MS + CONNECT_TIMEOUT_MS;
  if (begun < attack.connections || (connected < 0.99 * attack.connections && !over)) return;
  clearInterval(opening);
  setTimeout(() => process.stdout.write("ready\n"), 500);
}, 10);

const end = (): void => {
  process.stdout.write(`${JSON.stringify({ ...seen, stored: connected })}\n`, () => process.exit());
};
process.stdin.resume().once("end", end);
setTimeout(end, (Number(seconds) + 60) * 1_000);
