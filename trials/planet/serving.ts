/** What a service over a large base has in memory, and how long its answers take. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createDice, type Dice } from "../dice.ts";
import { drawObjects, type DrawnObjects } from "./drawn-objects.ts";
import { readProcess } from "./machine.ts";
import type { Copy } from "./make-planet.ts";
import { basesOf, BASE_ID } from "./paged-import.ts";
import { serveBases, type Served } from "./service.ts";
import { renameText } from "./shift-words.ts";
import type { Source } from "./sources.ts";

const MB = 1e6;
const NANO = 1e9;
/** Towns whose pages stay in memory. */
const WARM_TOWNS = 3;
const WARM = 400;
const COLD = 150;

type Rows = (readonly [string, string])[];
type Options = { copies: readonly Copy[]; memory_mb: number; pages: readonly number[] };

export async function measureServing(
  data_dir: string,
  { copies, memory_mb, pages }: Options,
): Promise<Rows> {
  const drawn = new Map<Source, DrawnObjects>();
  for (const { source } of copies)
    if (!drawn.has(source)) drawn.set(source, await drawObjects(source.path));
  const service = await serveBases(data_dir, { memory_mb });
  const started = readProcess(service.pid)!;
  const dice = createDice(1);
  const towns = copies.slice(0, WARM_TOWNS);
  const warmAt = (make: typeof searchIn): string[] =>
    Array.from({ length: WARM }, (_, n) => make(towns[n % towns.length]!, drawn, dice));
  const searches = warmAt(searchIn);
  const circles = warmAt(circleIn);
  const floor = await time(
    service,
    Array.from({ length: WARM }, () => "/health"),
  );
  await time(service, searches);
  const warm = await time(service, searches);
  await time(service, circles);
  const circle = await time(service, circles);
  const cold: number[] = [];
  const file = join(basesOf(data_dir), `${BASE_ID}.vbase`);
  for (let n = 0; n < COLD; n++) {
    forget(file);
    const copy = dice.pick(copies);
    cold.push(...(await time(service, [searchIn(copy, drawn, dice)])));
  }
  const ended = readProcess(service.pid)!;
  await service.close();
  const all_bytes = pages.reduce((sum, bytes) => sum + bytes, 0);
  const in_pages = Math.min(all_bytes, memory_mb * 1024 ** 2);
  const mb = (bytes: number): string => `${(bytes / MB).toFixed(0)} MB`;
  return [
    ["resident after the start", mb(started.resident_bytes)],
    [`resident at most, beyond ${mb(in_pages)} of pages`, mb(ended.peak_bytes - in_pages)],
    ["/health, p50 and p99", show(floor)],
    ["search by name, warm, p50 and p99", show(warm)],
    ["search by name, pages not in memory, p50 and p99", show(cold)],
    ["circle of services, warm, p50 and p99", show(circle)],
  ];
}

/** An address or a thing of a town, named as in its copy. */
function searchIn(
  { source, names }: Copy,
  drawn: ReadonlyMap<Source, DrawnObjects>,
  dice: Dice,
): string {
  const { addresses, streets, things } = drawn.get(source)!;
  const named = (text: string): string =>
    names === 0 ? text : renameText(text, source.common, names);
  const roll = dice.next();
  let text: string;
  if (roll < 0.4 && addresses.length > 0) {
    const { tags } = dice.pick(addresses);
    text = `${named(tags.get("addr:street") ?? tags.get("addr:place")!)} ${tags.get("addr:housenumber")}`;
  } else {
    const { tags } = dice.pick(roll < 0.7 ? streets : things);
    text = named(tags.get("name")!);
  }
  return `/v1/place-search?q=${encodeURIComponent(text.slice(0, 180))}`;
}

function circleIn(
  { source, shift }: Copy,
  drawn: ReadonlyMap<Source, DrawnObjects>,
  dice: Dice,
): string {
  const point = dice.pick(drawn.get(source)!.points);
  const [lat, lon] = [point.lat + shift.lat / NANO, point.lon + shift.lon / NANO];
  return `/v1/services/nearby?lat=${lat.toFixed(6)}&lon=${lon.toFixed(6)}&radius=400&types=toilets,drinking_water,parking,charging`;
}

/** Milliseconds of each, one after the other. */
async function time({ ready }: Served, targets: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const target of targets) {
    const begun = performance.now();
    const reply = await fetch(ready.url + target);
    await reply.arrayBuffer();
    times.push(performance.now() - begun);
    if (reply.status >= 500) throw new Error(`${reply.status} ${target}`);
  }
  return times;
}

/** The system forgets what it has read of a file, as if it had not been read for long. */
function forget(file: string): void {
  execFileSync("dd", [`if=${file}`, "iflag=nocache", "count=0"], { stdio: "ignore" });
}

function show(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1);
  return `${at(0.5)} and ${at(0.99)} ms`;
}
