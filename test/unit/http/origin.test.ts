/** Who may ask /mcp from a browser: loopback by a loopback name, a page by its own host. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findOriginProblem } from "#http/request-origin.ts";

const NONE = { hosts: [], origins: [] };
const NAMED = { hosts: ["api.example"], origins: ["https://agents.example"] };

type OriginCase = [
  address: string,
  host: string | undefined,
  origin: string | undefined,
  allowed: boolean,
];

const requestOf = (
  [address, host, origin]: OriginCase,
  rules: { hosts: readonly string[]; origins: readonly string[] },
) =>
  findOriginProblem(
    {
      headers: {
        ...(host === undefined ? {} : { host }),
        ...(origin === undefined ? {} : { origin }),
      },
      socket: { localAddress: address } as never,
    },
    rules,
  );

test("without anything named", () => {
  const cases: OriginCase[] = [
    ["127.0.0.1", "127.0.0.1:8080", undefined, true],
    ["127.0.0.1", "localhost", undefined, true],
    ["::1", "[::1]:8080", undefined, true],
    ["::ffff:127.0.0.1", "localhost:8080", undefined, true],
    ["127.0.0.1", "localhost:8080", "http://localhost:6274", true],
    ["127.0.0.1", "127.0.0.1:8080", "http://localhost:8080", true],
    // A foreign name that resolves to this machine.
    ["127.0.0.1", "evil.example", "http://evil.example", false],
    ["127.0.0.1", "evil.example", undefined, false],
    ["::1", "127.0.0.1.evil.example", undefined, false],
    ["127.0.0.1", "localhost.evil.example:8080", undefined, false],
    ["127.0.0.1", undefined, undefined, false],
    ["127.0.0.1", "localhost:8080", "https://evil.example", false],
    ["127.0.0.1", "localhost:8080", "null", false],
    ["127.0.0.1", "localhost:8080", "", false],
    ["127.0.0.1", "localhost:8080", "file://", false],
    // Not reached over loopback: any name, and pages of the same host.
    ["10.0.0.5", "api.example", undefined, true],
    ["10.0.0.5", "api.example", "https://api.example", true],
    ["10.0.0.5", "api.example", "https://evil.example", false],
    ["10.0.0.5", "api.example", "http://localhost", false],
  ];
  for (const each of cases) {
    const problem = requestOf(each, NONE);
    assert.equal(problem === null, each[3], each.join(" "));
    if (problem) assert.equal(problem.code, "forbidden_origin");
  }
});

test("what the operator names is let through, and nothing else", () => {
  const cases: OriginCase[] = [
    ["127.0.0.1", "api.example", undefined, true],
    ["127.0.0.1", "api.example:443", "https://agents.example", true],
    ["10.0.0.5", "api.example", "https://agents.example", true],
    ["10.0.0.5", "api.example", "http://agents.example", false],
    ["10.0.0.5", "api.example", "https://agents.example:8443", false],
    ["127.0.0.1", "other.example", undefined, false],
  ];
  for (const each of cases) assert.equal(requestOf(each, NAMED) === null, each[3], each.join(" "));
});
