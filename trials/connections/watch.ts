/** What the admin listener says, and whether it says it: asked twice a second on new connections. */
import { get } from "node:http";

const EVERY_MS = 500;
const TIMEOUT_MS = 2_000;
const SETTLE_MS = 30_000;

export type Seen = {
  probes: number;
  /** Probes of /livez without a 200 in time. */
  unanswered: number;
  inflight_max: number;
  /** After the attack and all callers have left. */
  inflight_after: number;
  fds_before: number;
  fds_max: number;
  fds_after: number;
};

type Reading = { inflight: number; fds: number };

/** Descriptors that come and go by themselves: sources, stores, the probes. */
export const SPARE_FDS = 25;

export function createWatch(admin_url: string) {
  const seen = { probes: 0, unanswered: 0, inflight_max: 0, fds_max: 0 };
  const pending = new Set<Promise<void>>();
  const probe = async (): Promise<void> => {
    seen.probes++;
    const alive = await ask(`${admin_url}/livez`);
    if (alive === null) seen.unanswered++;
    const now = await read(admin_url);
    if (now === null) return;
    seen.inflight_max = Math.max(seen.inflight_max, now.inflight);
    seen.fds_max = Math.max(seen.fds_max, now.fds);
  };
  const timer = setInterval(() => {
    const one = probe().finally(() => pending.delete(one));
    pending.add(one);
  }, EVERY_MS);

  /** Waits until it rests as before, or does not within half a minute. */
  async function settle(before: Reading | null): Promise<Reading> {
    let last: Reading = { inflight: NaN, fds: NaN };
    const until_ms = performance.now() + SETTLE_MS;
    while (performance.now() < until_ms) {
      const now = await read(admin_url);
      const rests = now !== null && now.inflight === 0;
      if (rests && now.fds <= (before === null ? last.fds : before.fds + SPARE_FDS)) return now;
      last = now ?? last;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    return last;
  }

  return {
    settle,
    /** What was seen since the last time, once it has settled. */
    async take(before: Reading): Promise<Seen> {
      const after = await settle(before);
      await Promise.all(pending);
      const taken = { ...seen, fds_before: before.fds };
      Object.assign(seen, { probes: 0, unanswered: 0, inflight_max: 0, fds_max: 0 });
      return { ...taken, inflight_after: after.inflight, fds_after: after.fds };
    },
    close: () => clearInterval(timer),
  };
}

async function read(admin_url: string): Promise<Reading | null> {
  const text = await ask(`${admin_url}/metrics`);
  if (text === null) return null;
  const sum = (name: RegExp): number => {
    let total = 0;
    for (const [, value] of text.matchAll(name)) total += Number(value);
    return total;
  };
  return {
    inflight: sum(/^svc_http_inflight\{[^}]*\} (\S+)$/gm),
    fds: sum(/^process_open_fds (\S+)$/gm),
  };
}

/** Where the largest file of the pages lies. */
export async function findAsset(url: string): Promise<string> {
  const text = await ask(`${url}/`);
  const [folder] = /\/assets\/[0-9a-f]+/.exec(text ?? "") ?? [];
  if (folder === undefined) throw new Error("no asset on /");
  return `${folder}/world/50m.json`;
}

/** The text of a 200; null: there was none in time. */
function ask(url: string): Promise<string | null> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: TIMEOUT_MS }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      reply.once("end", () => resolve(reply.statusCode === 200 ? text : null));
      reply.once("error", () => resolve(null));
    });
    request.once("timeout", () => request.destroy());
    request.once("error", () => resolve(null));
  });
}
