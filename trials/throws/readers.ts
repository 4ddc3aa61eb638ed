/** A throw in each reader of the registry, as its source is called: over an answer, and in its request. */
import type { LookupSettings } from "#providers/lookup.ts";
import { listSources } from "#providers/registry.ts";
import {
  type Reader,
  type RegisterReader,
  type Source,
  toLookup,
  toRegistry,
} from "#providers/source.ts";
import type { Outcome } from "#kit/outcome.ts";
import { createCaller, type LookupCaller } from "#upstream/lookup/lookup-caller.ts";
import type { LookupPolicy } from "#upstream/lookup/lookup-policy.ts";
import { ReadingTurns } from "#upstream/registers/reading-turns.ts";
import { WatchedRegistry } from "#upstream/registries.ts";
import { createClock } from "#process/clock.ts";
import { policyFor } from "#upstream/lookup/opened-source.ts";
import { collectFaults } from "../../test/support/faults.ts";
import { toBody } from "../../test/support/lookup.ts";
import { type Findings, noFindings } from "./findings.ts";

type AnyReader = Reader<unknown, LookupSettings, unknown>;
type NamedReader = { name: string; source: Source; reader: AnyReader };

const SETTINGS: LookupSettings & { store: null } = {
  url: "https://source.example",
  timeout_ms: 60_000,
  store: null,
};
const STAYS = new AbortController().signal;

/** Every reader that is asked per question, under the name of its breaker. */
export function listReaders(): NamedReader[] {
  return listSources().flatMap(([id, source]) =>
    readersOf(source).map((reader) => ({ name: `${id}.${reader.operation}`, source, reader })),
  );
}

function readersOf(source: Source): AnyReader[] {
  const { geocoder, around = [], tiles, stations, departures, weather, lifts } = source;
  const refined = [stations, departures].flatMap((each) =>
    each ? [each, ...(each.also ?? [])] : [],
  );
  const all: unknown[] = [
    ...(geocoder ? Object.values(geocoder) : []),
    ...around.map(({ reader }) => reader),
    ...(tiles ? [tiles.reader] : []),
    ...refined.map(({ reader }) => reader),
    ...(weather ? Object.values(weather) : []),
    ...(lifts ? [lifts.reader] : []),
  ];
  return [...new Set(all as AnyReader[])];
}

/** Plants `times` throws in each reader, and then asks `further` questions of it. */
export async function plantInReaders(times: number, further: number): Promise<Findings> {
  const findings = noFindings();
  for (const match of listReaders()) await plantInReader(match, { times, further, findings });
  for (const [, source] of listSources())
    for (const reader of source.registers?.readers ?? [])
      await plantInRegister({ source, reader }, findings);
  return findings;
}

type Plan = { times: number; further: number; findings: Findings };

async function plantInReader(
  { name, source, reader }: NamedReader,
  { times, further, findings }: Plan,
): Promise<void> {
  const clock = createClock();
  const { faults, onFault } = collectFaults();
  let planted: "request" | "read" | null = null;
  let flying = 0;
  let peak = 0;
  const fail = (where: string): void => {
    if (planted === where) throw new TypeError(`planted in ${name}`);
  };
  const lookup = toLookup(source, {
    ...reader,
    request() {
      fail("request");
      return { url: SETTINGS.url };
    },
    read() {
      fail("read");
      return { ok: true as const, value: [], raw: 0 };
    },
  });
  const run = async (): ReturnType<typeof answer> => {
    peak = Math.max(peak, ++flying);
    await new Promise((resolve) => setImmediate(resolve));
    flying--;
    return answer();
  };
  const answer = () => Promise.resolve(toBody({}, clock.now()));
  const open: LookupPolicy = {
    ...policyFor({ source, settings: SETTINGS as never }, reader),
    per_second: null,
  };
  const deps = { run, clock, random: Math.random, onAttempt: () => undefined, onFault };
  const call: LookupCaller<unknown, unknown> = createCaller<unknown, LookupSettings, unknown>(
    lookup,
    { settings: SETTINGS, policy: open },
    deps,
  );
  const say = (line: string): void => void findings.wrong.push(`${name}: ${line}`);
  for (let i = 0; i < times; i++) {
    planted = i % 2 === 0 ? "read" : "request";
    const outcome: Outcome<unknown> = await call({}, STAYS);
    findings.planted++;
    if (outcome.status !== "error" || outcome.reason !== "defect")
      say(`a throw in ${planted} was ${JSON.stringify(outcome)}`);
  }
  if (faults.length !== times) say(`${faults.length} faults of ${times} were reported`);
  planted = null;
  // As many at once as there are places: one that is lost would show as a smaller peak.
  for (let left = further; left > 0; left -= open.places) {
    const at_once = Math.min(left, open.places);
    peak = 0;
    const ends = await Promise.all(Array.from({ length: at_once }, () => call({}, STAYS)));
    findings.further += at_once;
    const failed = ends.find((each) => each.status !== "ok");
    if (failed) say(`a further question was ${JSON.stringify(failed)}`);
    if (peak !== at_once) say(`${at_once - peak} of ${open.places} places are lost`);
  }
}

async function plantInRegister(
  { source, reader }: { source: Source; reader: RegisterReader<LookupSettings> },
  findings: Findings,
): Promise<void> {
  const clock = createClock();
  const { faults, onFault } = collectFaults();
  let isPlanted = true;
  const registry = toRegistry(source, {
    ...reader,
    requests: () => [{ url: SETTINGS.url }],
    *open() {
      yield null;
      if (isPlanted) throw new TypeError(`planted in ${source.id}`);
    },
  });
  const runtime = new WatchedRegistry(registry, SETTINGS, {
    run: () => Promise.resolve(toBody([], clock.now())),
    clock,
    random: () => 0,
    build: () => ({ add: () => true, finish: () => undefined }),
    renew: () => undefined,
    renew_ms: 60_000,
    documents: null,
    turns: new ReadingTurns(clock),
    pause: () => Promise.resolve(),
    onEvent: () => undefined,
    onFault,
  });
  await runtime.start();
  findings.planted++;
  const { status, reason } = runtime.health();
  if (status !== "error" || reason !== "defect" || faults.length !== 1)
    findings.wrong.push(`register ${registry.id}: ${status} ${reason}, ${faults.length} faults`);
  isPlanted = false;
  // It is read again at its next turn.
  await clock.advance(120_000);
  findings.further++;
  if (runtime.health().status !== "ok")
    findings.wrong.push(`register ${registry.id}: not read again`);
  runtime.close();
}
