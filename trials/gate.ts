/**
 * `npm run bench:gate -- --before DIR`: requests a second and processor time a request of another
 * checkout (that of the last release, with its own dependencies) and of this one, as shares of what a
 * bare server does with the same bytes in the same process. All four take turns in one run, since
 * ratios of one day are not those of another. A finding is a share that fell by more than
 * `--most` percent in the median round. Many short rounds: what disturbs lasts longer than one.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ask, median, print, receive, spread, start } from "../bench/children.ts";
import type { Band } from "../bench/server.ts";
import { alternate, type Cost, measureCost, openSide, type Side } from "../bench/sides.ts";

const POINTS = 20_000;
const KEYS = 32;
const CALLERS = ["anonymous", "keyed"] as const;
type Caller = (typeof CALLERS)[number];

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      before: { type: "string" },
      entities: { type: "string", default: "100000" },
      rounds: { type: "string", default: "151" },
      seconds: { type: "string", default: "0.1" },
      most: { type: "string", default: "5" },
      feeds: { type: "string", default: "0" },
      bands: { type: "string", default: "none,about_20,about_100,20_of_many" },
    },
  });
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  const least = 1 - Number(values.most) / 100;
  const host = start("host.ts");
  const hostPort = String(await receive<number>(host));
  const client = start("client.ts");
  const bench = values.before ? pathToFileURL(`${resolve(values.before)}/bench/`) : undefined;
  const options = [values.entities, hostPort, "enforced"];
  const sides = [await openSide("before", options, bench), await openSide("now", options)];
  const keys = new Map<Side, string[]>();
  for (const side of sides) {
    await ask(side.server, { kind: "refresh", per_second: Number(values.feeds) });
    keys.set(side, await ask<string[]>(side.server, { kind: "keys", count: KEYS }));
  }
  print(`${rounds} rounds of ${seconds} s; as shares of a bare server's: median (quartiles)\n`);
  print(
    `${"".padEnd(22)}${["bytes, before → now", "µs, before → now", "share, before → now", "now ÷ before"].map((text) => text.padEnd(22)).join("")}`,
  );
  let findings = 0;
  for (const band of values.bands.split(",") as Band[]) {
    const paths = new Map<Side, string[]>();
    for (const side of sides) {
      const list = await ask<string[]>(side.server, { kind: "points", band, count: POINTS });
      await ask(side.server, { kind: "floor", paths: list.slice(0, 101) });
      paths.set(side, list);
    }
    for (const caller of CALLERS) {
      const pair = async (side: Side, for_s: number): Promise<Pair> => {
        const load = { paths: paths.get(side)!, seconds: for_s };
        const { port, floor_port } = side.ports;
        const floor = await measureCost(client, side.server, { ...load, port: floor_port });
        const own = caller === "keyed" ? { keys: keys.get(side)! } : {};
        return {
          floor,
          service: await measureCost(client, side.server, { ...load, ...own, port }),
        };
      };
      for (const side of sides) await pair(side, 2);
      const turns = await alternate(sides, rounds, (side) => pair(side, seconds));
      if (report(band, caller, turns as [Pair, Pair][]) < least) {
        findings++;
        print(`✖ ${band} ${caller}: the share fell by more than ${values.most} %`);
      }
    }
  }
  for (const child of [...sides.map(({ server }) => server), client, host]) child.kill();
  return findings;
}

type Pair = { floor: Cost; service: Cost };

/** Prints a row; returns the share of now in that of before, of the median round. */
function report(band: Band, caller: Caller, turns: readonly (readonly [Pair, Pair])[]): number {
  const share = ({ floor, service }: Pair): number => service.rps / floor.rps;
  const both = (figure: (pair: Pair) => number, digits: number): string =>
    [0, 1]
      .map((side) => median(turns.map((turn) => figure(turn[side]!))).toFixed(digits))
      .join(" → ");
  const ratios = turns.map(([before, now]) => share(now) / share(before));
  print(
    `${band.padEnd(11)} ${caller.padEnd(10)}` +
      both(({ service }) => service.bytes, 0).padEnd(22) +
      both(({ service }) => service.cpu_us, 1).padEnd(22) +
      both(share, 2).padEnd(22) +
      spread(ratios),
  );
  return median(ratios);
}
