/**
 * What a bounded search answers is what one without bounds does (naive-places.ts), whatever lies in
 * the circle; and what it makes is bounded, whatever lies there.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Budget } from "#kit/budget.ts";
import { distance_m } from "#kit/geo.ts";
import { toEnd } from "#kit/steps.ts";
import { type PlaceHit, PlaceHits, hitsAmong, hitsOf, NO_FACTS } from "#core/places/place-hits.ts";
import { displayNameOf } from "#core/places/place-naming.ts";
import { type Place, PLACE_KINDS, type PlaceKind } from "#core/places/place.ts";
import { type OpenItem, placeId } from "#core/places/place-results.ts";
import { createPlaceBudget, selectPlaces, type PlaceSelection } from "#core/places/select.ts";
import type { ServiceToken } from "#core/places/place-tokens.ts";
import {
  hasConnector,
  isForWheelchairs,
  isFree,
  isPublic,
  type Wish,
} from "#core/places/usable-filter.ts";
import { PlaceSetBuilder } from "#world/places/place-set.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import { tilesOf } from "#kit/tiles.ts";
import { forAll, HERE, moved } from "../../../support/domain.ts";
import { naively, type NaiveQuestion } from "../../../support/naive-places.ts";
import { aPlace, travelled } from "../../../support/places.ts";
import { sized } from "../../../support/size.ts";

const TOKENS: ServiceToken[] = [
  ...(["aed", "toilets", "drinking_water", "fountain"] as const),
  ...(["wifi", "parking", "charging", "locker"] as const),
];
const SOURCES = ["a", "b", "c"] as const;

/** Crowded on a few spots, along a ring of one stated distance, and spread: skewed as cities are. */
const spot = fc.oneof(
  fc.constantFrom(HERE, moved(HERE, 100), moved(HERE, 399.9), moved(HERE, 415)),
  fc.double({ min: 0, max: 6.28, noNaN: true }).map((angle) => travelled(HERE, 250.2, angle)),
  fc
    .tuple(fc.integer({ min: 0, max: 4_500 }), fc.double({ min: 0, max: 6.28, noNaN: true }))
    .map(([decimetres, angle]) => travelled(HERE, decimetres / 10, angle)),
  fc.tuple(fc.nat(60), fc.nat(60)).map(([north, east]) => moved(moved(HERE, 150), north, east)),
);
const attributes = fc.record(
  {
    wheelchair: fc.constantFrom("yes", "no", "limited", "unknown"),
    fee: fc.boolean(),
    access: fc.constantFrom("yes", "customers", "restricted"),
    parking: fc.constantFrom({ features: ["free_street_parking"] }, { features: [] }),
    charging: fc.constantFrom(
      { connectors: [{ type: "CCS2", max_kw: 150 }] },
      { connectors: [{ type: "Type2" }] },
      {},
    ),
  },
  { requiredKeys: [] },
);
const sketch = fc.tuple(
  fc.constantFrom(...PLACE_KINDS),
  fc.constantFrom(...SOURCES),
  spot,
  attributes,
  fc.constantFrom(null, null, "Hall", "Hall 2", "Square"),
  // Keys that several share, at any distance.
  fc.option(fc.constantFrom("k1", "k2", "k3"), { nil: undefined }),
  fc.constantFrom("yes", "no", "unknown", undefined),
);
const world = fc.array(sketch, { maxLength: 60 }).map((rows) =>
  rows.map(([kind, source_id, at, entry, name, key, drinking_water], n) =>
    aPlace(`${n}`, {
      ...{ kind, source_id, name, keys: key ? [key] : [] },
      // Only water says whether one may drink it.
      attributes: kind === "water" && drinking_water ? { ...entry, drinking_water } : entry,
      ...at,
      opening: n % 3 === 0 ? { text: "24/7" } : undefined,
    } as Partial<Place>),
  ),
);

