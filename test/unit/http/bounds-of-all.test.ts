/**
 * Bounds of all callers (core/limits/bounds-of-all): each is filled by callers without a key, of many
 * blocks, and one with a key still passes. docs/shared-state.md states the same rows.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";
import type { Caller } from "#app/access/request-caller.ts";
import { StationWatch } from "#app/stations/watch.ts";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { anonymousMost, type BoundOfAll } from "#core/limits/shared-bound.ts";
import { Connections } from "#http/connections.ts";
import { Turns } from "#http/pages/page-turns.ts";
import { Shedder } from "#http/shedding.ts";
import { KeptAnswers } from "#mcp/kept-answers.ts";
import { Bulkhead } from "#upstream/lookup/lookup-limits.ts";
import { detach } from "#kit/guard.ts";
import { noFault } from "../../support/faults.ts";
import { createHub, SmallWorld } from "../../support/live-hub.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { MCP_CALLER } from "../../support/mcp-server.ts";
import { FREE, NOW_MS } from "../../support/server.ts";

/** `fill`: how many callers without a key hold in the end, each of a block of its own; `keyed`: whether one with a key passes then. */
type Filled = { stored: number; keyed: boolean };

const fail = (error: unknown): void => noFault("a bound", error);

const FILLS: {
  [Name in keyof typeof BOUNDS_OF_ALL]: (bound: BoundOfAll) => Filled | Promise<Filled>;
} = {
  streams() {
    const look = () => ({ says: "1", isCurrent: () => true, place: null });
    const watch = new StationWatch({ clock: createManualClock(NOW_MS), look, onFault: fail });
    for (let i = 0; i < 600; i++) watch.open(["a"], { own: `ip ${i}`, block: `block ${i}` });
    const stored = watch.count.streams;
    const opened = watch.open(["a"], { own: "acc", block: null });
    return { stored, keyed: typeof opened !== "string" && opened !== null };
  },
  answers() {
    let drawn = 0;
    const answers = new KeptAnswers((size) => Buffer.from(`${++drawn}`.padStart(size, "0")));
    const keep = (caller: Caller): boolean =>
      answers.keep(caller, NOW_MS, (resource) => ({
        answer: { resource } as NonNullable<ReturnType<KeptAnswers["keep"]>>,
        claims: [],
      })) !== null;
    for (let i = 0; i < 2_500; i++) {
      const address = { narrow: `ip ${i}`, wide: `block ${i}` };
      keep({ kind: "anonymous", plan: FREE, address });
    }
    const stored = answers.count;
    return { stored, keyed: keep(MCP_CALLER) };
  },
  live_streams() {
    const { open, hub } = createHub(new SmallWorld());
    for (let i = 0; i < 6_500; i++) open({ own: `ip ${i}`, block: `block ${i}` });
    const stored = hub.count.subscribers;
    return { stored, keyed: typeof open({ own: "acc", block: null }).opened !== "string" };
  },
  connections({ most: max_connections }) {
    const connections = new Connections({
      max_connections,
      max_connections_per_address: 256,
      write_timeout_ms: 15_000,
      trusted_proxies: [],
    });
    const comes = (number: number): boolean => connections.admit(toSocket(number));
    for (let i = 0; i < max_connections + 100; i++) comes(i);
    const stored = connections.count;
    const socket = toSocket(99_999);
    const isIn = connections.admit(socket);
    connections.identify(socket);
    for (let i = 20_000; i < 60_000; i++) comes(i);
    return { stored, keyed: isIn && !socket.destroyed };
  },
  requests({ most }) {
    const inflight = { count: 0 };
    const shedder = new Shedder({
      inflight,
      now: () => 0,
      openProbe: () => ({ send() {}, close() {} }),
    });
    while (inflight.count < 2 * most && shedder.admits("anonymous")) inflight.count++;
    // The one that is asked for counts already.
    return { stored: inflight.count - 1, keyed: shedder.admits("keyed") };
  },
  async tiles(bound) {
    const { most } = bound;
    const turns = new Turns(
      bound,
      () => undefined,
      () => new Promise(() => undefined),
    );
    const fates = Array.from({ length: most + 50 }, (_, i) =>
      turns.take(() => 1, `block ${i % 40}`),
    );
    let refused = 0;
    for (const fate of fates)
      detach(
        fate.then((each) => (refused += each === "full" ? 1 : 0)),
        fail,
      );
    await setImmediate();
    const stored = fates.length - 1 - refused;
    const late = turns.take(() => 1, "another block");
    await setImmediate();
    // Pages read no key: what is kept is a place for a block that has none.
    const fate = await Promise.race([late, setImmediate("waits")]);
    return { stored, keyed: fate === "waits" };
  },
  live_tiles: fillTurns,
  gbfs: fillTurns,
  async calls({ most: queue }) {
    const clock = createManualClock(NOW_MS);
    const bulkhead = new Bulkhead(clock, { places: 1, queue });
    const { signal } = new AbortController();
    const place = (await bulkhead.enter({ wait_ms: 1_000, signal }))!;
    let refused = 0;
    const count = 2 * queue;
    for (let i = 0; i < count; i++)
      detach(
        bulkhead.enter({ wait_ms: 1_000, signal }).then((way) => (refused += way ? 0 : 1)),
        fail,
      );
    const keyed = bulkhead.enter({ wait_ms: 1_000, signal, keyed: true });
    await setImmediate();
    const stored = count - refused;
    place[Symbol.dispose]();
    return { stored, keyed: (await keyed) !== null };
  },
};

