/** With a key store behind the seam: who passes, and what is never looked up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "#app/types.ts";
import { createCallerFinder } from "#http/credentials.ts";
import { MALFORMED, REPEATED, type Slot } from "#http/query.ts";
import { toCacheControl } from "#http/data.ts";
import { FREE } from "../../support/server.ts";

const keyed: Caller = { kind: "keyed", plan: { ...FREE, name: "developer" } };

function find(header: string | undefined, token: Slot) {
  const looked: string[] = [];
  const result = createCallerFinder(
    () => FREE,
    (credential) => {
      looked.push(credential);
      return credential === "good"
        ? keyed
        : credential === "old"
          ? "expired_api_key"
          : "invalid_api_key";
    },
  )(header, token);
  return { result, looked };
}

test("no credential is anonymous on the present free plan", () => {
  let plan = FREE;
  const finder = createCallerFinder(
    () => plan,
    () => "invalid_api_key",
  );
  assert.deepEqual(finder(undefined, undefined), { ok: true, caller: { kind: "anonymous", plan } });
  plan = { ...FREE, units: 1 };
  assert.deepEqual(finder(undefined, undefined), { ok: true, caller: { kind: "anonymous", plan } });
});

test("a good key passes in either place, or in both", () => {
  const cases: [string | undefined, Slot][] = [
    ["Bearer good", undefined],
    ["bEARER   good", undefined],
    [undefined, "good"],
    ["Bearer good", "good"],
  ];
  for (const [header, token] of cases) {
    assert.deepEqual(find(header, token), {
      result: { ok: true, caller: keyed },
      looked: ["good"],
    });
  }
});

test("what is not a credential is refused without a look-up", () => {
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
    const { result, looked } = find(header, token);
    assert.equal(result.ok ? "ok" : result.code, code, `${header} ${String(token)}`);
    assert.deepEqual(looked, []);
  }
});

test("the store's refusal is passed on", () => {
  const { result } = find("Bearer old", undefined);
  assert.equal(result.ok ? "ok" : result.code, "expired_api_key");
});

test("replies to a key are private", () => {
  assert.equal(toCacheControl("keyed", 12.9), "private, max-age=12");
  assert.equal(toCacheControl("anonymous", 100), "public, max-age=30");
  assert.equal(toCacheControl("anonymous", -1), "public, max-age=0");
  assert.equal(toCacheControl("keyed", null), "no-store");
});
