/** The attacker of the trial `connections`. */
import { fileURLToPath } from "node:url";
import { startProcess } from "../attacker-process.ts";
import type { Attacked } from "./attacks.ts";

const SCRIPT = fileURLToPath(new URL("./attacker.ts", import.meta.url));

type Target = { url: string; asset: string; seconds: number };

export function startAttacker(name: string, { url, asset, seconds }: Target) {
  return startProcess<Attacked>(SCRIPT, [name, new URL(url).port, asset, String(seconds)]);
}
