/**
 * npm run bench -- merged: what an answer of merged stations costs against one of plain stations. Two
 * measured processes serve the same generated world, in one of which every station has a second source;
 * they are asked in alternating rounds of one run, and what is compared is the processor time of the
 * serving thread a request.
 */
import { readArguments } from "../trials/arguments.ts";
import { ask, median, print, quantile, type Reading, receive, spread, start } from "./children.ts";
import type { Band } from "./server.ts";
import { alternate, measureCost, openSide, type Side } from "./sides.ts";

const options = readArguments(process.argv.slice(2), {
  entities: "600000",
  seconds: 1.5,
  rounds: 9,
  feeds: 25,
  bands: "none,about_20,about_100,20_of_many",
});

const POINTS = 20_000;
const MB = 1024 * 1024;
const { seconds, rounds, feeds } = options;

const host = start("host.ts");
const hostPort = String(await receive<number>(host));
const client = start("client.ts");
const plain = await open("plain", []);
const merged = await open("merged", ["doubled"]);
for (const side of [plain, merged]) await ask(side.server, { kind: "refresh", per_second: feeds });
for (const band of options.bands.split(",") as Band[]) await measureBand(band);
for (const { name, server } of [plain, merged]) {
  const { rss, entities } = await ask<Reading>(server, { kind: "read" });
  print(
    `${name}: ${(rss / MB).toFixed(0)} MB resident, ${(rss / entities).toFixed(0)} bytes an observation`,
  );
}
for (const child of [plain.server, merged.server, client, host]) child.kill();

async function open(name: string, args: string[]): Promise<Side> {
  const side = await openSide(name, [options.entities, hostPort, ...args]);
  const { rss, entities, systems } = await ask<Reading>(side.server, { kind: "read" });
  print(`${name}: ${entities} observations in ${systems} systems, ${(rss / MB).toFixed(0)} MB`);
  return side;
}

/** Warms both sides with the first points, then measures each in turn. */
async function measureBand(band: Band): Promise<void> {
  const sides = [plain, merged] as const;
  const paths = new Map<Side, string[]>();
  const measure = ({ server, ports }: Side, of: readonly string[], for_s: number) =>
    measureCost(client, server, { port: ports.port, paths: [...of], seconds: for_s });
  for (const side of sides) {
    paths.set(side, await ask<string[]>(side.server, { kind: "points", band, count: POINTS }));
    const first = await measure(side, paths.get(side)!, 2);
    print(
      `  ${band}, ${side.name}: the first 2 s ${first.cpu_us.toFixed(1)} µs, ${first.bytes.toFixed(0)} B`,
    );
  }
  const costs = await alternate(sides, rounds, (side) => measure(side, paths.get(side)!, seconds));
  const [of_plain, of_merged] = [0, 1].map((i) => costs.map((round) => round[i]!.cpu_us));
  const [mid_plain, mid_merged] = [median(of_plain!), median(of_merged!)];
  const [low_plain, low_merged] = [quantile(of_plain!, 0), quantile(of_merged!, 0)];
  const ratios = of_merged!.map((us, i) => us / of_plain![i]!);
  print(
    `  ${band.padEnd(10)} CPU a request ${mid_plain.toFixed(1)} and ${mid_merged.toFixed(1)} µs, ratio ${spread(ratios)}; ` +
      `least ${low_plain.toFixed(1)} and ${low_merged.toFixed(1)} µs, ratio ${(low_merged / low_plain).toFixed(2)}`,
  );
}
