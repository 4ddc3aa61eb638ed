/** Any bytes, any JSON and any damaged answer: no reader throws, and what it gives is sound. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  checkMeant,
  GEOCODERS,
  listPairs,
  type Operation,
  type Provider,
  PROVIDERS,
  QUERY,
  readAs,
  SETTINGS,
} from "./support.ts";
import { anyText } from "../../../support/any-text.ts";
import { tries } from "../../../support/size.ts";

/** Member names of real answers, so that arbitrary objects reach the deeper branches. */
const MEMBERS = [
  ...["features", "geometry", "coordinates", "properties", "geocoding", "errors", "error", "code"],
  ...["name", "label", "display_name", "type", "osm_type", "osm_id", "osm_key", "osm_value"],
  ...["lat", "lon", "address", "house_number", "road", "boundingbox", "place_rank", "category"],
  ...["layer", "gid", "source", "source_id", "postcode", "country", "__proto__", "toString"],
] as const;

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, "", " ", "-1", 1e308, -0, "0", "N", "way", "house", "\ud800"),
  fc.double(),
  fc.integer(),
  anyText(),
  fc.boolean(),
);
const tree = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    odd,
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom(...MEMBERS), tie("value"), { maxKeys: 8 }),
  ),
})).value;

const input = fc.record({
  operation: fc.constantFrom<Operation>("geocode", "search", "reverse"),
  status: fc.constantFrom(200, 200, 200, 204, 400, 403, 429, 503, 999, 0),
  query: fc.record({ country: fc.constantFrom(null, "FX") }),
  settings: fc.record({ countrycode: fc.boolean() }),
});

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(value) ?? "undefined");

test("no reader throws on any bytes or any JSON", () => {
  const bytes = fc.oneof(tree.map(encode), fc.jsonValue().map(encode), fc.uint8Array());
  fc.assert(
    fc.property(fc.constantFrom(...PROVIDERS), bytes, input, (provider, body, options) => {
      checkMeant(readAs(provider, body, options), provider);
    }),
    { numRuns: tries(2_000) },
  );
});

/** Replaces whatever is at the end of a path through a document. */
function damage(value: unknown, steps: readonly number[], by: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return by;
  const key = keys[step % keys.length]!;
  const next = damage((value as Record<string, unknown>)[key], rest, by);
  if (Array.isArray(value)) return value.with(Number(key), next);
  return { ...value, [key]: next };
}

const WHOLE: [Provider, unknown, Operation][] = PROVIDERS.flatMap((provider) =>
  listPairs(provider)
    .filter(({ expected }) => expected.ok)
    .map(({ body, expected }): [Provider, unknown, Operation] => [
      provider,
      JSON.parse(new TextDecoder().decode(body)),
      expected.given.operation ?? "geocode",
    ]),
);

test("one damaged member costs its candidate at most, and throws nothing", () => {
  assert.ok(WHOLE.length >= 15, `only ${WHOLE.length} documents`);
  fc.assert(
    fc.property(
      fc.constantFrom(...WHOLE),
      fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      odd,
      ([provider, document, operation], steps, by) => {
        const body = encode(damage(document, steps, by));
        checkMeant(readAs(provider, body, { operation }), provider);
      },
    ),
    { numRuns: tries(2_000) },
  );
});

test("no question makes an address that is none, or a header that breaks out", () => {
  const at = { lat: fc.double({ min: -90, max: 90, noNaN: true }) };
  const location = fc.record({ ...at, lon: fc.double({ min: -180, max: 180, noNaN: true }) });
  const query = fc.record({
    q: fc.oneof(anyText(), fc.string({ unit: "grapheme" })),
    language: fc.option(anyText()),
    near: fc.option(location),
  });
  fc.assert(
    fc.property(fc.constantFrom(...PROVIDERS), query, location, (provider, request, where) => {
      const { search, reverse } = GEOCODERS[provider];
      const requests = [
        search.request({ ...QUERY, ...request }, SETTINGS),
        reverse.request({ ...where, language: request.language }, SETTINGS),
      ];
      for (const { url, headers } of requests) {
        const { origin, searchParams } = new URL(url);
        assert.equal(origin, SETTINGS.url);
        assert.match(url, /^[!-~]+$/);
        for (const [name, value] of searchParams)
          if (/lat|lon|viewbox/.test(name)) assert.match(value, /^-?\d+(\.\d+)?(,-?\d+(\.\d+)?)*$/);
        assert.match(headers!["accept-language"]!, /^[A-Za-z0-9-]+$/);
      }
      const sent = new URL(requests[0]!.url).searchParams;
      assert.equal(sent.get(provider === "pelias" ? "text" : "q"), request.q.toWellFormed());
    }),
    { numRuns: tries(1_000) },
  );
});
