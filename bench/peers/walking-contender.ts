/** Answers ways: `vicinity QUESTIONS EXTRACT` or `routino QUESTIONS FOLDER` (walking.ts). An answer is the metres of one way, or null. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { contend } from "./contender.ts";
import { readJson } from "./files.ts";
import { openWalker, walkAll, type WayQuestion } from "./walking.ts";

/** Without its own preference for some of the ways that are walked. */
const SHORTEST = [
  ...["--transport=foot", "--shortest", "--quiet", "--output-stdout", "--output-text"],
  ...["primary", "secondary", "tertiary", "unclassified", "residential", "service", "track"].map(
    (kind) => `--highway-${kind}=100`,
  ),
  ...["cycleway", "path", "steps"].map((kind) => `--highway-${kind}=100`),
];
const [name, questions_file = "", path = ""] = process.argv.slice(2);
const questions = readJson<WayQuestion[]>(questions_file);

if (name === "routino") await contend(() => Promise.resolve(questions.flatMap(askRoutino)));
else {
  const walker = await openWalker(path);
  await contend(() => Promise.resolve(questions.flatMap((question) => walkAll(walker, question))));
}

type Point = WayQuestion["from"];

function askRoutino({ from, to }: WayQuestion): (number | null)[] {
  return to.map((end) => {
    if (from.lat === end.lat && from.lon === end.lon) return 0;
    const at = ({ lat, lon }: Point, n: number): string[] => [
      `--lon${n}=${lon}`,
      `--lat${n}=${lat}`,
    ];
    const args = [`--dir=${join(path, "routino")}`, "--prefix=peers", ...SHORTEST];
    const { stdout } = spawnSync("routino-router", [...args, ...at(from, 1), ...at(end, 2)], {
      encoding: "utf8",
    });
    // Kilometres of each stretch have three digits, and the sums of them one.
    const stretches = [...stdout.matchAll(/(\d+\.\d{3}) km/g)];
    const km = stretches.reduce((sum, [, each]) => sum + Number(each), 0);
    return stretches.length === 0 ? null : Math.round(km * 1000);
  });
}
