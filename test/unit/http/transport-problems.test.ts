/** What a request is refused for whatever it asks: both sides of each rule. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { LIMITS } from "#api/limits.ts";
import type { Incoming } from "#http/http-exchange.ts";
import { findTransportProblem } from "#http/unmatched.ts";

const HOST = ["Host", "a.example"];

function find(url: string, rawHeaders: readonly string[] = HOST, httpVersion = "1.1") {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === "host");
  const headers = at < 0 ? {} : { host: rawHeaders[at + 1] };
  const raw = { url, rawHeaders, headers, httpVersion } as unknown as IncomingMessage;
  return findTransportProblem({ raw } as Incoming)?.code ?? null;
}

test("a target up to its bound is one, and a longer one is refused", () => {
  const target = (bytes: number): string => `/${"a".repeat(bytes - 1)}`;
  assert.equal(find(target(LIMITS.url_bytes)), null);
  assert.equal(find(target(LIMITS.url_bytes + 1)), "uri_too_long");
});

test("one host, which HTTP/1.0 may leave out; a name or a value that is like it is none", () => {
  assert.equal(find("/", HOST), null);
  assert.equal(find("/", ["X-Host", "host", "Accept", "host"], "1.0"), null);
  assert.notEqual(find("/", []), null);
  assert.equal(find("/", [], "1.0"), null);
  for (const again of [HOST, ["hOST", "b.example"]])
    assert.notEqual(find("/", [...HOST, ...again]), null);
});
