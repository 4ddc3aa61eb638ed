/** Geocoding over a scripted maps provider: its order, five at most, failures by the table. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { createGeocoding, type GeocodeReply, type GeocodingDeps } from "#app/places/geocoding.ts";
import { MAPS_PROVIDER_ID } from "#api/deployment.ts";
import { GeocodeBody, type GeocodeBodyValue } from "#api/geocoding.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Candidate } from "#osm/geocoder/candidate.ts";
import type { AskOptions, LookupReply } from "#upstream/lookup/ask-source.ts";
import { HERE } from "../../support/domain.ts";
import { createWatchedClock, leftBy, turn } from "../../support/lookup.ts";

const geocodeBody = Compile(GeocodeBody);

const candidate = (name: string, change: Partial<Candidate> = {}): Candidate => ({
  name,
  label: `${name}, France`,
  type: "address",
  location: HERE,
  source_place_id: null,
  address: {
    formatted: null,
    street: null,
    street_number: null,
    city: null,
    postal_code: null,
    region: null,
    country: "France",
  },
  ...change,
});

type Request = { operation: string; query: unknown; options: AskOptions };

/** `reply` may depend on when it is asked; null: no maps provider. */
function desk(
  reply: ((now_ms: number) => LookupReply<Candidate[]>) | null,
  waits: (options: AskOptions) => Promise<unknown> = () => Promise.resolve(),
) {
  const clock = createWatchedClock();
  const requested: Request[] = [];
  const asks = (operation: string) => async (query: unknown, options: AskOptions) => {
    requested.push({ operation, query, options });
    await waits(options);
    return reply!(clock.now());
  };
  const ask: GeocodingDeps["ask"] = reply && {
    geocode: asks("geocode"),
    search: asks("search"),
    reverse: asks("reverse"),
  };
  const geocoding = createGeocoding({
    clock,
    maps: { id: MAPS_PROVIDER_ID, name: "Test Maps" },
    ask,
  });
  const toInput = <Q>(question: Q, signal = new AbortController().signal) => ({
    question,
    signal,
    deadline_ms: clock.now() + 2_500,
    now_ms: clock.now(),
  });
  return { clock, requested, geocoding, toInput };
}

const storedOf = (
  value: Candidate[],
  fetched_at_ms: number,
  good_until_ms = fetched_at_ms + 10_000,
) => ({ value, raw: value.length, fetched_at_ms, good_until_ms });
const found =
  (...names: string[]) =>
  (now_ms: number): LookupReply<Candidate[]> => ({
    status: "ok",
    cache: "miss",
    stored: storedOf(
      names.map((name) => candidate(name)),
      now_ms,
    ),
  });

const PLAIN = { q: "Paris", language: undefined, country: undefined };

function bodyOf(reply: GeocodeReply): GeocodeBodyValue {
  assert.ok(reply.kind === "ok", JSON.stringify(reply));
  const body: unknown = JSON.parse(JSON.stringify(reply.body));
  assert.ok(geocodeBody.Check(body), JSON.stringify([...geocodeBody.Errors(body)]));
  return body;
}

// Proves §1 candidates; §4.3 order
test("candidates in the provider's order, cut at five, counted after the cut", async () => {
  const names = ["c", "a", "b", "e", "d", "f", "g"];
  const { geocoding, toInput } = desk(found(...names));
  const { results, meta } = bodyOf(await geocoding.geocode(toInput(PLAIN)));
  assert.deepEqual(
    results.map(({ name }) => name),
    names.slice(0, 5),
  );
  assert.deepEqual(meta, { source: MAPS_PROVIDER_ID, cache: "miss", total: 5, query: "Paris" });
});

test("a candidate in the order of §2.2; a precision only where one is reported", async () => {
  const { geocoding, toInput } = desk((now_ms) => ({
    status: "ok",
    cache: "hit",
    stored: storedOf([candidate("a"), candidate("b", { match_quality: "rooftop" })], now_ms),
  }));
  const { results, meta } = bodyOf(await geocoding.geocode(toInput(PLAIN)));
  assert.deepEqual(Object.keys(results[0]!), [
    ...["svc_id", "name", "label", "type", "location", "address", "source_id", "source_place_id"],
  ]);
  assert.deepEqual([results[1]!.match_quality, meta.cache], ["rooftop", "hit"]);
});

