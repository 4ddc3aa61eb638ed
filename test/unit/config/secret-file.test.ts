/** Secrets: stated or in a file, never both, and never in a message. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type Env, readEnv, VARIABLES } from "#config/env.ts";

const TOKEN = "0123456789abcdef";

function fileWith(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-token-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "token");
  writeFileSync(file, text);
  return file;
}

function lineOf(variables: Record<string, string>): string {
  const read = readEnv(variables);
  assert.ok(!read.ok);
  assert.doesNotMatch(read.message, /\n/);
  assert.ok(!read.message.includes(TOKEN.slice(0, 8)), read.message);
  return read.message;
}

test("a token of 16 characters is long enough", () => {
  const read = readEnv({ ADMIN_TOKEN: TOKEN });
  assert.equal(read.ok && read.value.admin_token, TOKEN);
});

test("the token of a file is its text without the blanks around it", (t) => {
  const read = readEnv({ ADMIN_TOKEN_FILE: fileWith(t, `\n ${TOKEN}\r\n`) });
  assert.equal(read.ok && read.value.admin_token, TOKEN);
});

test("both are one too many, even when they agree", (t) => {
  const file = fileWith(t, TOKEN);
  assert.equal(
    lineOf({ ADMIN_TOKEN: TOKEN, ADMIN_TOKEN_FILE: file }),
    "ADMIN_TOKEN_FILE: expected without ADMIN_TOKEN, which is set as well",
  );
});

test("a file that is not there, is no file, is empty, or holds no token", (t) => {
  const file = fileWith(t, TOKEN);
  const folder = join(file, "..");
  const lines: [file: string, line: string][] = [
    [`${file}.no`, `${file}.no is not there: check the path`],
    [folder, `${folder} is a folder, where a file is expected: name a file`],
  ];
  for (const [path, line] of lines)
    assert.equal(lineOf({ ADMIN_TOKEN_FILE: path }), `ADMIN_TOKEN_FILE: ${line}`);
  const empty = fileWith(t, " \n");
  assert.equal(lineOf({ ADMIN_TOKEN_FILE: empty }), `ADMIN_TOKEN_FILE: ${empty} is empty`);
  for (const text of [TOKEN.slice(0, 15), `${TOKEN}\n${TOKEN}`, `${TOKEN}é`]) {
    const bad = fileWith(t, text);
    assert.match(lineOf({ ADMIN_TOKEN_FILE: bad }), /to hold 16 to 1024 printable ASCII/);
  }
});

test("every secret may come from a file, and is read from it as it would be stated", (t) => {
  const samples: Record<string, [value: string, of: (env: Env) => unknown]> = {
    VICINITY_STORE_URL: ["postgres://me:word@db:5432/name", (env) => env.store_url],
    VICINITY_SHARED_URL: ["redis://:word@cache:6379", (env) => env.shared_url],
    ADMIN_TOKEN: [TOKEN, (env) => env.admin_token],
    VICINITY_API_KEY: ["vk_live_whatever", (env) => env.api_key],
  };
  const secrets = Object.entries(VARIABLES).flatMap(([name, rule]) =>
    "secret" in rule && rule.secret ? [name] : [],
  );
  assert.deepEqual(secrets.toSorted(), Object.keys(samples).toSorted());
  for (const [name, [value, of]] of Object.entries(samples)) {
    const read = readEnv({ [`${name}_FILE`]: fileWith(t, `${value}\n`) });
    assert.equal(read.ok && of(read.value), value, name);
    const file = fileWith(t, `0123456789 ${value} 0123456789`);
    const line = lineOf({ [`${name}_FILE`]: file });
    assert.ok(line.startsWith(`${name}_FILE: expected ${file} to hold `), line);
    assert.ok(!line.includes(value), line);
    const both = lineOf({ [`${name}_FILE`]: file, [name]: value });
    assert.equal(both, `${name}_FILE: expected without ${name}, which is set as well`);
  }
});

test("a store in a file may be the embedded one, and is stated then all the same", (t) => {
  const file = fileWith(t, "sqlite:");
  const read = readEnv({ VICINITY_STORE_URL_FILE: file });
  assert.equal(read.ok && read.value.store_url, null);
  const both = { VICINITY_STORE_URL_FILE: file, VICINITY_STORE_URL: "sqlite:" };
  assert.match(lineOf(both), /expected without VICINITY_STORE_URL,/);
});
