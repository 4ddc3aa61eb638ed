/**
 * Honest subscribers: some that stay and must receive something all the time, and a fixed rate of others
 * that come, want their snapshot within a second, and leave. Each has an address and a block of its own.
 */
import { type ClientRequest, get } from "node:http";
import { pathOf } from "./attacks.ts";

const STAYERS = 20;
const COMERS_PER_S = 10;
const IN_TIME_MS = 1_000;
const GIVEN_UP_MS = 5_000;
/** A comment or an event comes every 15 s; a busy machine may be late by some. */
const SILENT_MS = 20_000;

export type Subscribed = {
  /** Streams that were opened, and those whose snapshot came in time. */
  opened: number;
  good: number;
  /** Events that those that stay got. */
  events: number;
  /** Of those that stay: how many ended, or received nothing for 20 s. */
  ended: number;
  silent: number;
  p99_ms: number;
  bad: Record<string, number>;
};

export function startSubscribers(port: number) {
  const seen = { opened: 0, good: 0, events: 0, ended: 0, silent: 0 };
  const bad: Record<string, number> = {};
  const times_ms: number[] = [];
  const begun_ms = performance.now();
  const stayers = Array.from({ length: STAYERS }, (_, number) => stay(port, number, seen));
  const open = new Set<Promise<void>>();
  let comers = 0;
  const come = async (number: number): Promise<void> => {
    const started_ms = performance.now();
    const outcome = await untilSnapshot(port, number);
    const took_ms = performance.now() - started_ms;
    times_ms.push(took_ms);
    const name = outcome === "snapshot" && took_ms > IN_TIME_MS ? "late" : outcome;
    if (name === "snapshot") seen.good++;
    else bad[name] = (bad[name] ?? 0) + 1;
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun_ms) / 1_000) * COMERS_PER_S);
    for (; comers < due; comers++) {
      seen.opened++;
      const one = come(comers).finally(() => open.delete(one));
      open.add(one);
    }
  }, 20);
  return {
    async stop(): Promise<Subscribed> {
      clearInterval(timer);
      await Promise.all(open);
      for (const stayer of stayers) stayer.leave();
      times_ms.sort((a, b) => a - b);
      return { ...seen, bad, p99_ms: times_ms[Math.floor(times_ms.length * 0.99)] ?? NaN };
    },
  };
}

function stay(
  port: number,
  number: number,
  seen: { events: number; ended: number; silent: number },
) {
  let has_left = false;
  let received_ms = performance.now();
  const end = (): void => {
    if (!has_left) seen.ended++;
    has_left = true;
  };
  const request = subscribe(port, `127.150.${number}.1`, number, (text) => {
    received_ms = performance.now();
    seen.events += text.match(/^event: /gmu)?.length ?? 0;
  });
  request.once("response", (reply) => {
    if (reply.statusCode !== 200) end();
    reply.once("close", end);
  });
  request.once("error", end);
  return {
    leave(): void {
      if (!has_left && performance.now() - received_ms > SILENT_MS) seen.silent++;
      has_left = true;
      request.destroy();
    },
  };
}

/** `snapshot`, or why there is none. */
function untilSnapshot(port: number, number: number): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const request = subscribe(port, `127.${160 + (number % 90)}.1.1`, number, (piece) => {
      text = (text + piece).slice(-200_000);
      // It is whole when an empty line follows.
      if (!/event: snapshot\n[^]*?\n\n/u.test(text)) return;
      resolve("snapshot");
      request.destroy();
    });
    request.once("response", ({ statusCode }) => {
      if (statusCode === 200) return;
      resolve(String(statusCode));
      request.destroy();
    });
    request.setTimeout(GIVEN_UP_MS, () => {
      resolve("no answer");
      request.destroy();
    });
    request.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.once("close", () => resolve("cut"));
  });
}

function subscribe(
  port: number,
  localAddress: string,
  number: number,
  take: (text: string) => void,
): ClientRequest {
  const path = pathOf("small", number);
  const request = get({ port, host: "127.0.0.1", localAddress, path, agent: false }, (reply) => {
    reply.setEncoding("utf8").on("data", take);
    reply.on("error", () => undefined);
  });
  return request;
}
