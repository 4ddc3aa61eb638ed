import assert from "node:assert/strict";
import { test } from "node:test";
import type { Credentials } from "#upstream/auth.ts";
import { toFirstHop, toNextHop, toWire, type HopCheck, type Hop } from "#upstream/hop.ts";
import { checkUrl } from "#upstream/url-rules.ts";

const POLICY = { allow_private: false, allow_hosts: ["plain.example.org"], http_hosts: [] };
const check: HopCheck = (url, base) => checkUrl(url, POLICY, base);
const strict: HopCheck = (url, base) =>
  checkUrl(url, { ...POLICY, same_site_as: ["example.org"] }, base);
const KEYED: Credentials = {
  query: { name: "api key", value: "s&cret" },
  headers: { Authorization: "Bearer t", "X-Api-Key": "k" },
};

function first(url: string, extra: Partial<Parameters<typeof toFirstHop>[0]> = {}): Hop {
  const defaults = { accept: "*/*", "user-agent": "test" };
  return toFirstHop({ url, timeout_ms: 1, ...extra }, { credentials: KEYED, defaults, check });
}

test("credentials go over the wire and not into the shown URL; the query stays as written", () => {
  const hop = first("https://a.example.org/x?q=a%20b+c&d=%7B", { headers: { Accept: "text/csv" } });
  const wire = toWire(hop);
  assert.equal(hop.url.href, "https://a.example.org/x?q=a%20b+c&d=%7B");
  assert.equal(wire.url.href, "https://a.example.org/x?q=a%20b+c&d=%7B&api%20key=s%26cret");
  assert.deepEqual(wire.headers, {
    accept: "text/csv",
    "user-agent": "test",
    authorization: "Bearer t",
    "x-api-key": "k",
  });
  assert.equal(toWire(first("https://a.example.org/x")).url.search, "?api%20key=s%26cret");
});

test("within the origin credentials stay; beyond it they are gone, and do not come back", () => {
  const start = first("https://a.example.org/x", { headers: { "X-Token": "t" }, etag: '"1"' });
  const near = toNextHop(start, { status: 302, location: "/y?a=1" }, check);
  assert.equal(toWire(near).headers["authorization"], "Bearer t");
  assert.equal(toWire(near).headers["x-token"], "t");
  const far = toNextHop(near, { status: 302, location: "https://b.example.org/z" }, check);
  assert.deepEqual(toWire(far).headers, {
    accept: "*/*",
    "user-agent": "test",
    "if-none-match": '"1"',
  });
  assert.equal(toWire(far).url.href, "https://b.example.org/z");
  const home = toNextHop(far, { status: 302, location: "https://a.example.org/x" }, check);
  assert.equal(toWire(home).headers["authorization"], undefined);
  assert.equal(toWire(home).url.search, "");
  // Another port is another origin.
  const port = toNextHop(start, { status: 302, location: "https://a.example.org:80/x" }, check);
  assert.equal(port.credentials, null);
});

test("a key echoed in the Location does not reach the next origin, nor is it sent twice", () => {
  const start = first("https://a.example.org/x");
  const location = "https://b.example.org/z?api%20key=s%26cret&keep=1";
  assert.equal(toNextHop(start, { status: 302, location }, check).url.search, "?keep=1");
  const near = toNextHop(start, { status: 302, location: "/y?api%20key=s%26cret" }, check);
  assert.equal(toWire(near).url.search, "?api%20key=s%26cret");
});

test("redirects that are refused", () => {
  const start = first("https://a.example.org/x");
  const rows: string[] = [
    "http://plain.example.org/x",
    "https://user:pw@a.example.org/",
    "https://a.example.org:8443/",
    "ftp://a.example.org/",
    "file:///etc/passwd",
    "https://[::1/",
    `/${"a".repeat(5000)}`,
  ];
  for (const location of rows)
    assert.throws(
      () => toNextHop(start, { status: 302, location }, check),
      { code: "REDIRECT_DENIED" },
      location.slice(0, 40),
    );
  const away = { status: 302, location: "https://evil.net/" };
  assert.throws(() => toNextHop(start, away, strict), { code: "HOST_DENIED" });
});

test("a POST becomes a GET unless the status keeps it, and its body stays at home", () => {
  const post = first("https://a.example.org/x", {
    method: "POST",
    body: "q=1",
    headers: { "Content-Type": "text/plain" },
  });
  for (const status of [301, 302, 303]) {
    const next = toNextHop(post, { status, location: "/y" }, check);
    assert.deepEqual(
      [next.method, next.body, next.headers["content-type"]],
      ["GET", null, undefined],
    );
  }
  for (const status of [307, 308]) {
    const next = toNextHop(post, { status, location: "/y" }, check);
    assert.deepEqual([next.method, next.body], ["POST", "q=1"]);
    const away = { status, location: "https://b.example.org/" };
    assert.throws(() => toNextHop(post, away, check), { code: "REDIRECT_DENIED" });
  }
});
