/** The configuration file: defaults, references, and one line for everything that is wrong. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readEnv } from "#config/env.ts";
import type { Env, Variables } from "#config/env.ts";
import { LIVE_FILE, loadConfig } from "#config/load.ts";
import type { Config } from "#config/load.ts";

const folder = mkdtempSync(join(tmpdir(), "vicinity-config-"));
after(() => rmSync(folder, { recursive: true }));

test("without a file the sandbox runs on defaults", () => {
  const config = load(undefined);
  assert.equal(config.file, null);
  assert.equal(config.egress.allow_private, true);
  assert.equal(config.enforce_limits, false);
  assert.equal(config.sources.gbfs.enabled, true);
  assert.equal(config.sources.gbfs.timeout_ms, 5000);
  assert.equal(config.deadlines_ms.nearby, 2000);
  assert.deepEqual(config.server, {
    trusted_proxies: [],
    max_connections: 10_000,
    max_connections_per_address: 256,
    write_timeout_ms: 15_000,
    drain_delay_ms: 5000,
    drain_timeout_ms: 20_000,
  });
});

test("live mode takes the committed file and forbids private addresses", () => {
  const loaded = loadConfig({ mode: "live", env: env({ VICINITY_CONTACT: "ops@example.org" }) });
  assert.ok(loaded.ok);
  assert.equal(loaded.value.file, LIVE_FILE);
  assert.match(loaded.value.sources.gbfs.catalogue ?? "", /^https:.*systems\.csv$/);
  assert.equal(loaded.value.egress.allow_private, false);
  assert.equal(loaded.value.enforce_limits, true);
  assert.equal(loaded.value.contact, "ops@example.org");
});

test("live mode without a contact stops and names the variable", () => {
  const loaded = loadConfig({ mode: "live", env: env({}) });
  assert.ok(!loaded.ok);
  assert.match(loaded.message, /^VICINITY_CONTACT: .+$/);
});

test("a file that is not there is named, with or without a contact", () => {
  const loaded = loadConfig({ file: "/nope.json", mode: "live", env: env({}) });
  assert.ok(!loaded.ok);
  assert.match(loaded.message, /\/nope\.json/);
});

test("a source that the file does not name is off", () => {
  const match = write({ server: {} });
  const loaded = loadConfig({
    file: match,
    mode: "live",
    env: env({ VICINITY_CONTACT: "a@example.org" }),
  });
  assert.ok(loaded.ok);
  assert.equal(loaded.value.sources.gbfs.enabled, false);
});

test("--config goes before VICINITY_CONFIG", () => {
  const first = write({ deadlines_ms: { nearby: 111 } });
  const second = write({ deadlines_ms: { nearby: 222 } });
  const environment = env({ VICINITY_CONFIG: second });
  const config = loadConfig({ file: first, mode: "sandbox", env: environment });
  const result = loadConfig({ mode: "sandbox", env: environment });
  assert.ok(config.ok && result.ok);
  assert.equal(config.value.deadlines_ms.nearby, 111);
  assert.equal(result.value.deadlines_ms.nearby, 222);
});

test("the environment decides over enforcement in both modes", () => {
  const off = { VICINITY_ENFORCE_LIMITS: "0", VICINITY_CONTACT: "a@example.org" };
  const live = loadConfig({ mode: "live", env: env(off) });
  assert.ok(live.ok);
  assert.equal(live.value.enforce_limits, false);
  assert.equal(load(undefined, { VICINITY_ENFORCE_LIMITS: "1" }).enforce_limits, true);
});

test("${NAME} takes a variable", () => {
  const gbfs = {
    systems: [{ id: "a", url: "https://${H}/gbfs.json" }],
    auth: { b: { kind: "headers", headers: { "x-key": "${KEY}" } } },
  };
  const config = load({ sources: { gbfs } }, { H: "example.org", KEY: "k1" });
  assert.equal(config.sources.gbfs.systems[0]?.url, "https://example.org/gbfs.json");
  assert.deepEqual(config.sources.gbfs.auth["b"], { kind: "headers", headers: { "x-key": "k1" } });
});

test("a catalogue's path starts at the configuration file", () => {
  const config = load({ sources: { gbfs: { catalogue: "lists/systems.csv" } } });
  assert.equal(config.sources.gbfs.catalogue, join(folder, "lists/systems.csv"));
});

test("plans: members lie over the shipped row, a new row states them all", () => {
  const config = load({ plans: { free: { rate_per_s: 1 } } });
  assert.equal(config.plans["free"]?.rate_per_s, 1);
  assert.equal(config.plans["free"]?.burst, 50);
  assert.equal(config.plans["developer"]?.nearby_offset_max, 10_000);
  const datasets = Object.values(config.plans).map((plan) => plan.datasets);
  assert.deepEqual(datasets, [1_000, 100_000, 10_000_000, null]);
});

const system = (members: object): object => ({
  sources: { gbfs: { systems: [{ id: "a", url: "https://example.org", ...members }] } },
});
const WRONG: readonly [content: unknown, line: string][] = [
  [system({ url: 5 }), "sources.gbfs.systems[0].url: expected an http(s) URL, got 5"],
  [
    system({ url: "ftp://x" }),
    'sources.gbfs.systems[0].url: expected an http(s) URL, got "ftp://x"',
  ],
  [system({ url: "${KEY}" }), 'sources.gbfs.systems[0].url: expected an http(s) URL, got "${KEY}"'],
  [
    system({ url: "${NOPE}" }),
    "sources.gbfs.systems[0].url: the environment variable NOPE is not set",
  ],
  [system({ uri: "x" }), "sources.gbfs.systems[0].uri: unknown member, did you mean url?"],
  [
    system({ country: "FRA" }),
    'sources.gbfs.systems[0].country: expected an ISO 3166-1 alpha-2 code such as FR, got "FRA"',
  ],
  [
    system({ mode_hint: "boat" }),
    'sources.gbfs.systems[0].mode_hint: expected one of "bicycle", "scooter", "moped", "car", got "boat"',
  ],
  [
    system({ auth: { kind: "basic", username: "u" } }),
    "sources.gbfs.systems[0].auth.password: expected text, it is missing",
  ],
  [
    system({ auth: { kind: "token" } }),
    'sources.gbfs.systems[0].auth.kind: expected one of "none", "query", "headers", "basic", "oauth2", got "token"',
  ],
  [
    { sources: { gbfs: { systems: [{ url: "https://example.org" }] } } },
    "sources.gbfs.systems[0].id: expected text on one line, at most 128 long, it is missing",
  ],
  [{ sources: { gbsf: {} } }, "sources.gbsf: unknown member, did you mean gbfs?"],
  [
    { server: { trusted_proxies: ["10.0.0.0/33"] } },
    'server.trusted_proxies[0]: expected an address block such as 10.0.0.0/8, got "10.0.0.0/33"',
  ],
  [
    { deadlines_ms: { nearby: -1 } },
    "deadlines_ms.nearby: expected an integer from 0 to 600000, got -1",
  ],
  [
    { deprecation: { token_sunset: "soon" } },
    'deprecation.token_sunset: expected a date or an RFC 3339 time or null, got "soon"',
  ],
  [
    { plans: { free: { burst: null } } },
    "plans.free.burst: expected to be null exactly when rate_per_s is null",
  ],
  [
    { plans: { gold: { burst: 5 } } },
    "plans.gold.rate_per_s: expected a value, since a new plan states them all",
  ],
  [
    { plans: { free: { "odd name": 1 } } },
    'plans.free["odd name"]: unknown member, known are rate_per_s, burst, units, period, hard, exact, nearby_limit_max, nearby_offset_max, datasets',
  ],
  [[], "expected an object, got a list"],
];
for (const [content, line] of WRONG) {
  test(`wrong: ${line}`, () => {
    const loaded = loadConfig({
      file: write(content),
      mode: "sandbox",
      env: env({ KEY: "s3cret" }),
    });
    assert.ok(!loaded.ok);
    assert.equal(loaded.message, `config: ${line}`);
  });
}

test("two systems with one id", () => {
  const twin = { id: "a", url: "https://example.org" };
  const file = write({ sources: { gbfs: { systems: [twin, twin] } } });
  const loaded = loadConfig({ file, mode: "sandbox", env: env({}) });
  assert.ok(!loaded.ok);
  assert.match(
    loaded.message,
    /systems\[1\]\.id: expected a unique id, "a" is also .*systems\[0\]$/,
  );
});

test("bases and map tiles that the file names start at its folder, and names of bases are unique", () => {
  const config = load({
    explorer: { pmtiles: "world.pmtiles" },
    sources: { openbase: { files: ["bases/ch.vbase", "/srv/li.vbase"] } },
  });
  assert.equal(config.explorer.pmtiles, join(folder, "world.pmtiles"));
  assert.deepEqual(config.sources.openbase.files, [
    join(folder, "bases/ch.vbase"),
    "/srv/li.vbase",
  ]);
  const wrong = (files: string[], ...urls: string[]): string => {
    const objects = urls.map((url) => ({ url }));
    const file = write({ sources: { openbase: { files, objects } } });
    const loaded = loadConfig({ file, mode: "sandbox", env: env({}) });
    return loaded.ok ? "" : loaded.message;
  };
  assert.match(
    wrong(["a/ch.vbase", "b/ch.vbase"]),
    /files\[1\]: expected another name, "ch.vbase" is/,
  );
  assert.match(
    wrong(
      ["a/ch.vbase"],
      "https://bases.example.org/li.vbase",
      "http://10.0.0.1:9000/b/ch.vbase?v=1",
    ),
    /objects\[1\]\.url: expected another name, "ch.vbase" is also files\[0\]$/,
  );
  assert.equal(wrong(["a/ch.vbase"], "https://bases.example.org/li.vbase"), "");
  assert.match(
    wrong([], "https://bases.example.org/li.pbf"),
    /objects\[0\]\.url: expected an http\(s\) URL that ends in ID\.vbase/,
  );
  assert.match(wrong(["ch.osm.pbf"]), /sources\.openbase\.files\[0\]: /);
  assert.match(wrong(["CH.vbase"]), /sources\.openbase\.files\[0\]: /);
});

test("a file that is missing or not JSON is one line", () => {
  const missing = loadConfig({ file: join(folder, "none.json"), mode: "sandbox", env: env({}) });
  assert.ok(!missing.ok);
  assert.match(missing.message, /^--config: .*none\.json is not there: check the path$/);
  const broken = join(folder, "broken.json");
  writeFileSync(broken, '{\n "server": ');
  const bad = loadConfig({ file: broken, mode: "sandbox", env: env({}) });
  assert.ok(!bad.ok);
  assert.match(bad.message, /^config: .*broken\.json: not JSON: .+$/);
});

let written = 0;
function write(content: unknown): string {
  const file = join(folder, `${written++}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function load(content: unknown, variables: Variables = {}): Config {
  const file = content === undefined ? {} : { file: write(content) };
  const loaded = loadConfig({ ...file, mode: "sandbox", env: env(variables) });
  assert.ok(loaded.ok, loaded.ok ? "" : loaded.message);
  return loaded.value;
}

function env(variables: Variables): Env {
  const read = readEnv(variables);
  assert.ok(read.ok);
  return read.value;
}

test("registers: each id once, also among those of sources and systems; a shape that is known", () => {
  const entry = {
    id: "garages",
    shape: "parkapi",
    url: "https://a.example/sites",
    name: "Garages",
  };
  const loadWith = (registers: object[], gbfs?: object) =>
    loadConfig({
      mode: "live",
      env: env({ VICINITY_CONTACT: "ops@example.org" }),
      file: write({ sources: { registers, ...(gbfs && { gbfs }) } }),
    });
  const messageOf = (loading: ReturnType<typeof loadWith>): string =>
    loading.ok ? "" : loading.message;
  const whole = loadWith([entry]);
  assert.equal(whole.ok && whole.value.sources.registers![0]!.max_age_s, 900);
  assert.match(
    messageOf(loadWith([entry, entry])),
    /registers\[1\]\.id: expected a unique id, "garages" is also .*registers\[0\]$/,
  );
  assert.match(messageOf(loadWith([{ ...entry, id: "ocpi" }])), /"ocpi" is also sources\.ocpi$/);
  const twin = { id: "garages", url: "https://a.example/gbfs.json" };
  assert.match(messageOf(loadWith([entry], { systems: [twin] })), /is also .*gbfs\.systems\[0\]$/);
  assert.match(
    messageOf(loadWith([{ ...entry, shape: "none" }])),
    /registers\[0\]\.shape: .*"parkapi"/,
  );
  assert.match(messageOf(loadWith([{ ...entry, id: "Garages!" }])), /registers\[0\]\.id: .*a-z/);
  const tariffs = { tariffs_url: "https://a.example/tariffs" };
  assert.match(
    messageOf(loadWith([entry, { ...entry, ...tariffs, id: "other" }])),
    /registers\[1\]\.tariffs_url: expected null, since shape parkapi has no tariffs; ocpi_bulk has$/,
  );
  assert.ok(loadWith([{ ...entry, ...tariffs, shape: "ocpi_bulk" }]).ok);
});
