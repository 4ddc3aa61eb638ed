/** Deep links (reliability 4.9). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanDeepLink } from "../uris.ts";
import { anyText } from "../../../test/support/any-text.ts";
import { tries } from "../../../test/support/size.ts";

const KINDS = ["web", "android", "ios"] as const;

test("https is allowed for every kind, and is normalised", () => {
  for (const kind of KINDS) {
    assert.equal(
      cleanDeepLink(kind, " HTTPS://Bike.Example/a b?x=1 "),
      "https://bike.example/a%20b?x=1",
    );
  }
});

test("an app's own scheme is for apps only", () => {
  for (const link of ["com.example.android://", "beryl://vehicle/1", "x+y-z:1"]) {
    assert.equal(cleanDeepLink("web", link), null);
    assert.equal(cleanDeepLink("android", link), link);
    assert.equal(cleanDeepLink("ios", link), link);
  }
});

test("links that run code, read files or pretend are refused", () => {
  const refused = [
    ...[
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "java\tscript:alert(1)",
      "\u0001javascript:1",
    ],
    ...["data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:https://a.example/1"],
    ...["about:blank", "filesystem:https://a.example/x", "view-source:https://a.example/"],
    ...["ws://a.example/", "wss://a.example/", "ftp://a.example/", "http://a.example/"],
    ...[
      "https://bank.example@evil.example/",
      "https://a.example/\u202egnp",
      "https://",
      "",
      "//a.example",
    ],
    ...["intent://scan/#Intent;scheme=x;end", "x:one-letter", "relative/path", null, 1, {}],
    `https://a.example/${"x".repeat(2_048)}`,
    `https://a.example/${"é".repeat(1_000)}`,
  ];
  for (const link of refused) {
    for (const kind of KINDS)
      assert.equal(cleanDeepLink(kind, link), null, JSON.stringify(link).slice(0, 60));
  }
});

test("an intent names its package", () => {
  const link = "intent://scan/#Intent;scheme=bike;package=com.bike.app;end";
  assert.equal(cleanDeepLink("android", link), link);
  assert.equal(cleanDeepLink("web", link), null);
});

test("every link that is returned is allowed and stays the same when cleaned again", () => {
  const schemes = fc.constantFrom(
    "https",
    "javascript",
    "data",
    "bike",
    "intent",
    "blob",
    "JAVASCRIPT",
  );
  const link = fc.tuple(schemes, anyText()).map(([scheme, rest]) => `${scheme}:${rest}`);
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      fc.oneof(link, fc.webUrl(), fc.anything()),
      (kind, value) => {
        const clean = cleanDeepLink(kind, value);
        if (clean === null) return;
        assert.ok(clean.length <= 2_048);
        assert.match(
          clean,
          kind === "web" ? /^https:/ : /^(?!javascript|data|blob|http:)[a-z][a-z0-9+.-]+:/,
        );
        assert.equal(cleanDeepLink(kind, clean), clean);
      },
    ),
    { numRuns: tries(2_000) },
  );
});
