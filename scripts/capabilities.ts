/**
 * `npm run capabilities -- [--bodies 100000] [--seed N]`: generated bodies of POST /v1/capabilities,
 * each valid (decisions, Capabilities) or broken in one known place.
 */
import { parseArgs } from "node:util";
import { startListener } from "./capabilities/listener.ts";
import { runBodies } from "./capabilities/run.ts";

const { values } = parseArgs({
  options: { bodies: { type: "string", default: "100000" }, seed: { type: "string" } },
});
const bodies = Number(values.bodies);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!Number.isSafeInteger(bodies) || bodies < 1 || !Number.isSafeInteger(seed)) {
  console.error("usage: npm run capabilities -- [--bodies N] [--seed N]");
  process.exit(2);
}

const listener = await startListener();
const started = performance.now();
const onProgress = (done: number): void => {
  if (done % 10_000 === 0) console.log(`${done} of ${bodies}`);
};
const tally = await runBodies({ ...listener, seed, bodies, onProgress });
await listener.close();
const seconds = (performance.now() - started) / 1000;
console.log(
  `✔ ${tally.bodies} bodies, seed ${seed}, ${seconds.toFixed(1)} s: ${tally.accepted} accepted, ` +
    `${tally.bodies - tally.accepted} refused, ${tally.labels.size} kinds; the schema was asked of ` +
    `${tally.agreed} and agreed; it cannot say: ${[...tally.unsaid].toSorted().join(", ")}`,
);
for (const code of [...tally.codes.keys()].toSorted())
  console.log(`  ${code}: ${tally.codes.get(code)}`);