async function fillTurns(bound: BoundOfAll): Promise<Filled> {
  const turns = new Turns(bound, fail, () => new Promise(() => undefined));
  const fates = Array.from({ length: bound.most + 50 }, (_, i) =>
    turns.take(() => 1, `block ${i % 40}`),
  );
  let refused = 0;
  for (const fate of fates)
    detach(
      fate.then((each) => (refused += each === "full" ? 1 : 0)),
      fail,
    );
  await setImmediate();
  const stored = fates.length - 1 - refused;
  const keyed = turns.take(() => 1, null);
  await setImmediate();
  return { stored, keyed: (await Promise.race([keyed, setImmediate("waits")])) === "waits" };
}

for (const [name, bound] of Object.entries(BOUNDS_OF_ALL) as [keyof typeof FILLS, BoundOfAll][])
  test(`${name}: callers without a key hold ${anonymousMost(bound)} at most, and a key gets in`, async () => {
    const { stored, keyed } = await FILLS[name](bound);
    assert.equal(stored, anonymousMost(bound));
    assert.equal(keyed, true);
  });

test("docs/shared-state.md lists every bound of all callers, with its share", () => {
  const page = readFileSync(new URL("../../../docs/shared-state.md", import.meta.url), "utf8");
  const section = page.split("\n## ").find((each) => each.startsWith("Bounds of all callers"))!;
  const rows = section.matchAll(/^\| `(\w+)` \|[^|]*\| (\d[\d,]*\d)[^|]*\| (\d+) %/gm);
  const stated = [...rows].map(([, name, most, share]) => [
    name,
    Number(most!.replace(",", "")),
    Number(share),
  ]);
  const expected = Object.entries(BOUNDS_OF_ALL).map(([name, { most, keyed_share }]) => [
    name,
    most,
    keyed_share * 100,
  ]);
  assert.deepEqual(stated, expected);
});

/** A client in the /24 of its number. */
function toSocket(number: number): Socket {
  const remoteAddress = `${10 + ((number >> 16) & 127)}.${(number >> 8) & 255}.${number & 255}.1`;
  const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false });
  const resetAndDestroy = (): void => {
    socket.destroyed = true;
    socket.emit("close");
  };
  return Object.assign(socket, { resetAndDestroy }) as unknown as Socket;
}
