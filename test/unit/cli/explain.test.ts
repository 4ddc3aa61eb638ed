/** `vicinity explain`: what a person reads about a merge, a near miss and a conflict. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { createPaint } from "#cli/print/paint.ts";
import { formatExplained } from "#cli/print/explain.ts";
import { ask, deploy } from "../../support/answers.ts";
import { aShard, aStation, aStatus, HERE, moved } from "../../support/domain.ts";
import { createMemoryBridges } from "../../support/memory.ts";

const NAME = "Vélocité Testville";
const plain = createPaint(new PassThrough(), { no_color: true });

async function explained(): Promise<string> {
  const gare = aStation("1", { name: "Gare centrale", capacity: 20 });
  const port = aStation("2", { name: "Vieux port", ...moved(HERE, 100) });
  const copy = aStation("x1", { name: "GARE CENTRALE", capacity: 21, ...moved(HERE, 6) });
  const away = aStation("2", { name: "Vieux port", ...moved(HERE, 350) });
  // Without a dock that both know, equal names would not make them one network.
  const shared = aStation("9", { name: "Gare centrale", capacity: 20, ...moved(HERE, 3) });
  const shards = [
    aShard({ id: "velocite", name: NAME, stations: [gare, port] }),
    aShard({
      id: "cb",
      source: "citybikes",
      name: NAME,
      stations: [copy],
      statuses: [aStatus("x1", { vehicles: 9 })],
    }),
    aShard({ id: "copy", source: "gbfs_aggregator", name: NAME, stations: [away, shared] }),
  ];
  const identity = { bridges: createMemoryBridges(), overrides: { always: [], never: [] } };
  const body = await ask(deploy({ shards, identity }), { include: ["stations"], debug: true });
  return formatExplained(body, plain);
}

test("stations, the sources that observe them, why, and those that differ", async () => {
  const text = await explained();
  assert.match(text, /^3 stations within 400 m of 48\.85, 2\.35\n/);
  assert.match(text, /\nGare centrale  0 m  merged (1|0\.\d+)\n  svc_station_[a-z2-7]{20}\n/);
  assert.match(
    text,
    /\n  = velocite:1  0 m off  5 s\n  = copy:9 .*\n.*\n  = cb:x1  6 m off  5 s\n      (1|0\.\d+): distance \+/,
  );
  assert.match(text, /same name \+6/);
  assert.match(text, /\n  ! capacity: 20, but 21 at cb:x1\n/);
  assert.match(text, /\n  ! availability: 5\/7, but 9\/7 at cb:x1\n/);
  assert.match(text, /\n  ≠ copy:2  250 m off  5 s\n      0\.\d+: .*too far apart/);
  assert.match(text, /\n0 unresolved · 1 merged · 2 possible_match\n$/);
});

test("no line is wider than a wide terminal, and none shows a code that has no words", async () => {
  for (const line of (await explained()).split("\n")) {
    assert.ok(line.length <= 120, line);
    assert.doesNotMatch(line, /[a-z]+_[a-z]+ [+-]/);
  }
});