// Proves §4.3 no match; §7 rule 2
test("no match is an empty list, not an error", async () => {
  const { geocoding, toInput } = desk(found());
  const { results, meta } = bodyOf(await geocoding.geocode(toInput(PLAIN)));
  assert.deepEqual([results, meta.total], [[], 0]);
});

// Proves §4.4 bias
test("the question to the provider, and the part of it that is reported", async () => {
  const { geocoding, toInput, requested } = desk(found());
  await geocoding.geocode(toInput({ q: "Paris", language: "fr", country: "fr" }));
  const plain = bodyOf(
    await geocoding.search(
      toInput({ q: "bar", lat: undefined, lon: undefined, language: undefined, prefix: false }),
    ),
  );
  const biased = bodyOf(
    await geocoding.search(toInput({ q: "bar", ...HERE, language: "de", prefix: false })),
  );
  const zero = { lat: 0, lon: 0 };
  await geocoding.search(toInput({ q: "bar", ...zero, language: undefined, prefix: false }));
  const back = bodyOf(await geocoding.reverse(toInput({ ...HERE, language: "en" })));
  assert.deepEqual(
    requested.map(({ operation, query }) => [operation, query]),
    [
      ["geocode", { q: "Paris", language: "fr", country: "FR", near: null }],
      ["search", { q: "bar", language: null, country: null, near: null }],
      ["search", { q: "bar", language: "de", country: null, near: HERE }],
      ["search", { q: "bar", language: null, country: null, near: zero }],
      ["reverse", { ...HERE, language: "en" }],
    ],
  );
  assert.deepEqual([plain.meta.origin, biased.meta.origin], [undefined, HERE]);
  assert.deepEqual([back.meta.query, back.meta.origin], [undefined, HERE]);
  assert.ok(requested.every(({ options }) => options.freshness === null));
});

function withoutMessage(reply: object): object {
  const { message: _, ...rest } = reply as { message?: string };
  return rest;
}

const SOON = 7_400;
type Row = readonly [name: string, failure: Failure, code: string, retry_after_s: number | null];
const TIMEOUT = "provider_timeout";
const BAD = "provider_bad_response";
const NONE = "provider_unavailable";
const start_ms = createWatchedClock().now();

/** places.md 0.1, column of the geocoding routes. */
const TABLE: readonly Row[] = [
  ["our deadline", { status: "timeout", reason: "deadline" }, TIMEOUT, null],
  ["its 504", { status: "timeout", reason: "http_504" }, TIMEOUT, null],
  ["a key that is refused", { status: "unauthorized", reason: "http_403" }, BAD, null],
  [
    "that, while the circuit is open",
    { status: "unauthorized", reason: "http_401", retry_at_ms: start_ms + SOON },
    BAD,
    null,
  ],
  ["nonsense", { status: "error", reason: "wrong_shape" }, BAD, 1],
  ["a 400", { status: "error", reason: "http_400" }, BAD, 1],
  ["a body that is too large", { status: "error", reason: "body_too_large" }, BAD, 1],
  ...["http_500", "http_502", "http_503", "connection_reset"].map((reason): Row => [
    reason,
    { status: "unavailable", reason },
    BAD,
    1,
  ]),
  ["not_configured", { status: "unavailable", reason: "not_configured" }, NONE, null],
  ...[
    "http_429",
    "quota",
    "circuit_open",
    "circuit_open_http_500",
    "cooling_down",
    "busy",
    "blocked",
    "connection_refused",
    "dns_failed",
    "tls_failed",
    "unreachable",
  ].map((reason): Row => [reason, { status: "unavailable", reason }, NONE, 1]),
  ["spend_cap", { status: "unavailable", reason: "spend_cap" }, NONE, 60],
  [
    "429 with a time",
    { status: "unavailable", reason: "http_429", retry_at_ms: start_ms + SOON },
    NONE,
    8,
  ],
  [
    "429 with a moment ago",
    { status: "unavailable", reason: "http_429", retry_at_ms: start_ms - 5 },
    NONE,
    1,
  ],
  [
    "429 with an hour",
    { status: "unavailable", reason: "http_429", retry_at_ms: start_ms + 3_600_000 },
    NONE,
    60,
  ],
];

