/** The attacker of the trial `streams`. */
import { fileURLToPath } from "node:url";
import { startProcess } from "../attacker-process.ts";
import type { StreamAttacked } from "./attacks.ts";

const SCRIPT = fileURLToPath(new URL("./attacker.ts", import.meta.url));

export function startStreamAttacker(name: string, url: string, seconds: number) {
  return startProcess<StreamAttacked>(SCRIPT, [name, new URL(url).port, String(seconds)]);
}
