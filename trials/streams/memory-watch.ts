/** Resident memory of the program, by its metrics, ten times as often as it must be bounded. */
import { get } from "node:http";
import type { Memory } from "./verdict.ts";

const EVERY_MS = 500;
const TIMEOUT_MS = 2_000;
const SETTLE_MS = 30_000;
const MB = 1_000_000;

export function watchMemory(admin_url: string) {
  let most = 0;
  const look = async (): Promise<number> => {
    const bytes = await readBytes(admin_url);
    most = Math.max(most, bytes);
    return bytes;
  };
  const timer = setInterval(() => void look().catch(() => undefined), EVERY_MS);
  return {
    look,
    /** Waits until it is near what it was before, or is not within half a minute. */
    async take(before: number): Promise<Memory> {
      const until_ms = performance.now() + SETTLE_MS;
      let after = await look();
      while (after > before + 50 * MB && performance.now() < until_ms) {
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
        after = await look();
      }
      const taken = { before, most: Math.max(most, after), after };
      most = 0;
      return taken;
    },
    close: () => clearInterval(timer),
  };
}

/** 0: it was not answered in time. */
function readBytes(admin_url: string): Promise<number> {
  return new Promise((resolve) => {
    const request = get(`${admin_url}/metrics`, { agent: false, timeout: TIMEOUT_MS }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      reply.once("error", () => resolve(0));
      reply.once("end", () => {
        const [, bytes = "0"] = /^process_resident_memory_bytes (\S+)$/m.exec(text) ?? [];
        resolve(Number(bytes));
      });
    });
    request.once("timeout", () => request.destroy());
    request.once("error", () => resolve(0));
  });
}
