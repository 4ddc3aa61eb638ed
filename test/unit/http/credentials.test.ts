/** The credential as it is presented: which one, or why none of what was sent is one (§5). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { IncomingMessage } from "node:http";
import { createCredentialReader, readCredential, refuseKey } from "#http/credentials.ts";
import { toCacheControl } from "#http/data.ts";
import { MALFORMED, REPEATED, type Slot } from "#http/query-decoder.ts";

// Proves §4 optional credentials
test("nothing presented is anonymous", () => {
  assert.deepEqual(readCredential(undefined, undefined), { ok: true, key: null });
});

// Proves §4 optional credentials; §5 bearer
test("a key passes in either place, or the same in both", () => {
  const cases: [string | undefined, Slot][] = [
    ["Bearer good", undefined],
    ["bEARER   good", undefined],
    [undefined, "good"],
    ["Bearer good", "good"],
  ];
  for (const [header, token] of cases)
    assert.deepEqual(readCredential(header, token), {
      ok: true,
      key: { text: "good", parsed: null },
    });
});

test("a key of the other mode is refused with that reason, any other without one", () => {
  const message = (other?: "svc_live_" | "svc_test_"): string => {
    const refused = refuseKey("invalid_api_key", other);
    assert.equal(refused.code, "invalid_api_key");
    return refused.message;
  };
  assert.match(
    message("svc_live_"),
    /is one of live mode .* and this is a sandbox: .*\(svc_test_\)/,
  );
  assert.match(
    message("svc_test_"),
    /is one of a sandbox .* and this is live mode: .*\(svc_live_\)/,
  );
  assert.match(message(), /^the API key is not valid; /);
});

test("a header that is no credential is refused, and is never anonymous", () => {
  const cases: [string | undefined, Slot, string][] = [
    ["", undefined, "invalid_api_key"],
    ["good", undefined, "invalid_api_key"],
    ["Bearer ", undefined, "invalid_api_key"],
    ["Bearer go od", undefined, "invalid_api_key"],
    ["Basic good", undefined, "invalid_api_key"],
    [undefined, "", "invalid_api_key"],
    ["Bearer good", "", "invalid_api_key"],
    [undefined, MALFORMED, "invalid_api_key"],
    ["Bearer good", MALFORMED, "invalid_api_key"],
    [undefined, REPEATED, "invalid_request"],
    ["Bearer good", "old", "conflicting_credentials"],
    ["Basic good", "good", "conflicting_credentials"],
  ];
  for (const [header, token, code] of cases) {
    const result = readCredential(header, token);
    assert.equal(result.ok ? "ok" : result.code, code, `${header} ${String(token)}`);
  }
});

test("replies to a key are private", () => {
  assert.equal(toCacheControl("keyed", 12.9), "private, max-age=12");
  assert.equal(toCacheControl("anonymous", 100), "public, max-age=30");
  assert.equal(toCacheControl("anonymous", -1), "public, max-age=0");
  assert.equal(toCacheControl("keyed", null), "no-store");
});

test("a connection may present another credential with each request, or none", () => {
  const read = createCredentialReader();
  const sockets = [{}, {}] as IncomingMessage["socket"][];
  const ask = (socket: number, header: string | undefined, token?: string) =>
    read(
      {
        headers: header === undefined ? {} : { authorization: header },
        rawHeaders: header === undefined ? [] : ["Authorization", header],
        socket: sockets[socket]!,
      },
      token,
    );
  const requests: [number, string | undefined, string?][] = [
    [0, "Bearer one"],
    [0, "Bearer one"],
    [1, "Bearer two"],
    [0, "Bearer one", "two"],
    [0, undefined],
    [0, "Basic one"],
    [0, "Basic one"],
    [0, "Bearer two"],
    [1, "Bearer one"],
    [0, undefined, "one"],
    [0, "Bearer one"],
  ];
  for (const [socket, header, token] of requests)
    assert.deepEqual(ask(socket, header, token), readCredential(header, token));
});

test("two different Authorization headers are a conflict, and none of them wins", () => {
  const read = createCredentialReader();
  const ask = (...values: string[]) =>
    read(
      {
        headers: { authorization: values[0] },
        rawHeaders: ["Host", "h", ...values.flatMap((value) => ["authorization", value])],
        socket: {} as IncomingMessage["socket"],
      },
      undefined,
    );
  const both = ask("Bearer one", "Bearer two");
  assert.equal(both.ok ? "ok" : both.code, "conflicting_credentials");
  assert.ok(ask("Bearer one", "Bearer one").ok);
  assert.ok(ask("Bearer one").ok);
});
