/**
 * What answers about places say in every simulated city, compared with the truth: names that mislead,
 * attributes that contradict each other, water that is not for drinking, things that some source
 * knows and the answer lacks (docs/lab/answers.md). `[--radius 1500]`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "./arguments.ts";
import { wrapLon } from "#kit/geo.ts";
import { start } from "../test/integration/service/support.ts";
import { CHECKS, type City, type Matches } from "./answers/checks.ts";

/** Steps around the centre of a city, degrees. */
const STEPS = [0, -0.01, 0.01] as const;

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, { radius: 1500 });
  const data_dir = await mkdtemp(join(tmpdir(), "vicinity-answers-"));
  const { service } = await start({ cities: "all", data_dir });
  const match: Matches = { places: 0, findings: new Map(CHECKS.map(({ title }) => [title, []])) };
  try {
    const urls = { service: service.url, sandbox: service.sandbox!.url };
    for (const city of service.sandbox!.cities())
      for (const [north, east] of STEPS.flatMap((a) => STEPS.map((b) => [a, b] as const)))
        await checkPoint(
          {
            ...city,
            lat: city.lat + north,
            lon: wrapLon(city.lon + east),
            radius: values.radius,
          },
          urls,
          match,
        );
  } finally {
    await service.close({ delay_ms: 0 });
    await rm(data_dir, { recursive: true, force: true });
  }
  const rows = [...match.findings].map(([title, list]) => `| ${title} | ${list.length} |\n`);
  process.stdout.write(`| of ${match.places} results | |\n|---|---|\n${rows.join("")}`);
  for (const [title, list] of match.findings)
    for (const each of list.slice(0, 3)) process.stderr.write(`${title}: ${each}\n`);
  return [...match.findings.values()].reduce((sum, list) => sum + list.length, 0);
}

async function checkPoint(
  city: City,
  urls: { service: string; sandbox: string },
  match: Matches,
): Promise<void> {
  const { lat, lon, radius } = city;
  const ask = async (url: string): Promise<unknown> => {
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
    return await reply.json();
  };
  const circle = `lat=${lat}&lon=${lon}&radius=${radius}`;
  const services = (types: string) =>
    ask(`${urls.service}/v1/services/nearby?${circle}&limit=200&types=${types}`);
  const answers = {
    all: await services("aed,toilets,fountain,drinking_water,wifi,parking,charging,locker"),
    water: await services("drinking_water"),
    aed: await services("aed"),
    locker: await services("locker"),
    reverse: await ask(`${urls.service}/v1/reverse-geocode?lat=${lat}&lon=${lon}`),
    local: await ask(`${urls.service}/v1/reverse-geocode?lat=${lat}&lon=${lon}&language=ja`),
    truth: await ask(`${urls.sandbox}/__sandbox/truth?${circle}`),
  } as Parameters<(typeof CHECKS)[number]["list"]>[0];
  match.places += answers.all.results.length;
  for (const { title, list } of CHECKS)
    match.findings.get(title)!.push(...list(answers, city).map((each) => `${city.name}: ${each}`));
}
