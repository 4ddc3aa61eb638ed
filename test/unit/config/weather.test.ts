/** Which sources of weather a deployment has: by mode, by file and by the keys of the environment. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readEnv, type RunMode } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";

type Wish = { mode: RunMode; file?: object; variables?: Record<string, string> };

function load(t: TestContext, { mode, file, variables = {} }: Wish) {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-weather-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "c.json");
  if (file) writeFileSync(path, JSON.stringify(file));
  const env = readEnv({ VICINITY_CONTACT: "tests@example.org", ...variables });
  assert.ok(env.ok);
  return loadConfig({ mode, env: env.value, ...(file ? { file: path } : {}) });
}

function weatherOf(t: TestContext, wish: Wish) {
  const config = load(t, wish);
  assert.ok(config.ok, config.ok ? "" : config.message);
  const { openweathermap, met_norway, open_meteo } = config.value.sources;
  const on = { openweathermap, met_norway, open_meteo };
  const enabled = Object.entries(on).filter(([, { enabled: is }]) => is);
  return {
    enabled: enabled.map(([name]) => name),
    key: openweathermap.api_key,
    ...config.value.weather,
  };
}

const USUAL = { units: "metric", source: null };
const KEYED = { OPENWEATHERMAP_API_KEY: "k" };

test("live without a file of its own: MET Norway, and OpenWeatherMap with its key", (t) => {
  const plain = weatherOf(t, { mode: "live" });
  assert.deepEqual(plain, { ...USUAL, enabled: ["met_norway"], key: null });
  const keyed = weatherOf(t, { mode: "live", variables: KEYED });
  assert.deepEqual(keyed, { ...USUAL, enabled: ["openweathermap", "met_norway"], key: "k" });
});

test("live with a file: what it names, whatever is in the environment", (t) => {
  const none = weatherOf(t, { mode: "live", file: {}, variables: KEYED });
  assert.deepEqual(none, { ...USUAL, enabled: [], key: null });
  const match = { openweathermap: { api_key: "${OPENWEATHERMAP_API_KEY}" }, open_meteo: {} };
  const file = { weather: { units: "imperial", source: "open_meteo" }, sources: match };
  assert.deepEqual(weatherOf(t, { mode: "live", file, variables: KEYED }), {
    units: "imperial",
    source: "open_meteo",
    enabled: ["openweathermap", "open_meteo"],
    key: "k",
  });
});

test("in the sandbox all, simulated, without a key of ours", (t) => {
  const { enabled, key } = weatherOf(t, { mode: "sandbox", variables: KEYED });
  assert.deepEqual([enabled, key], [["openweathermap", "met_norway", "open_meteo"], null]);
});

test("a wrong unit or source is one line", (t) => {
  for (const weather of [{ units: "kelvin" }, { source: "wttr" }, { unit: "metric" }]) {
    const config = load(t, { mode: "sandbox", file: { weather } });
    assert.ok(!config.ok);
    assert.match(config.message, /^config: weather\.(units|source|unit): [^\n]+$/);
  }
});
