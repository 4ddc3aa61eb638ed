/** The checks before publication (§4.13): each rule with a document that breaks it and no other. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { Changelog, CHANGE_TYPES, type ChangelogDocument } from "#api/changelog.ts";
import { checkChangelog } from "../../changelog/changelog-check.ts";
import { parseInstant } from "../../changelog/dates.ts";
import type { FindingCode } from "../../changelog/changelog-finding.ts";
import { tries } from "../../../../test/support/size.ts";

const NOW_MS = Date.parse("2026-11-21T12:00:00Z");
const ENTRY = {
  id: "2026-11-20-lines",
  published_at: "2026-11-20T08:00:00Z",
  api_version: "1.1.0",
  type: "feature",
  title: "Lines",
  description: "Lines around a point.",
  breaking: false,
  links: [{ label: "Page", url: "https://www.example.org/lines" }],
};
const OLDER = { ...ENTRY, id: "older", published_at: "2026-11-19T08:00:00.5Z", links: [] };
const DOCUMENT = { version: "1.0.0", updated_at: "2026-11-20T09:00:00Z", entries: [ENTRY, OLDER] };

const check = (document: unknown, released: ChangelogDocument | null = null) =>
  checkChangelog(document, { now_ms: NOW_MS, released });

const withEntry = (change: object) => ({ ...DOCUMENT, entries: [{ ...ENTRY, ...change }, OLDER] });
const withLink = (url: unknown) => withEntry({ links: [{ label: "Page", url }] });
const without = (member: keyof typeof ENTRY) => {
  const { [member]: _, ...rest } = ENTRY;
  return { ...DOCUMENT, entries: [rest, OLDER] };
};

// Proves §4.13 document; §4.13 entry; §2.12 document
test("a sound document passes, and fits the published schema", () => {
  assert.deepEqual(check(DOCUMENT), []);
  assert.deepEqual(check({ ...DOCUMENT, entries: [] }), []);
  for (const type of CHANGE_TYPES) {
    assert.deepEqual(check(withEntry({ type, breaking: true })), [], type);
    if (type !== "breaking")
      assert.deepEqual(check(withEntry({ type, breaking: false })), [], type);
  }
  assert.ok(fits(DOCUMENT));
});

type Fault = [code: FindingCode, what: string, document: unknown];
const ID = ENTRY.id;

const FAULTS: readonly Fault[] = [
  ["invalid_document", "a list", []],
  ["invalid_document", "nothing", null],
  ["missing_member", "no entries", { version: "1.0.0", updated_at: DOCUMENT.updated_at }],
  ["unknown_member", "a member more", { ...DOCUMENT, roadmap: [] }],
  ["unknown_member", "a member of an entry", withEntry({ planned: true })],
  ["unknown_member", "a member of a link", withEntry({ links: [{ ...ENTRY.links[0], rel: "x" }] })],
  ["missing_member", "not assessed", without("breaking")],
  ["missing_member", "no id", without("id")],
  ["wrong_type", "entries that are none", { ...DOCUMENT, entries: {} }],
  ["wrong_type", "an entry that is text", { ...DOCUMENT, entries: ["x"] }],
  ["wrong_type", "breaking as text", withEntry({ breaking: "false" })],
  ["wrong_type", "links that are none", withEntry({ links: null })],
  ["wrong_type", "a link that is text", withEntry({ links: ["https://www.example.org"] })],
  ["invalid_text", "a blank title", withEntry({ title: " " })],
  ["invalid_text", "a control character", withEntry({ description: "a\u0007b" })],
  [
    "invalid_text",
    "a link without a label",
    withEntry({ links: [{ ...ENTRY.links[0], label: "" }] }),
  ],
  ["invalid_id", "capitals", withEntry({ id: "Lines" })],
  ["invalid_id", "a blank", withEntry({ id: "new lines" })],
  ["invalid_id", "no text", withEntry({ id: 7 })],
  ["duplicate_id", "twice", { ...DOCUMENT, entries: [ENTRY, { ...OLDER, id: ID }] }],
  ["invalid_order", "oldest first", { ...DOCUMENT, entries: [OLDER, ENTRY] }],
  ["stale_update", "an old updated_at", { ...DOCUMENT, updated_at: "2026-11-20T07:59:59Z" }],
  [
    "future_date",
    "tomorrow",
    { ...withEntry({ published_at: "2026-11-21T12:00:01Z" }), updated_at: "2026-11-21T12:00:01Z" },
  ],
  ["future_date", "updated tomorrow", { ...DOCUMENT, updated_at: "2026-11-22T00:00:00Z" }],
  ["invalid_api_version", "two numbers", withEntry({ api_version: "1.1" })],
  ["invalid_api_version", "a leading v", withEntry({ api_version: "v1.1.0" })],
  ["invalid_api_version", "a leading zero", withEntry({ api_version: "1.01.0" })],
  ["unsupported_type", "security", withEntry({ type: "security" })],
  ["unsupported_type", "capitals", withEntry({ type: "Feature" })],
  ["inconsistent_breaking", "breaking that breaks nothing", withEntry({ type: "breaking" })],
];

const DATES = [
  ...["2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "2026-11-20"],
  ...[
    "2026-11-20T24:00:00Z",
    "2026-11-20T08:60:00Z",
    "2026-11-20T08:00:61Z",
    "2026-11-20 08:00:00Z",
  ],
  ...["2026-11-20T08:00:00+01:00", "2026-11-20T08:00:00", "2026-11-20T08:00Z", "20 Nov 2026", ""],
  ...["2026-11-20T08:00:00z", "02026-11-20T08:00:00Z", "yesterday", 1_700_000_000, null],
];

const LINKS = [
  ...[
    "http://www.example.org/",
    "javascript:alert(1)",
    "ftp://www.example.org/",
    "//www.example.org",
  ],
  ...["https://user@www.example.org/", "https://u:p@www.example.org/", "https://@www.example.org/"],
  ...[
    "https://localhost/",
    "https://api.localhost/",
    "https://intranet/",
    "https://printer.local/",
  ],
  ...[
    "https://10.0.0.1/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://8.8.8.8/",
    "https://0x7f.1/",
  ],
  ...["https://2130706433/", "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest/"],
  ...[
    "https://www.example.org:8443/",
    "https://vault.internal/",
    "https://1.0.0.127.in-addr.arpa/",
  ],
  ...["https://www.example.org./", "https://www.example.org/a b", "https:\\\\www.example.org\\a"],
  ...["https://www.example.org/\u202Egpj.exe", " https://www.example.org/", "https://"],
  ...["https://www.example.org/\n", `https://www.example.org/${"a".repeat(2048)}`, "", null, 7],
];

describe("each rule refuses by its own code, and names the entry", () => {
  const all: Fault[] = [
    ...FAULTS,
    ...DATES.map((date): Fault => [
      "invalid_date",
      String(date),
      withEntry({ published_at: date }),
    ]),
    ["invalid_date", "updated_at", { ...DOCUMENT, updated_at: "2026-11-31T00:00:00Z" }],
    ...LINKS.map((url): Fault => ["unsafe_link", String(url).slice(0, 50), withLink(url)]),
  ];
  for (const [code, what, document] of all) {
    // Proves §4.13 rejected: duplicate ids; §4.13 rejected: invalid ordering; §4.13 rejected: unsafe links; §4.13 rejected: invalid dates; §4.13 rejected: unsupported types; §4.13 rejected: inconsistent breaking
    test(`${code}: ${what}`, () => {
      const findings = check(document);
      assert.deepEqual([...new Set(findings.map((finding) => finding.code))], [code]);
      const [{ entry, message }] = findings as [(typeof findings)[number]];
      assert.ok(message.startsWith(`${entry ?? "the changelog"}: `), message);
      assert.ok(message.length > (entry ?? "the changelog").length + 10, message);
    });
  }
  test("every code has an example", () => {
    const codes = new Set(all.map(([code]) => code));
    assert.equal(codes.size, 15, [...codes].join());
    assert.ok(all.length >= 70, `${all.length}`);
  });
});

// Proves §4.13 id
test("a released entry stays, under its id; its wording may be corrected", () => {
  const released = DOCUMENT as ChangelogDocument;
  assert.deepEqual(check(withEntry({ title: "Lines of transport" }), released), []);
  const renamed = check(withEntry({ id: "lines" }), released);
  assert.deepEqual(
    renamed.map(({ code, entry }) => [code, entry]),
    [["removed_entry", ID]],
  );
});

test("every reason is reported at once", () => {
  const codes = check({
    ...DOCUMENT,
    entries: [{ ...ENTRY, type: "x", links: [{ label: "", url: "http://x" }] }, ENTRY],
  }).map(({ code }) => code);
  assert.deepEqual(codes, ["unsupported_type", "invalid_text", "unsafe_link", "duplicate_id"]);
});

const SAFE = ["https://www.example.org", "https://example.org/a?b=c#d", "https://exämple.org/ü"];
for (const url of SAFE)
  test(`a safe link: ${url}`, () => assert.deepEqual(check(withLink(url)), []));

test("instants are those of the calendar, as another reader sees them", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (date) => {
      assert.equal(parseInstant(date.toISOString()), date.getTime());
    }),
  );
  const days = (month: number) => [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  const pad = (value: number) => String(value).padStart(2, "0");
  for (let month = 0; month <= 13; month++) {
    for (let day = 0; day <= 32; day++) {
      const exists = day >= 1 && day <= days(month);
      const text = `2028-${pad(month)}-${pad(day)}T00:00:00Z`;
      assert.equal(parseInstant(text) !== null, exists, text);
    }
  }
});

test("a changelog that passes fits the published schema, whatever was written", () => {
  const odd = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer());
  const member = (sound: unknown) => fc.oneof({ arbitrary: fc.constant(sound), weight: 6 }, odd);
  const entry = fc.record(
    Object.fromEntries(Object.entries(ENTRY).map(([name, value]) => [name, member(value)])),
    { requiredKeys: ["id", "published_at", "title"] },
  );
  let passed = 0;
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 1 }), (entries) => {
      const document = { ...DOCUMENT, entries };
      if (check(document).length > 0) return;
      passed++;
      assert.ok(fits(document), JSON.stringify(document));
    }),
    { numRuns: tries(300) },
  );
  assert.ok(passed > 20, `${passed} passed`);
});

// Proves §4.13 only released
test("the changelog of this repository may be published", () => {
  const url = new URL("../../../../changelog/entries.json", import.meta.url);
  const document = JSON.parse(readFileSync(url, "utf8")) as ChangelogDocument;
  assert.deepEqual(
    checkChangelog(document, { now_ms: Date.parse(document.updated_at), released: null }),
    [],
  );
  assert.ok(document.entries.length >= 6);
  assert.ok(fits(document));
});

const fits = addFormats.default(new Ajv2020({ strict: false })).compile(Changelog);
