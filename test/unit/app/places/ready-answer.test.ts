/** Answers that wait for nothing are, byte by byte, those of the search that has turns. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createOpenStates } from "#app/places/open-states.ts";
import type { Finder } from "#app/places/place-finder.ts";
import { tileFinder } from "#app/places/place-finders.ts";
import type { PlacesQuestion } from "#app/places/place-answer.ts";
import { createPlaceSearches } from "#app/places/place-search.ts";
import type { SearchOptions } from "#core/places/place-columns.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { Circle } from "#world/system-entry.ts";
import { FACILITIES } from "#core/places/select.ts";
import { SERVICE_TYPES } from "#api/tokens.ts";
import { PlaceSetBuilder } from "#world/places/place-set.ts";
import { createBasePlaces, inFrontOf, type PlaceBase } from "#world/places/base-places.ts";
import { OnePage } from "#upstream/bases/one-page.ts";
import { PlaceHits } from "#core/places/place-hits.ts";
import { HERE } from "../../../support/domain.ts";
import { createWatchedClock } from "../../../support/lookup.ts";
import { aPlace, NO_FILTERS, travelled } from "../../../support/places.ts";
import { tries } from "../../../support/size.ts";

const KINDS: readonly PlaceKind[] = ["aed", "toilets", "water", "wifi", "parking", "charging"];
const HOUR_MS = 3_600_000;

const anyAttributes = fc.record(
  {
    drinking_water: fc.constantFrom("yes", "no"),
    wheelchair: fc.constantFrom("yes", "limited", "no"),
    operator: fc.constantFrom("Stadt", "Ville de Genève", "東京都"),
    open_status: fc.constant("unknown"),
    availability: fc.record({ observed_at: fc.constant("2026-11-23T09:55:00Z") }),
    distance_meters: fc.constantFrom(1, 2),
  },
  { requiredKeys: [] },
);
const anyChange = fc.record(
  {
    name: fc.constantFrom(null, "Zürich “Süd”", "駅前 \u2028", 'A "quoted" \\ name'),
    names: fc.constant({ fr: "Gare", ja: "駅" }),
    address: fc.record({ street: fc.constantFrom("Rue de l’Éte", "Main Street") }),
    opening: fc.constantFrom(
      { text: "Mo-Fr 08:00-18:00; PH off" },
      { text: "24/7" },
      { text: "what is this" },
      { text: "Mo-Su 10:00-10:15", time_zone: "Asia/Tokyo" },
    ),
    provider: fc.constant({ id: "p", name: "Provider é" }),
  },
  { requiredKeys: [] },
);
const anyPlace = fc
  .tuple(fc.constantFrom(...KINDS), anyChange, anyAttributes, fc.nat(1200), fc.nat(6))
  .map(([kind, change, attributes, metres, bearing]) => ({
    ...change,
    kind,
    attributes,
    ...travelled(HERE, metres, bearing),
  }));
const anyQuestion = fc.record({
  types: fc.uniqueArray(fc.constantFrom(...SERVICE_TYPES), { minLength: 1, maxLength: 7 }),
  language: fc.constantFrom(undefined, "fr", "ja", "xx"),
  radius: fc.constantFrom(0, 1, 300, 800, 1500, 20_000),
  limit: fc.constantFrom(1, 3, 50, 500),
});

/** The open map over a base, as source-finders.ts has it: one finder for its own kinds, and for each facility. */
function town(places: readonly Place[]) {
  const clock = createWatchedClock();
  const builder = new PlaceSetBuilder();
  for (const place of places) builder.add(place);
  const set = builder.finish(0);
  // Places are the same objects for every question, as in a page.
  const made = new Map<string, Place>();
  const search = (kinds: readonly PlaceKind[], circle: Circle, options: SearchOptions) => {
    const all = set.search(circle, options);
    const own = Array.from({ length: all.length }, (_, hit) => hit).filter((hit) =>
      kinds.includes(all.kindAt(hit)),
    );
    const hits = new PlaceHits(
      all,
      (hit) => {
        const place = all.placeAt(hit);
        const key = `${place.kind} ${place.external_id}`;
        if (!made.has(key)) made.set(key, place);
        return made.get(key)!;
      },
      all.whole_m,
    );
    return hits.pick(own);
  };
  const base: PlaceBase = {
    statement: { id: "b", data_at: "2026-01-01T00:00:00.000Z" } as PlaceBase["statement"],
    covers: () => true,
    coversCircle: ({ radius_m }) => radius_m < 9_000,
    pages: new OnePage({ search, rows: null }),
  };
  const bases = createBasePlaces(() => [base]);
  const nowhere = { search: () => assert.fail("tiles"), oldest: () => assert.fail("tiles") };
  const tiles = inFrontOf(nowhere, bases, clock.now);
  const own = (kinds: readonly PlaceKind[]) => kinds.filter((kind) => !FACILITIES.includes(kind));
  const published = new WeakMap<Place, Place>();
  const shared = {
    ...{ tiles, endsIn: bases.endsIn, fresh_ms: HOUR_MS, replaces: false as const },
    together: ({ kinds }: { kinds: readonly PlaceKind[] }) => kinds,
    ask: () => assert.fail("asked"),
  };
  const finders: Finder[] = [
    tileFinder({
      ...shared,
      key: "openstreetmap",
      kinds: ({ kinds }) => own(kinds).filter((kind) => kind !== "locker"),
    }),
    ...FACILITIES.map((facility) =>
      tileFinder({
        ...shared,
        key: "maps",
        kinds: ({ kinds }) => kinds.filter((kind) => kind === facility),
        most: ({ maps_limit }) => maps_limit,
        as: (place) => {
          if (!published.has(place)) published.set(place, { ...place, source_id: "maps" });
          return published.get(place)!;
        },
      }),
    ),
  ];
  const countries = () => Promise.resolve(() => ["FR"]);
  const searches = createPlaceSearches({
    ...{ finders, clock, countries, maps: { id: "maps", name: "Maps" } },
    openStates: createOpenStates({
      countries,
      timezones: () => Promise.resolve(() => "Europe/Paris"),
    }),
    baseAt: (at) => bases.answeringAt(at)?.statement ?? null,
  });
  const inputOf = (change: Partial<PlacesQuestion>) => ({
    question: {
      ...{ ...HERE, types: ["toilets" as const], country: undefined, radius: 1500, limit: 50 },
      ...{ debug: false, language: undefined, ...NO_FILTERS, connector: undefined, min_kw: 0 },
      ...change,
    },
    ...{ deadline_ms: clock.now() + 3_000, now_ms: clock.now() },
    signal: new AbortController().signal,
  });
  return { clock, ...searches, inputOf };
}

