/** The base of the simulator's streets, which is made behind the start. */
import { PLACES } from "./places.ts";

const WITHIN_MS = 240_000;
const POLL_MS = 250;

/** Until ways on foot are known: the same question would have two answers before and after. */
export async function untilWalked(port: number): Promise<void> {
  const [{ lat, lon } = { lat: 0, lon: 0 }] = PLACES;
  const url = `http://127.0.0.1:${port}/v1/walk?from=${lat},${lon}&to=${lat},${lon}`;
  for (const until = performance.now() + WITHIN_MS; performance.now() < until;) {
    const reply = await fetch(url);
    const { status } = (await reply.json()) as { status: string };
    if (status !== "partial") return;
    await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
  }
  throw new Error("there is no base with ways on foot");
}