const WISHES: readonly Wish<OpenItem>[] = [
  {
    count: "hours",
    filter: "usable",
    fits: ({ opening, external_id }) => (opening ? external_id.endsWith("0") : null),
  },
  {
    count: "wheelchair",
    filter: "wheelchair",
    fact: "wheelchair",
    fits: ({ attributes: known_attributes }) => isForWheelchairs(known_attributes),
  },
  {
    count: "fee",
    filter: "fee",
    fact: "free",
    fits: ({ attributes: known_attributes }) => isFree(known_attributes),
  },
  {
    count: "access",
    filter: "access",
    fact: "public",
    fits: ({ attributes: known_attributes }) => isPublic(known_attributes),
  },
  {
    count: "connector",
    filter: "connector",
    kind: "charging",
    fits: ({ service_type, attributes: known_attributes }) =>
      service_type !== "charging" ||
      hasConnector(known_attributes, { types: ["CCS2"], min_kw: 50, free: false }),
  },
];
const question: fc.Arbitrary<NaiveQuestion> = fc.record({
  radius_m: fc.constantFrom(100, 250, 400),
  limit: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(200)),
  tokens: fc.subarray(TOKENS, { minLength: 1 }),
  wishes: fc.subarray([...WISHES], { maxLength: 2 }),
  strict: fc.boolean(),
  language: fc.constantFrom(null, "fr"),
});

const CIRCLE = { ...HERE, radius_m: 550 };
const foundOf = (places: readonly Place[]): PlaceHit[] =>
  places
    .map((place) => ({ place, distance_m: distance_m(HERE.lat, HERE.lon, place.lat, place.lon) }))
    .filter(({ distance_m: metres }) => metres <= CIRCLE.radius_m);

/** Ways in which a source may have its places: at hand, packed, in tiles, and packed without facts. */
const WAYS: Readonly<Record<string, (places: readonly Place[]) => PlaceHits>> = {
  list: (places) => hitsOf(foundOf(places)),
  packed: (places) => {
    const builder = new PlaceSetBuilder();
    for (const place of places) assert.ok(builder.add(place));
    return builder.finish(0).search(CIRCLE, { budget: createPlaceBudget() });
  },
  tiles: (places) => {
    const tiles = createTiles();
    tiles.put([...PLACE_KINDS], tilesOf(HERE.lat, HERE.lon, 2_000), places, 0);
    return tiles.search([...PLACE_KINDS], CIRCLE, { budget: createPlaceBudget() });
  },
  old: (places) => {
    const match = foundOf(places);
    const hits = hitsOf(match);
    const facts = match.map(() => NO_FACTS);
    return new PlaceHits(
      { metres: hits.metres, kinds: hits.kinds, facts },
      (hit) => match[hit]!.place,
    );
  },
};

function select(
  sources: readonly PlaceHits[],
  naive_question: NaiveQuestion,
  budget = createPlaceBudget(),
): PlaceSelection {
  return toEnd(
    selectPlaces(sources, { ...naive_question, budget, toId: placeId, toName: displayNameOf }),
  );
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a bounded search", () => {
  for (const [way, toHits] of Object.entries(WAYS))
    test(`answers what one without bounds does, of sources that are ${way}`, () => {
      let merged = 0;
      let cut = 0;
      forAll(
        fc.property(world, question, (places, request) => {
          const wanted = places.filter(({ kind }) =>
            request.tokens.some((token) => kind === kindOf(token)),
          );
          const bySource = SOURCES.map((id) => wanted.filter(({ source_id }) => source_id === id));
          const expected = naively(bySource.map(foundOf), request);
          const { counted_m, ...selected } = select(bySource.map(toHits), request);
          assert.equal(counted_m, null);
          assert.deepEqual(plain(selected), plain(expected));
          merged += expected.items.filter((item) => "sources" in item.attributes).length;
          if (expected.total > request.limit) cut++;
        }),
        1_500,
      );
      assert.ok(merged > sized(5, 20) && cut > sized(5, 20), `${merged} merged, ${cut} cut`);
    });
});

function kindOf(token: ServiceToken): PlaceKind {
  return token === "drinking_water" || token === "fountain" ? "water" : token;
}

/** Hits that count what is made of them. */
function counting(places: readonly Place[]): { hits: PlaceHits; made(): number } {
  const match = foundOf(places);
  const made = new Set<number>();
  const hits = new PlaceHits(hitsOf(match), (hit) => (made.add(hit), match[hit]!.place));
  return { hits, made: () => made.size };
}

const PLAIN: NaiveQuestion = {
  radius_m: 400,
  limit: 20,
  tokens: TOKENS,
  wishes: [],
  language: null,
};

/** Every few centimetres along a spiral. */
const dense = (count: number, change: Partial<Place> = {}): Place[] =>
  Array.from({ length: count }, (_, n) =>
    aPlace(`${n}`, { ...travelled(HERE, 1 + (390 * n) / count, n), ...change }),
  );

