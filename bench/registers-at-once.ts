/**
 * Several registers of a hundred megabytes that a service starts with at once: the most memory that is
 * resident, with their readings in turns and without. Each sample is a process of its own; what is
 * measured begins before a document is requested.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fillDefaults } from "#config/defaults.ts";
import { createClock } from "#process/clock.ts";
import { findShape } from "#providers/register-shapes.ts";
import {
  type RegisterEntry,
  RegisterSchema,
  toRegisterSource,
  toSettings,
} from "#providers/register-source.ts";
import { toRegistry } from "#providers/source.ts";
import { ReadingTurns } from "#upstream/registers/reading-turns.ts";
import { threadReader } from "#upstream/register-thread.ts";
import { WatchedRegistry } from "#upstream/registries.ts";
import { PlaceSetBuilder } from "#world/places/place-set.ts";
import { WORKERS } from "../src/main/workers.ts";
import { DOCUMENTS, makeRows } from "./register-documents.ts";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "112000" },
    registers: { type: "string", default: "3" },
    child: { type: "string" },
    file: { type: "string" },
  },
});

const MB = 1e6;
const MIB = 1024 ** 2;
const DOCUMENT = DOCUMENTS["IRVE, JSON"]!;

type Sample = { peak_mb: number; places: number; ms: number };

async function runChild(): Promise<void> {
  const begin_mb = resident_mb("VmRSS");
  const begun = performance.now();
  const clock = createClock();
  const turns = new ReadingTurns(clock, options.child === "turns" ? undefined : Infinity);
  const shape = findShape(DOCUMENT.shape)!;
  const readInThread = threadReader({ worker_url: WORKERS.register, onFault: console.error });
  const registers = Array.from({ length: Number(options.registers) }, (_, n) => {
    const entry = fillDefaults(RegisterSchema, {
      ...{ id: `register_${n}`, shape: shape.id, name: "Register", url: "https://irve.example" },
      max_bytes: 256 * MIB,
    }) as RegisterEntry;
    const source = toRegisterSource(shape, entry);
    const nothing = { etag: null, last_modified: null, max_age_s: null, content_type: null };
    return new WatchedRegistry(
      toRegistry(source, source.registers!.readers[0]!),
      toSettings(entry),
      {
        ...{ clock, random: () => 0, turns, readInThread, documents: null, renew_ms: 86_400_000 },
        build: () => new PlaceSetBuilder(),
        renew: () => undefined,
        pause: () => nextTurn(),
        onEvent: () => undefined,
        onFault: console.error,
        run: async () => ({
          status: "ok",
          value: {
            ...{ kind: "body", url: entry.url, link: null, ...nothing },
            body: new Uint8Array(await readFile(options.file!)),
          },
          ...{ fetched_at_ms: clock.now(), cache: "miss" },
        }),
      },
    );
  });
  await Promise.all(registers.map((each) => each.start()));
  const places = registers.reduce((sum, each) => sum + (each.health().count ?? 0), 0);
  for (const each of registers) each.close();
  const peak_mb = resident_mb("VmHWM") - begin_mb;
  console.log(JSON.stringify({ peak_mb, places, ms: performance.now() - begun } satisfies Sample));
}

function resident_mb(name: string): number {
  const text = readFileSync("/proc/self/status", "utf8");
  return (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)![1]) * 1_024) / MB;
}

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), "registers-"));
  const file = join(folder, "register.json");
  DOCUMENT.write(file, [...makeRows(Number(options.rows), 1)]);
  const size_mb = (statSync(file).size / MB).toFixed(0);
  console.log(`${options.registers} registers of ${size_mb} MB at once`);
  for (const child of ["turns", "no turns"]) {
    const argv = [import.meta.filename, "--child", child, "--file", file];
    const given = ["--registers", options.registers];
    const out = execFileSync(process.execPath, [...argv, ...given], { encoding: "utf8" });
    const { peak_mb, places, ms } = JSON.parse(out) as Sample;
    console.log(`${child}: ${peak_mb.toFixed(0)} MB, ${ms.toFixed(0)} ms, ${places} places`);
  }
  rmSync(folder, { recursive: true });
}

if (options.child === undefined) main();
else await runChild();