for (const [name, failure, code, retry_after_s] of TABLE)
  // Proves §7 rule 4
  test(`${name}: ${code}${retry_after_s === null ? "" : `, again in ${retry_after_s} s`}`, async () => {
    const { geocoding, toInput, clock } = desk(() => ({ ...failure, rescue: null }));
    for (const reply of [
      await geocoding.geocode(toInput(PLAIN)),
      await geocoding.search(toInput({ ...PLAIN, ...HERE, prefix: false })),
      await geocoding.reverse(toInput({ ...HERE, language: undefined })),
    ])
      assert.deepEqual(withoutMessage(reply), { kind: "failed", code, retry_after_s });
    assert.equal(clock.pending(), 0);
  });

test("no maps provider: unavailable", async () => {
  const { geocoding, toInput } = desk(null);
  for (const reply of [
    await geocoding.geocode(toInput(PLAIN)),
    await geocoding.search(toInput({ ...PLAIN, ...HERE, prefix: false })),
    await geocoding.reverse(toInput({ ...HERE, language: undefined })),
  ])
    assert.deepEqual(withoutMessage(reply), { kind: "failed", code: NONE, retry_after_s: null });
});

test("an old answer that may still be given beats every failure: 200, a hit, not to be kept", async () => {
  for (const [, failure] of TABLE) {
    const rescue = storedOf([candidate("old")], start_ms - 90_000_000);
    const { geocoding, toInput } = desk(() => ({ ...failure, rescue }));
    const reply = await geocoding.geocode(toInput(PLAIN));
    const { results, meta } = bodyOf(reply);
    assert.deepEqual(
      results.map(({ name }) => name),
      ["old"],
    );
    assert.equal(meta.cache, "hit");
    assert.ok(reply.kind === "ok" && reply.max_age_s === 0);
  }
});

test("an old answer of nothing is an answer too", async () => {
  const rescue = storedOf([], start_ms - 90_000_000);
  const { geocoding, toInput } = desk(() => ({ ...TABLE[0]![1], rescue }));
  assert.deepEqual(bodyOf(await geocoding.geocode(toInput(PLAIN))).results, []);
});

test("max_age: what is left of it, 30 s at most, none of what is shown while it is renewed", async () => {
  for (const [left_ms, expected] of [
    [9_999, 9],
    [86_400_000, 30],
    [0, 0],
    [-5_000, 0],
  ] as const) {
    const { geocoding, toInput } = desk((now_ms) => ({
      status: "ok",
      cache: "hit",
      stored: storedOf([], now_ms, now_ms + left_ms),
    }));
    const reply = await geocoding.geocode(toInput(PLAIN));
    assert.ok(reply.kind === "ok");
    assert.equal(reply.max_age_s, expected);
  }
});

test("it waits until 50 ms before the deadline, or until the caller is gone", async () => {
  const ends: string[] = [];
  const wait = async ({ signal }: AskOptions): Promise<unknown> => ends.push(await leftBy(signal));
  const { geocoding, toInput, clock } = desk(() => ({ ...TABLE[0]![1], rescue: null }), wait);
  const reply = geocoding.geocode(toInput(PLAIN));
  await clock.advance(2_449);
  assert.deepEqual(ends, []);
  await clock.advance(1);
  await reply;
  assert.deepEqual(ends, ["deadline"]);
  const person = new AbortController();
  const other = geocoding.geocode(toInput(PLAIN, person.signal));
  await turn();
  person.abort();
  await other;
  assert.deepEqual([ends, clock.pending()], [["deadline", "aborted"], 0]);
});