describe("what a search makes", () => {
  test("of one source is what it shows, and what states the same distance as the last", () => {
    const { hits, made } = counting(dense(50_000, { kind: "water" }));
    const { items, total, counted_m } = select([hits], PLAIN);
    assert.deepEqual([items.length, total, counted_m], [20, 50_000, null]);
    assert.ok(made() <= 20 + 130, `${made()} made`);
  });

  test("of places all at the same distance is bounded, and all are counted", () => {
    const ring = Array.from({ length: 20_000 }, (_, n) =>
      aPlace(`${n}`, travelled(HERE, 300, (2 * Math.PI * n) / 20_000)),
    );
    const { hits, made } = counting(ring);
    const { items, total } = select([hits], PLAIN);
    assert.deepEqual([items.length, total], [20, 20_000]);
    assert.ok(made() <= 6_000, `${made()} made`);
  });

  test("of several sources is bounded; beyond, the answer is that of a smaller circle, and says so", () => {
    const spiral = (source_id: string, beyond_m: number) =>
      counting(
        Array.from({ length: 2_000 }, (_, n) =>
          aPlace(`${n}`, { source_id, ...travelled(HERE, n / 5 + beyond_m, n / 7) }),
        ),
      );
    // What leads lies a little further out than what follows.
    const [a, b] = [spiral("a", 13), spiral("b", 1)];
    const { items, total, counted_m } = select([a.hits, b.hits], PLAIN);
    assert.ok(a.made() + b.made() <= 2_000, `${a.made() + b.made()} made`);
    assert.ok(counted_m !== null && counted_m < 400);
    const lists = [a, b].map(({ hits }) => [...hits]);
    const smaller = naively(lists, { ...PLAIN, radius_m: counted_m });
    assert.deepEqual(plain(items), plain(smaller.items));
    assert.equal(total, smaller.total);
  });

  test("for a filter that reads whole places is bounded, and says up to where it looked", () => {
    const closed = { opening: { text: "off" } };
    const { hits, made } = counting(dense(30_000, closed));
    const { items, total, counted_m } = select([hits], { ...PLAIN, wishes: WISHES.slice(0, 1) });
    assert.ok(made() <= 2_000, `${made()} made`);
    assert.ok(total < 30_000 && items.length > 0);
    assert.ok(counted_m !== null && counted_m < 400, `${counted_m}`);
  });

  test("of two heaps on one point is bounded, and so is what is compared", () => {
    const heap = (source_id: string) =>
      counting(Array.from({ length: 5_000 }, (_, n) => aPlace(`${n}`, { source_id })));
    const [a, b] = [heap("a"), heap("b")];
    const started = process.cpuUsage();
    const { items, counted_m } = select([a.hits, b.hits], PLAIN);
    const { user } = process.cpuUsage(started);
    assert.ok(items.length > 0, "what lies there is shown");
    assert.equal(counted_m, 0);
    assert.ok(a.made() + b.made() <= 2_000);
    assert.ok(user < 5_000_000, `${user} µs`);
  });

  test("is within the budget that other finders have left", () => {
    const { hits, made } = counting(dense(5_000));
    const budget = new Budget({ looks: 0, keeps: 7 });
    const { items, counted_m } = select([hits], PLAIN, budget);
    assert.deepEqual([items.length, made()], [7, 7]);
    assert.notEqual(counted_m, null, "fewer than wanted are no end of the list");
  });

  test("of a register that is denser than may be looked at is what is nearest", () => {
    const builder = new PlaceSetBuilder();
    const places = Array.from({ length: 30_000 }, (_, n) =>
      aPlace(`${n}`, { kind: "aed", ...travelled(HERE, (4_900 * n) / 30_000, n) }),
    );
    for (const place of places) builder.add(place);
    const budget = new Budget({ looks: 10_000, keeps: 1_000 });
    const hits = builder.finish(0).search({ ...HERE, radius_m: 5_000 }, { budget });
    assert.ok(hits.whole_m < 5_000 && hits.length > 0, `${hits.whole_m}`);
    const all = { ...HERE, radius_m: hits.whole_m };
    assert.equal(hits.length, hitsAmong(places, all, createPlaceBudget()).length);
    const { items, total, counted_m } = select([hits], { ...PLAIN, radius_m: 5_000 }, budget);
    assert.ok(counted_m !== null && counted_m < hits.whole_m);
    const near = [...hitsAmong(places, { ...HERE, radius_m: 500 }, createPlaceBudget())];
    assert.deepEqual(plain(items), plain(naively([near], { ...PLAIN, radius_m: 500 }).items));
    assert.ok(total > 1_000);
  });
});

