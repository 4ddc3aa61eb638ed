/** `vicinity geocode` and `vicinity reverse`: which endpoint is asked, and the candidates. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { displayWidth } from "#cli/print/wrap.ts";
import {
  GEOCODE_EXAMPLE,
  GEOCODE_NOTHING_EXAMPLE,
  REVERSE_EXAMPLE,
} from "#api/geocoding-examples.ts";
import type { GeocodeBodyValue } from "#api/geocoding.ts";
import { answering, run, terminal } from "./support.ts";

type Candidate = GeocodeBodyValue["results"][number];
const ADDRESS = GEOCODE_EXAMPLE.results[0]!;

function body(...results: Candidate[]): GeocodeBodyValue {
  return { results, meta: { ...GEOCODE_EXAMPLE.meta, total: results.length } };
}

/** An address without a name of its own is labelled by itself; a text search states no precision. */
function unnamed(label: string): Candidate {
  const { match_quality: _, ...rest } = ADDRESS;
  return { ...rest, name: label, label, type: "railway_station" };
}

test("the candidates in their order, unknown as a dash", async () => {
  const answer = body(ADDRESS, unnamed("日本、〒100-0004 東京都桜見台46"));
  const ran = await run(["geocode", "10 rue"], { fetch: answering([answer]) });
  assert.equal(ran.code, 0);
  assert.deepEqual(ran.out.split("\n"), [
    `2 candidates for "10 rue" · ${answer.meta.source}`,
    "",
    "#  type             name                 where                            lat,lon         quality",
    "1  address          12 Rue des Tilleuls  75004 Paris, France              48.8571,2.3535  rooftop",
    "2  railway station  –                    日本、〒100-0004 東京都桜見台46  48.8571,2.3535  –",
    "",
  ]);
});

test("no match is said in a line and is no failure", async () => {
  const ran = await run(["geocode", "xy"], { fetch: answering([GEOCODE_NOTHING_EXAMPLE]) });
  assert.equal(ran.code, 0);
  assert.match(ran.out, /^nothing found for "xy" · \S+\n$/);
});

test("every line fits its terminal; what is piped is whole", async () => {
  const long = unnamed("Avenue ".repeat(20));
  const answer = body({ ...long, name: "名前".repeat(40) }, long);
  const piped = await run(["geocode", "x"], { fetch: answering([answer]) });
  assert.ok(piped.out.includes("名前".repeat(40)) && !piped.out.includes("…"), piped.out);
  for (const room of [80, 120]) {
    const ran = await run(["geocode", "x"], { fetch: answering([answer]), out: terminal(room) });
    const widths = ran.out.split("\n").map(displayWidth);
    assert.ok(Math.max(...widths) <= room, ran.out);
    assert.ok(Math.max(...widths) > room - 4, ran.out);
    assert.match(ran.out, /名前?…/);
  }
});

const QUESTIONS: readonly [argv: readonly string[], url: string][] = [
  [["geocode", "10 rue d’Été & co"], "/v1/geocode?q=10+rue+d%E2%80%99%C3%89t%C3%A9+%26+co"],
  [
    ["geocode", "x", "--country", "FR", "--language", "fr"],
    "/v1/geocode?q=x&country=FR&language=fr",
  ],
  [["geocode", "x", "--near", "-33.9,18.4"], "/v1/place-search?q=x&lat=-33.9&lon=18.4"],
  [
    ["geocode", "x", "--near=1,2", "--language", "de"],
    "/v1/place-search?q=x&lat=1&lon=2&language=de",
  ],
  [["reverse", "48.8566,2.3522"], "/v1/reverse-geocode?lat=48.8566&lon=2.3522"],
  [["reverse", "-1,2", "--language", "ja"], "/v1/reverse-geocode?lat=-1&lon=2&language=ja"],
];
for (const [argv, url] of QUESTIONS) {
  test(`asked: vicinity ${argv.join(" ")}`, async () => {
    const requested: Request[] = [];
    const ran = await run(argv, { fetch: answering([REVERSE_EXAMPLE], { requested }) });
    assert.equal(ran.code, 0, ran.err);
    assert.deepEqual(
      requested.map((request) => request.url.replace(/^http:\/\/[^/]+/, "")),
      [url],
    );
  });
}

test("the first line names what was asked for", async () => {
  const fetch = answering([REVERSE_EXAMPLE]);
  const near = await run(["geocode", 'a "b"\u001B[2J', "--near", "1,2"], { fetch });
  assert.match(near.out, /^1 candidate for "a \\"b\\" \[2J" near 1, 2 · /);
  const at = await run(["reverse", "48.8566,2.3522"], { fetch });
  assert.match(at.out, /^1 candidate at 48\.8566, 2\.3522 · /);
});

test("--json prints the answer as it came", async () => {
  const ran = await run(["reverse", "1,2", "--json"], { fetch: answering([REVERSE_EXAMPLE]) });
  assert.deepEqual(JSON.parse(ran.out), REVERSE_EXAMPLE);
});

const WRONG: readonly [argv: readonly string[], line: string][] = [
  [["geocode"], 'geocode needs "TEXT"'],
  [
    ["geocode", "rue", "de"],
    'unexpected argument "de" for geocode; put all of the text in quotes: "TEXT"',
  ],
  [
    ["geocode", "x", "--near", "Paris"],
    '--near: expected LAT,LON such as 48.8566,2.3522, got "Paris"',
  ],
  [
    ["geocode", "x", "--near", "1,2", "--country", "FR"],
    "--country and --near do not go together; leave one of them out",
  ],
  [["reverse", "1"], 'expected LAT,LON such as 48.8566,2.3522, got "1"'],
  [["reverse", "1,2", "--country", "FR"], "unknown option --country for reverse; known are "],
];
for (const [argv, line] of WRONG) {
  test(`wrong: vicinity ${argv.join(" ")}`, async () => {
    const ran = await run(argv);
    assert.deepEqual([ran.code, ran.out], [2, ""]);
    assert.ok(ran.err.startsWith(`vicinity: ${line}`), ran.err);
    assert.match(ran.err, /^[^\n]+\n$/);
  });
}

test("a fault of the provider is one line", async () => {
  const failures = [
    [502, "provider_bad_response"],
    [503, "provider_unavailable"],
    [504, "provider_timeout"],
  ] as const;
  for (const [status, code] of failures) {
    const error = { error: { code, message: "the maps provider did not answer" } };
    const ran = await run(["geocode", "x"], { fetch: answering([error], { status }) });
    const err = `vicinity: ${status} ${code}: the maps provider did not answer\n`;
    assert.deepEqual(ran, { code: 1, out: "", err });
  }
});

test("an answer without results is not taken for one", async () => {
  const ran = await run(["geocode", "x"], { fetch: answering([{ meta: {} }]) });
  assert.deepEqual(ran, { code: 1, out: "", err: "vicinity: the answer has no results\n" });
});
