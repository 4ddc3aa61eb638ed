/** Sources that are switched on and lack what they need, or are not asked, say so; open OCPI needs no token. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { ocpiLocations } from "#providers/ocpi/index.ts";
import { createTrail } from "#kit/trail.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import { createLookupHealth } from "#app/source-items.ts";
import { NO_GAZETTEER } from "#upstream/bases/gazetteer.ts";
import { NO_BASES } from "#upstream/bases/shelf.ts";
import { openPlaces } from "#app/places/open-places.ts";
import { createDesk } from "../../support/lookup.ts";

function listed(t: TestContext, sources: object) {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-not-asked-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "vicinity.json");
  writeFileSync(file, JSON.stringify({ sources }));
  const env = readEnv({ VICINITY_CONTACT: "tests@example.org" });
  assert.ok(env.ok);
  const config = loadConfig({ mode: "live", env: env.value, file });
  assert.ok(config.ok, JSON.stringify(config));
  const { deps, clock } = createDesk(() => 0);
  const places = openPlaces(config.value, {
    ...deps,
    tiles: createTiles(),
    bases: NO_BASES,
    gazetteer: NO_GAZETTEER,
    health: createLookupHealth(clock.now),
    pause: () => Promise.resolve(),
    onRegistry: () => undefined,
  });
  return new Map(places.listSources(0).map((item) => [item.id, item]));
}

test("an open OCPI endpoint is asked without a token; one without an address is not configured", (t) => {
  const maps = { adapter: "openstreetmap" };
  const open = listed(t, { maps, ocpi: { url: "https://cpo.example/locations" } });
  assert.equal(open.get("ocpi")!.problem?.reason, "not_loaded");
  const bare = listed(t, { maps, ocpi: {} });
  assert.deepEqual(
    [bare.get("ocpi")!.state, bare.get("ocpi")!.problem?.word],
    ["unavailable", "not configured"],
  );
});

test("a supplement that the chosen adapter does not use is listed as not asked, with the reason", (t) => {
  const google_maps = { api_key: "k" };
  const items = listed(t, { google_maps, ocpi: { url: "https://cpo.example/locations" } });
  const { state, problem } = items.get("ocpi")!;
  assert.deepEqual([state, problem?.word], ["disabled", "not configured"]);
  assert.match(problem!.message, /sources\.maps\.adapter is openstreetmap/);
});

test("OCPI's status code may be a number or a text", () => {
  const location = { id: "1", coordinates: { latitude: "48.85", longitude: "2.35" } };
  const settings = {
    url: "https://cpo.example/",
    tariffs_url: null,
    token: null,
    token_raw: false,
    timeout_ms: 1,
    name: "CPO",
    attribution: null,
  };
  const count = (status_code: unknown): number | null => {
    const body = new TextEncoder().encode(JSON.stringify({ status_code, data: [location] }));
    const places = ocpiLocations.open(body, { settings, trail: createTrail() });
    return places && [...places].length;
  };
  assert.deepEqual([1000, "1000", " 1000 ", 2001, "2001", "3000"].map(count), [
    ...[1, 1, 1, null, null, null],
  ]);
});