test("of car parks of several sources no more than the nearest twenty are named, and that is said", () => {
  const carPark = (source_id: string, n: number, east: number): Place =>
    aPlace(`${source_id}${n}`, {
      kind: "parking",
      source_id,
      name: `${source_id} ${n}`,
      ...moved(HERE, 0, east),
    });
  const rows = (source: string, first: number): Place[] =>
    Array.from({ length: 18 }, (_, n) => carPark(source, n, first + n * 40));
  const { items, total, ends } = toEnd(
    selectPlaces(
      [rows("a", 10), rows("b", -1_000)].map((places) => hitsOf(places.map(foundAt))),
      {
        tokens: ["parking"],
        radius_m: 2_000,
        limit: 200,
        wishes: [],
        language: null,
        budget: createPlaceBudget(),
        facilities_max: 20,
        toId: placeId,
        toName: displayNameOf,
      },
    ),
  );
  assert.equal(items.length, 20);
  assert.equal(total, 20);
  const last_m = Math.floor(items.at(-1)!.distance_meters);
  assert.deepEqual(
    ends.map(({ kind, shown }) => [kind, shown]),
    [["parking", 20]],
  );
  assert.ok(Math.abs(ends[0]!.within_m - last_m) <= 1);
});

test("filters go before the cut: what they leave out takes no place of what fits", () => {
  // The nearest 25 cost something, of the 10 beyond the half are free, and of the others nothing is known.
  const places = Array.from({ length: 35 }, (_, n) =>
    aPlace(`${n}`, {
      ...{ kind: "parking", ...moved(HERE, 0, 10 + n * 10) },
      attributes: n < 25 ? { fee: true } : n % 2 === 0 ? { fee: false } : {},
    }),
  );
  const free = WISHES.filter(({ count }) => count === "fee");
  const wide = { ...PLAIN, tokens: ["parking" as const], wishes: free, facilities_max: 4 };
  const narrow = (strict: boolean): PlaceSelection =>
    toEnd(
      selectPlaces([hitsOf(places.map(foundAt))], {
        ...{ ...wide, strict, budget: createPlaceBudget() },
        ...{ toId: placeId, toName: displayNameOf },
      }),
    );
  const { items, total, unknown, nearest_known, ends } = narrow(false);
  assert.deepEqual(
    items.map(({ external_id, match }) => [external_id, match]),
    [
      ["25", "unknown"],
      ["26", "known"],
      ["27", "unknown"],
      ["28", "known"],
    ],
  );
  assert.deepEqual([total, unknown, nearest_known?.id], [4, { fee: 2 }, items[1]!.id]);
  assert.deepEqual(
    ends.map(({ shown }) => shown),
    [4],
  );
  const strict = narrow(true);
  assert.deepEqual(
    strict.items.map(({ external_id }) => external_id),
    ["26", "28", "30", "32"],
  );
  assert.deepEqual(strict.unknown, { fee: 0, left_out: 4 });
  // Where no source states the fee, none is known to be free, however many there are.
  const silent = Array.from({ length: 900 }, (_, n) =>
    aPlace(`${n}`, { kind: "parking", ...moved(HERE, 0, n / 3) }),
  );
  const none = toEnd(
    selectPlaces([hitsOf(silent.map(foundAt))], {
      ...{ ...wide, budget: createPlaceBudget(), toId: placeId, toName: displayNameOf },
    }),
  );
  assert.deepEqual([none.total, none.nearest_known, none.counted_m], [4, null, null]);
  // Far behind many of which nothing is known it is looked for, and where it was not is said.
  const far = [
    ...silent,
    aPlace("free", { kind: "parking", attributes: { fee: false }, ...moved(HERE, 0, 390) }),
  ];
  const ended = toEnd(
    selectPlaces([hitsOf(far.map(foundAt))], {
      ...{ ...wide, budget: createPlaceBudget(), toId: placeId, toName: displayNameOf },
    }),
  );
  assert.deepEqual([ended.total, ended.nearest_known], [4, null]);
  assert.ok(ended.counted_m !== null && ended.counted_m < 390, String(ended.counted_m));
});

function foundAt(place: Place): PlaceHit {
  return { place, distance_m: distance_m(HERE.lat, HERE.lon, place.lat, place.lon) };
}
