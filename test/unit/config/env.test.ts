/** The environment: defaults of operation.md, and one line for everything that is wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readEnv } from "#config/env.ts";
import type { Variables } from "#config/env.ts";

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
    contact: null,
    enforce_limits: null,
    sandbox_seed: 1,
    admin_host: "127.0.0.1",
    admin_port: 0,
    admin_token: null,
    url: "http://127.0.0.1:8080",
    api_key: null,
    ready_file: null,
    log_level: "info",
    no_color: false,
  });
});

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
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const read = readEnv({ VICINITY_CONTACT: text });
      return !read.ok || read.value.contact === null || /^[!-~]+$/.test(read.value.contact);
    }),
  );
});