type Town = ReturnType<typeof town>;

const SEARCHES = ["services", "parking", "charging"] as const;

async function compare(
  here: Town,
  change: Partial<PlacesQuestion>,
  name: (typeof SEARCHES)[number] = "services",
) {
  const input = here.inputOf(change);
  const search = here[name];
  const plain = await search(input);
  assert.ok(!("kind" in plain));
  // Few texts are made at once: the next question finds those that this one has made.
  let ready = search.atOnce!(input);
  for (let again = 0; ready === null && again < 60; again++) ready = search.atOnce!(input);
  if (ready === null) return false;
  const { bytes, ...rest } = ready;
  const { body, ...expected } = plain;
  assert.equal(Buffer.from(bytes).toString(), JSON.stringify(body));
  assert.deepEqual(rest, expected);
  return true;
}

test("texts that are joined are the answer of the search, at any time and in any language", async () => {
  let equal = 0;
  const drawn = fc.tuple(
    fc.array(anyPlace, { maxLength: 40 }),
    fc.array(fc.tuple(anyQuestion, fc.nat(30)), { minLength: 1, maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(drawn, async ([changes, questions]) => {
      const here = town(changes.map((change, n) => aPlace(`node/${n}`, change)));
      for (const [change, hours] of questions) {
        await here.clock.advance(hours * HOUR_MS);
        for (const name of SEARCHES) if (await compare(here, change, name)) equal++;
      }
    }),
    { numRuns: tries(200) },
  );
  assert.ok(equal > 3 * tries(200), `${equal} were joined`);
});

test("a question that wishes for more than what is near is left to the search", async () => {
  const here = town([aPlace("node/1")]);
  assert.equal(here.services.atOnce!(here.inputOf({})), null, "before its maps are loaded");
  assert.equal(await compare(here, {}), true);
  const wishes: Partial<PlacesQuestion>[] = [
    { debug: true },
    { usable: "now" },
    { usable: "2026-11-24T10:00:00Z" },
    { wheelchair: "yes" },
    { fee: "no" },
    { walk: true },
    { sort: "walk" },
    { within_minutes: 5 },
  ];
  for (const wish of wishes)
    assert.equal(here.services.atOnce!(here.inputOf(wish)), null, JSON.stringify(wish));
  // A type that no source here knows is said, and costs no wait.
  assert.equal(await compare(here, { types: ["toilets", "locker"] }), true);
});

test("a crowd is left to the search, and a cold page of texts is made in several questions", async () => {
  const around = (count: number): Place[] =>
    Array.from({ length: count }, (_, n) => aPlace(`node/${n}`, travelled(HERE, n % 900, n)));
  const crowd = town(around(1_200));
  assert.equal(await compare(crowd, { limit: 1 }), false);
  const cold = town(around(40));
  await cold.services(cold.inputOf({}));
  const answers = Array.from({ length: 6 }, () => cold.services.atOnce!(cold.inputOf({})) !== null);
  assert.deepEqual(answers, [false, false, false, false, true, true]);
});
