/**
 * `npm run trials -- gate --before DIR`: requests a second and processor time a request of another
 * checkout (that of the last release, with its own dependencies) and of this one, as shares of what a
 * bare server does with the same bytes in the same process. All four take turns in one run, since
 * ratios of one day are not those of another, and they are started several times, since those of one
 * process are not those of the next. A finding is a share that fell by more than `--most` percent in
 * the median round, and a request of now that takes a larger multiple of the bare server's processor
 * time than its bar (gate/multiples.ts). Many short rounds: what disturbs lasts longer than one.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readArguments } from "./arguments.ts";
import { ask, median, print, receive, spread, start } from "../bench/children.ts";
import type { Band } from "../bench/server.ts";
import { alternate, measureCost, openSide, type Side } from "../bench/sides.ts";
import { barOf, isDearer, multipleOf, type Pair } from "./gate/multiples.ts";

const POINTS = 20_000;
const KEYS = 32;
const CALLERS = ["anonymous", "keyed"] as const;
type Caller = (typeof CALLERS)[number];

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, {
    before: null,
    entities: "100000",
    starts: 5,
    rounds: 31,
    seconds: 0.1,
    most: 5,
    feeds: 0,
    bands: "none,about_20,about_100,20_of_many",
  });
  const { entities, feeds, starts, rounds, seconds } = values;
  const least = 1 - values.most / 100;
  const bands = values.bands.split(",") as Band[];
  const before = values.before ? pathToFileURL(`${resolve(values.before)}/bench/`) : undefined;
  const rows = bands.flatMap((band) => CALLERS.map((caller) => ({ band, caller, starts: [] })));
  const wish = { rows, before, entities, feeds, rounds, seconds };
  for (let at = 0; at < starts; at++) {
    print(`start ${at + 1} of ${starts}`);
    await measureOnce(wish);
  }
  print(
    `${starts} starts, ${rounds} rounds of ${seconds} s each; as shares of a bare server's: median (quartiles)\n`,
  );
  const titles = ["bytes, before → now", "µs, before → now", "share, before → now", "now ÷ before"];
  print(`${"".padEnd(22)}${titles.map((text) => text.padEnd(22)).join("")}by start`);
  const fell = rows.filter((row) => report(row) < least);
  for (const { band, caller } of fell)
    print(`✖ ${band} ${caller}: the share fell by more than ${values.most} %`);
  print(
    "\nprocessor time of a request now, µs of the bare server and of the service, and multiple",
  );
  return fell.length + rows.filter(reportMultiple).length;
}

/** Before and now. */
type Turn = readonly [Pair, Pair];
/** `starts`: the rounds of each. */
type Row = { band: Band; caller: Caller; starts: Turn[][] };
type Wish = {
  rows: readonly Row[];
  /** `bench` of the checkout; absent: this one's. */
  before: URL | undefined;
  entities: string;
  feeds: number;
  rounds: number;
  seconds: number;
};

/** Starts both sides, and measures every row in turns. */
async function measureOnce({
  rows,
  before,
  entities,
  feeds,
  rounds,
  seconds,
}: Wish): Promise<void> {
  const host = start("host.ts");
  const options = [entities, String(await receive<number>(host)), "enforced"];
  const client = start("client.ts");
  const sides = [await openSide("before", options, before), await openSide("now", options)];
  const keys = new Map<Side, string[]>();
  for (const side of sides) {
    await ask(side.server, { kind: "refresh", per_second: feeds });
    keys.set(side, await ask<string[]>(side.server, { kind: "keys", count: KEYS }));
  }
  const paths = new Map<Side, string[]>();
  let last: Band | null = null;
  for (const { band, caller, starts } of rows) {
    if (band !== last)
      for (const side of sides) {
        const list = await ask<string[]>(side.server, { kind: "points", band, count: POINTS });
        await ask(side.server, { kind: "floor", paths: list.slice(0, 101) });
        paths.set(side, list);
      }
    last = band;
    const pair = async (side: Side, for_s: number): Promise<Pair> => {
      const load = { paths: paths.get(side)!, seconds: for_s };
      const { port, floor_port } = side.ports;
      const floor = await measureCost(client, side.server, { ...load, port: floor_port });
      const own = caller === "keyed" ? { keys: keys.get(side)! } : {};
      return { floor, service: await measureCost(client, side.server, { ...load, ...own, port }) };
    };
    for (const side of sides) await pair(side, 2);
    const measured = await alternate(sides, rounds, (side) => pair(side, seconds));
    const turns = measured.map(([old, now]): Turn => [old!, now!]);
    starts.push(turns);
    // Said at once: a later row may fail, where the machine stalls and a service sheds load.
    print(`  ${band} ${caller} ${median(turns.map(ratio)).toFixed(2)}`);
  }
  for (const child of [...sides.map(({ server }) => server), client, host]) child.kill();
}

const share = ({ floor, service }: Pair): number => service.rps / floor.rps;
const ratio = ([before, now]: Turn): number => share(now) / share(before);

/** Prints a row; returns the share of now in that of before, of the median round. */
function report({ band, caller, starts }: Row): number {
  const turns = starts.flat();
  const both = (figure: (pair: Pair) => number, digits: number): string =>
    [0, 1]
      .map((side) => median(turns.map((turn) => figure(turn[side]!))).toFixed(digits))
      .join(" → ");
  const ratios = turns.map(ratio);
  print(
    `${band.padEnd(11)} ${caller.padEnd(10)}` +
      both(({ service }) => service.bytes, 0).padEnd(22) +
      both(({ service }) => service.cpu_us, 1).padEnd(22) +
      both(share, 2).padEnd(22) +
      spread(ratios).padEnd(22) +
      starts.map((own) => median(own.map(ratio)).toFixed(2)).join(" "),
  );
  return median(ratios);
}

/** Prints what a request of a row costs; returns whether it is more than its bar. */
function reportMultiple({ band, caller, starts }: Row): boolean {
  const pairs = starts.flat().map(([, now]) => now);
  const us = (side: keyof Pair): string =>
    median(pairs.map((pair) => pair[side].cpu_us)).toFixed(1);
  const bar = barOf(band, caller);
  const wanted = bar === null ? "" : `at most ${bar.toFixed(1)}`;
  print(
    `${band.padEnd(11)} ${caller.padEnd(10)}${`${us("floor")}, ${us("service")}`.padEnd(22)}` +
      spread(pairs.map(multipleOf)).padEnd(22) +
      wanted,
  );
  if (!isDearer(pairs, bar)) return false;
  print(`✖ ${band} ${caller}: a request takes more than ${bar} times the bare server's`);
  return true;
}
