/**
 * Clients of the trial of restarts: `clients.ts COUNT DELAY_MS`; messages name the replicas that take
 * new connections. Every other one honours `Keep-Alive: timeout`. Pauses are between a tenth of the
 * drain delay and one and a half of it, most of them longer than the delay.
 */
import { Agent, get } from "node:http";

const [count, delay_ms] = process.argv.slice(2).map(Number) as [number, number];
/** Nothing was asked on the connection, so that no timeout was stated. */
const UNUSED = -1;
const kinds = ["honouring", "ignoring"] as const;
type Kind = (typeof kinds)[number];
const tally = {
  honouring: { requested: 0, lost: {} as Record<string, number> },
  ignoring: { requested: 0, lost: {} as Record<string, number> },
};
let urls: readonly string[] = [];
const load = { ended: false };
let turn = 0;

process.on("message", (message: { urls?: string[]; end?: boolean }) => {
  urls = message.urls ?? urls;
  if (message.end) load.ended = true;
});
const reporting = setInterval(() => process.send!(tally), 500);
while (urls.length === 0) await sleep(10);
await Promise.all(Array.from({ length: count }, (_, i) => live(kinds[i % 2]!)));
clearInterval(reporting);
process.send!(tally, () => process.exit(0));

async function live(kind: Kind): Promise<void> {
  let connection = open();
  await sleep(Math.random() * delay_ms);
  while (!load.ended) {
    if (isOver(connection, kind)) {
      connection.agent.destroy();
      connection = open();
    }
    tally[kind].requested += 1;
    const { lost, timeout_ms } = await ask(connection);
    if (lost !== null) tally[kind].lost[lost] = (tally[kind].lost[lost] ?? 0) + 1;
    Object.assign(connection, { timeout_ms, used_ms: performance.now() });
    const long = Math.random() < 0.8;
    await sleep(delay_ms * (long ? 1.02 + Math.random() / 2 : 0.1 + Math.random() * 0.8));
  }
  connection.agent.destroy();
}

/** Closed by the server meanwhile, announced as closing, or past the timeout that the client honours. */
function isOver({ agent, timeout_ms, used_ms }: Connection, kind: Kind): boolean {
  if (timeout_ms === null) return true;
  if (timeout_ms === UNUSED) return false;
  if (Object.keys(agent.freeSockets).length === 0) return true;
  return kind === "honouring" && performance.now() - used_ms >= timeout_ms;
}

/** `timeout_ms`: how long it may idle, as the server stated; null: it is not to be used again. */
type Connection = { agent: Agent; url: string; timeout_ms: number | null; used_ms: number };

function open(): Connection {
  const url = urls[turn++ % urls.length]!;
  // The agent itself would honour the header; this keeps it from that.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  Object.assign(agent, { keepSocketAlive: () => true });
  return { agent, url, timeout_ms: UNUSED, used_ms: performance.now() };
}

function ask({
  agent,
  url,
}: Connection): Promise<{ lost: string | null; timeout_ms: number | null }> {
  return new Promise((resolve) => {
    const target = `${url}/v1/nearby?lat=48.8566&lon=2.3522&limit=1`;
    const request = get(target, { agent }, (reply) => {
      reply.resume();
      reply.on("error", fail).on("end", () => {
        const { connection, "keep-alive": stated } = reply.headers;
        const seconds = Number(/timeout=(\d+)/.exec(String(stated))?.[1] ?? Infinity);
        const lost = reply.statusCode === 200 ? null : `status ${reply.statusCode}`;
        resolve({ lost, timeout_ms: connection === "close" ? null : seconds * 1000 });
      });
    });
    const fail = (error: Error): void => {
      const { code = error.message } = error as { code?: string };
      resolve({ lost: `${request.reusedSocket ? "reused" : "new"} ${code}`, timeout_ms: null });
    };
    request.on("error", fail);
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
