/** The live half of a register over real sockets: unchanged, too large, shared, and closed in between. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { SpacesState } from "#core/places/live-state.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import { openNetwork } from "#upstream/network.ts";
import { ReadingTurns } from "#upstream/registers/reading-turns.ts";
import { LiveRegister } from "#upstream/registers/live-register.ts";
import type { RegistryEvent } from "#upstream/registries.ts";
import { HERE } from "../../../support/domain.ts";
import { noFault } from "../../../support/faults.ts";
import { createWatchedClock, PROVIDER } from "../../../support/lookup.ts";
import { aPlace } from "../../../support/places.ts";
import { listenHttp } from "../local-server.ts";

const CIRCLE = { ...HERE, radius_m: 500 };
const REFRESH_MS = 60_000;
const MAX_BYTES = 4_096;
const GARAGE = aPlace("1", { kind: "parking", live: { kind: "spaces", id: "P1" } });

const REGISTRY: Registry<LookupSettings, SpacesState> = {
  id: "garages",
  provider: PROVIDER,
  kind: "parking",
  requests: ({ url, timeout_ms }) => [{ url, timeout_ms, max_bytes: MAX_BYTES }],
  open: (body) => JSON.parse(new TextDecoder().decode(body)) as SpacesState[],
};

const BODY = JSON.stringify([
  { kind: "spaces", id: "P1", observed_s: null, free: 7, capacity: null, by_group: {} },
]);

test("a register's live half over real sockets", async () => {
  let seen: (string | undefined)[] = [];
  let body = BODY;
  let hangs = false;
  await using server = await listenHttp((request, response) => {
    seen.push(request.headers["if-none-match"]);
    if (hangs) return;
    const isSame = request.headers["if-none-match"] === '"1"' && body === BODY;
    response.writeHead(isSame ? 304 : 200, { etag: '"1"' }).end(isSame ? undefined : body);
  });
  const clock = createWatchedClock();
  const config = { contact: null, egress: { allow_private: true, allow_hosts: [] } };
  const network = openNetwork({ config, version: "0", clock, onFault: noFault });
  network.allow([{ url: server.origin }], { own: true });
  const events: RegistryEvent[] = [];
  const live = new LiveRegister(
    REGISTRY,
    { url: server.origin, timeout_ms: 30_000 },
    { refresh_ms: REFRESH_MS, max_age_ms: 900_000 },
    {
      ...{ run: network.runLookups, clock, random: () => 0.5, onFault: noFault },
      pause: () => turn(),
      turns: new ReadingTurns(clock),
      onEvent: (event) => events.push(event),
      box: () => ({ south: HERE.lat, north: HERE.lat, west: HERE.lon, east: HERE.lon }),
      isSite: () => true,
    },
  );
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await turn();
    await turn();
  };
  const free = () => (live.apply(GARAGE).attributes["availability"] as { free: number }).free;

  for (let caller = 0; caller < 20; caller++) live.touch(CIRCLE);
  await until(() => events.length === 1);
  assert.deepEqual([seen, free()], [[undefined], 7]);

  await clock.advance(REFRESH_MS);
  await until(() => events.length === 2);
  assert.deepEqual([seen.at(-1), events[1]!.reason, free()], ['"1"', "not_modified", 7]);

  body = JSON.stringify([" ".repeat(MAX_BYTES)]);
  await clock.advance(REFRESH_MS);
  await until(() => events.length === 3);
  assert.deepEqual([events[2]!.outcome, events[2]!.reason, free()], ["error", "body_too_large", 7]);

  hangs = true;
  seen = [];
  live.touch(CIRCLE);
  await clock.advance(REFRESH_MS * 2);
  await until(() => seen.length === 1);
  live.close();
  await network.close();
  assert.equal(await server.isDrained(), true);
  assert.equal(events.length, 3);
});
