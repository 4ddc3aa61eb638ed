/** `vicinity doctor`: failing sources first, a sum at the end, and no verdict while a survey runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { displayWidth } from "#cli/print/wrap.ts";
import { answering, run, source, terminal } from "./support.ts";

const surveying = {
  sources: [
    source({ id: "velib" }),
    source({
      id: "docomo",
      state: "not_surveyed",
      entity_count: null,
      age_s: null,
      last_success_at: null,
    }),
  ],
};
const surveyed = { sources: [source({ id: "velib" }), source({ id: "docomo", state: "idle" })] };

/** Asked per question: nothing to count, and idle until the first question. */
const lookup = {
  kind: "lookup",
  state: "idle",
  entity_count: null,
  age_s: null,
  last_success_at: null,
} as const;

test("lookups that have not been asked yet are fine", async () => {
  const sources = [source({ id: "velib" }), source({ ...lookup, id: "maps" })];
  const ran = await run(["doctor", "--wait"], { fetch: answering([{ sources }]) });
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  assert.match(ran.out, /^2 sources: 1 idle, 1 ok\n--all shows each of them\n$/);
});

test("failing sources come first and make the command fail", async () => {
  const sources = [
    source({ id: "velib" }),
    source({ id: "docomo", state: "idle", licence: null, last_success_at: null, age_s: null }),
    source({ id: "lime", state: "timeout", age_s: 400 }),
    source({
      id: "bird",
      state: "error",
      entity_count: null,
      licence: null,
      licence_url: "https://l.example/by",
    }),
    source({ ...lookup, id: "maps" }),
  ];
  const ran = await run(["doctor", "--all"], { fetch: answering([{ sources }]) });
  assert.equal(ran.code, 1);
  assert.deepEqual(ran.out.split("\n"), [
    "state    source  kind    entities    age  licence       last success",
    "error    bird    feed           –   12 s  l.example/by  2026-11-21 11:59:48",
    "timeout  lime    feed       1 468  6 min  CC-BY-4.0     2026-11-21 11:59:48",
    "idle     docomo  feed       1 468      –  –             –",
    "idle     maps    lookup         –      –  CC-BY-4.0     –",
    "ok       velib   feed       1 468   12 s  CC-BY-4.0     2026-11-21 11:59:48",
    "",
    "5 sources: 1 error, 1 timeout, 2 idle, 1 ok",
    "",
  ]);
});

test("without a terminal it says what is known and does not wait", async () => {
  const ran = await run(["doctor", "--all"], { fetch: answering([surveying, surveyed]) });
  assert.equal(ran.code, 0);
  assert.match(ran.out, /^not surveyed {2}docomo /m);
  assert.equal(ran.err, "");
});

test("--wait waits, one line per step", async () => {
  const ran = await run(["doctor", "--wait", "--json"], {
    fetch: answering([surveying, surveying, surveyed]),
  });
  assert.deepEqual(JSON.parse(ran.out), surveyed);
  assert.equal(ran.err, "surveyed 1 of 2\nsurveyed 2 of 2\n");
});

test("on a terminal it waits with a bar, and Ctrl-C shows what is known", async () => {
  let interrupt = (): void => undefined;
  const ran = await run(["doctor"], {
    fetch: answering([surveying]),
    out: terminal(),
    err: terminal(),
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => undefined;
    },
    sleep: () => Promise.resolve(interrupt()),
  });
  assert.equal(ran.code, 0);
  assert.match(ran.err, /surveyed █/);
  assert.match(ran.out, /not surveyed/);
});

test("no sources at all", async () => {
  const ran = await run(["doctor"], { fetch: answering([{ sources: [] }]) });
  assert.deepEqual(ran, { code: 0, out: "0 sources\n", err: "" });
});

test("a base without ways on foot is said to need a new import, and is no failure", async () => {
  const base = {
    data_at: "2026-11-20T00:00:00Z",
    imported_at: "2026-11-21T00:00:00Z",
    bytes: 9_000,
  };
  const services = { toilets: 2 };
  const walk = { vertices: 9, edges: 8, stairs: 1, steps_unknown: 0 };
  const sources = [
    source({ id: "openbase:new", base: { ...base, holds: { services, walk } } }),
    source({ id: "openbase:old", base: { ...base, holds: { services } } }),
  ];
  const short = await run(["doctor"], { fetch: answering([{ sources }]) });
  assert.match(
    short.out,
    /^ok openbase:old: no ways on foot: .* a new import\n\n2 sources: 2 ok\n/,
  );
  const ran = await run(["doctor", "--all"], { fetch: answering([{ sources }]) });
  assert.equal(ran.code, 0);
  const lines = ran.out.split("\n").filter((line) => line.includes(": data of "));
  assert.deepEqual(
    lines.map((line) => line.slice(line.indexOf("2 toilets"))),
    [
      "2 toilets; ways on foot: 9 vertices, 8 edges, 1 stairs, 0 steps unknown",
      "2 toilets; no ways on foot: minutes on foot need a new import",
    ],
  );
});

test("a problem is one line with its sentence, and nothing is said of what is well", async () => {
  const base = {
    data_at: "2021-01-06T00:00:00Z",
    imported_at: "2026-11-21T00:00:00Z",
    bytes: 9_000,
    holds: { services: { toilets: 2 }, walk: { vertices: 9 } },
  };
  const problem = {
    word: "unreachable",
    reason: "timeout",
    message: "It did not answer in time.",
  };
  const sources = [
    source({ id: "velib" }),
    source({ id: "lime", state: "timeout", problem } as never),
    source({ id: "openbase:li", base }),
    source({ id: "docomo", state: "idle" }),
  ];
  const ran = await run(["doctor"], { fetch: answering([{ sources }]) });
  assert.equal(ran.code, 1);
  assert.deepEqual(ran.out.split("\n"), [
    "timeout lime: It did not answer in time.",
    "ok openbase:li: its map is of 2021-01-06, 2145 d old: import a newer extract",
    "",
    "4 sources: 1 timeout, 1 idle, 2 ok",
    "--all shows each of them",
    "",
  ]);
});

test("a licence is whole or left out, at any width", async () => {
  const licence_url = "https://creativecommons.org/licenses/by/4.0/";
  const sources = [
    source({ id: "openstreetmap:san-francisco-fogbike", licence: null, licence_url }),
  ];
  for (const width of [60, 80, 100, 120, 160]) {
    const out = terminal(width);
    const ran = await run(["doctor", "--all"], { fetch: answering([{ sources }]), out, err: out });
    assert.ok(
      ran.out.split("\n").every((line) => displayWidth(line) <= width),
      ran.out,
    );
    const [, cut = "creativecommons.org/licenses/by/4.0/"] =
      /(creativecommons\S*)/.exec(ran.out) ?? [];
    assert.equal(cut, "creativecommons.org/licenses/by/4.0/", String(width));
  }
});
