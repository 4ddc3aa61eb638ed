/** The environment: defaults of operation.md, and one line for everything that is wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readEnv } from "#config/env.ts";
import type { Variables } from "#config/env.ts";
import { anyText } from "../../support/any-text.ts";

test("defaults", () => {
  const read = readEnv({ PORT: "" });
  assert.ok(read.ok);
  const { variables, ...settings } = read.value;
  assert.deepEqual(variables, { PORT: "" });
  assert.deepEqual(settings, {
    host: "127.0.0.1",
    port: 8080,
    sandbox_port: 0,
    config_file: null,
    data_dir: "./data",
    store_url: null,
    shared_url: null,
    contact: null,
    enforce_limits: null,
    sandbox_seed: 1,
    sandbox_cities: null,
    admin_host: "127.0.0.1",
    admin_port: 0,
    admin_token: null,
    url: "http://127.0.0.1:8080",
    api_key: null,
    ready_file: null,
    log_level: null,
    log_format: null,
    log_file: null,
    commit: null,
    is_watched: false,
    no_color: false,
    columns: null,
    traces: null,
  });
});

test("stores of a fleet", () => {
  const stores = [
    "postgres://u:p%40ss@db.example:5432/vicinity?sslmode=require",
    "postgresql:///v",
  ];
  for (const text of stores) assert.equal(storeOf({ VICINITY_STORE_URL: text }).store_url, text);
  assert.equal(storeOf({ VICINITY_STORE_URL: "sqlite:" }).store_url, null);
  const shared = [
    ...["redis://127.0.0.1:6379", "rediss://user:p:w@cache.example/3", "valkey://[::1]:6379"],
    ...["redis://:pw@a:7000,b:7001,[fd00::1]:7002", "redis://cache?cluster=1"],
  ];
  for (const text of shared) assert.equal(storeOf({ VICINITY_SHARED_URL: text }).shared_url, text);
});

test("a store that is none is refused, and its password not repeated", () => {
  const wrong: Variables[] = [
    ...["mysql://u:secret@h/d", "secret", "postgres://", "postgres://u:secret@h:99999/d", "sqlite"],
    ...["postgres://u:secret@h/a b", "sqlite:secret.db"],
  ].map((VICINITY_STORE_URL) => ({ VICINITY_STORE_URL }));
  const others: Variables[] = [
    ...["http://secret@h", "redis://", "redis://:secret@h,", "redis://:secret@h/x", "secret:6379"],
  ].map((VICINITY_SHARED_URL) => ({ VICINITY_SHARED_URL }));
  for (const variables of [...wrong, ...others]) {
    const read = readEnv(variables);
    assert.ok(!read.ok, JSON.stringify(variables));
    assert.match(read.message, /^VICINITY_(STORE|SHARED)_URL: expected .*, got something else$/);
    assert.doesNotMatch(read.message, /secret/);
  }
});

function storeOf(variables: Variables) {
  const read = readEnv(variables);
  assert.ok(read.ok, JSON.stringify(variables));
  return read.value;
}

test("the command line asks the local service where PORT put it", () => {
  const read = readEnv({ PORT: "9000", HOST: "0.0.0.0" });
  assert.ok(read.ok);
  assert.equal(read.value.url, "http://127.0.0.1:9000");
});

const WRONG: readonly [variables: Variables, line: string][] = [
  [{ PORT: "80a" }, 'PORT: expected an integer from 0 to 65535, got "80a"'],
  [{ PORT: "65536" }, 'PORT: expected an integer from 0 to 65535, got "65536"'],
  [{ SANDBOX_PORT: "-1" }, 'SANDBOX_PORT: expected an integer from 0 to 65535, got "-1"'],
  [{ HOST: "http://x" }, 'HOST: expected a host name or an IP address, got "http://x"'],
  [{ VICINITY_ENFORCE_LIMITS: "yes" }, 'VICINITY_ENFORCE_LIMITS: expected 0 or 1, got "yes"'],
  [
    { VICINITY_CONTACT: "me" },
    'VICINITY_CONTACT: expected an e-mail address or an http(s) URL, got "me"',
  ],
  [
    { VICINITY_URL: "localhost:8080" },
    'VICINITY_URL: expected an http(s) URL, got "localhost:8080"',
  ],
  [
    { OTEL_TRACES_SAMPLER: "jaeger_remote" },
    'OTEL_TRACES_SAMPLER: expected one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio, got "jaeger_remote"',
  ],
  [
    { OTEL_TRACES_SAMPLER_ARG: "2" },
    'OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1, got "2"',
  ],
  [
    { LOG_LEVEL: "loud" },
    'LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, got "loud"',
  ],
  [
    { VICINITY_API_KEY: "a b" },
    "VICINITY_API_KEY: expected printable ASCII without blanks, got something else",
  ],
  [
    { ADMIN_TOKEN: "a".repeat(15) },
    "ADMIN_TOKEN: expected 16 to 1024 printable ASCII characters without blanks, got something else",
  ],
  [
    { ADMIN_TOKEN: `${"a".repeat(16)} b` },
    "ADMIN_TOKEN: expected 16 to 1024 printable ASCII characters without blanks, got something else",
  ],
];
for (const [variables, line] of WRONG) {
  test(`wrong: ${line}`, () => {
    assert.deepEqual(readEnv(variables), { ok: false, message: line });
  });
}

test("an accepted contact fits into a header", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const read = readEnv({ VICINITY_CONTACT: text });
      return !read.ok || read.value.contact === null || /^[!-~]+$/.test(read.value.contact);
    }),
  );
});

test("traces: the base address gets a path, the whole address is taken as it is", () => {
  const traces = (variables: Record<string, string>) => {
    const read = readEnv(variables);
    assert.ok(read.ok);
    return read.value.traces;
  };
  const base = "http://collector:4318/";
  assert.deepEqual(traces({ OTEL_EXPORTER_OTLP_ENDPOINT: base }), {
    url: "http://collector:4318/v1/traces",
    service_name: "vicinity",
    sampler: "parentbased_always_on",
    ratio: 1,
  });
  const all = {
    OTEL_EXPORTER_OTLP_ENDPOINT: base,
    OTEL_SERVICE_NAME: "near",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in",
    OTEL_TRACES_SAMPLER: "traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
  };
  assert.deepEqual(traces(all), {
    url: "https://traces.example/in",
    service_name: "near",
    sampler: "traceidratio",
    ratio: 0.25,
  });
  assert.equal(traces({ OTEL_SERVICE_NAME: "near" }), null);
});
