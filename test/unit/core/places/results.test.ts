/** From places to the results of §2.3: counted by token, ranked as stated, cut to the circle. */
import { SERVICE_TYPES } from "#api/tokens.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { toEnd } from "#kit/steps.ts";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import { type PlaceHit, hitsOf } from "#core/places/place-hits.ts";
import { displayNameOf } from "#core/places/place-naming.ts";
import type { Place } from "#core/places/place.ts";
import {
  byStatedDistance,
  createPlaceIds,
  PLACE_ID_PREFIX,
  placeId,
  type ServiceItem,
} from "#core/places/place-results.ts";
import { selectPlaces, type PlaceSelection } from "#core/places/select.ts";
import { kindsOf, type ServiceToken, tokenOf } from "#core/places/place-tokens.ts";
import { forAll, HERE, moved } from "../../../support/domain.ts";
import { aPlace, anyKind, options, travelled } from "../../../support/places.ts";

function toMatch(places: readonly Place[]): PlaceHit[] {
  return places.map((place) => ({
    place,
    distance_m: distance_m(HERE.lat, HERE.lon, place.lat, place.lon),
  }));
}

function listed(sources: readonly (readonly Place[])[], wish: Wish = {}): ServiceItem[] {
  return selected(sources.map(toMatch), wish).items;
}

type Wish = { tokens?: readonly ServiceToken[]; radius_m?: number; language?: string };

function selected(
  sources: readonly PlaceHit[][],
  { tokens = SERVICE_TYPES, radius_m = 400, language }: Wish = {},
): PlaceSelection {
  return toEnd(
    selectPlaces(
      sources.map((source) => hitsOf(source)),
      {
        tokens,
        radius_m,
        language: language ?? null,
        limit: 1_000,
        wishes: [],
        ...options(),
        toId: placeId,
        toName: displayNameOf,
      },
    ),
  );
}

const countsOf = (
  sources: readonly (readonly Place[])[],
  tokens: readonly ServiceToken[],
): Readonly<Record<string, number>> => selected(sources.map(toMatch), { tokens }).by_token;

test("kinds of tokens: each once; drinking water and fountain are one", () => {
  assert.deepEqual(kindsOf(["wifi", "fountain", "drinking_water"]), ["wifi", "water"]);
  assert.deepEqual(kindsOf(SERVICE_TYPES), [
    ...["aed", "toilets", "water", "wifi", "parking", "charging", "locker"],
  ]);
});

const WATERS = (["yes", "no", "unknown", undefined] as const).map((drinking_water, i) =>
  aPlace(`${i}`, { kind: "water", attributes: drinking_water ? { drinking_water } : {} }),
);

// Proves §4.6 alias
test("either token of water alone finds drinking points and fountains, under its own name", () => {
  const types = (token: ServiceToken) => WATERS.map((place) => tokenOf(place, [token, "aed"]));
  assert.deepEqual(types("fountain"), ["fountain", "fountain", "fountain", "fountain"]);
  assert.deepEqual(countsOf([WATERS], ["fountain"]), { fountain: 4 });
});

test("water that is not known to be potable is a fountain, even where only drinking water is wanted", () => {
  const types = WATERS.map((place) => [
    place.attributes["drinking_water"],
    tokenOf(place, ["drinking_water"]),
  ]);
  for (const [potable, token] of types)
    assert.equal(token, potable === "yes" ? "drinking_water" : "fountain");
  assert.deepEqual(countsOf([WATERS], ["drinking_water"]), { drinking_water: 1 });
});

test("both tokens together: what is potable is drinking water, all else a fountain, each once", () => {
  const tokens: ServiceToken[] = ["fountain", "drinking_water"];
  assert.deepEqual(
    WATERS.map((place) => tokenOf(place, tokens)),
    ["drinking_water", "fountain", "fountain", "fountain"],
  );
  assert.deepEqual(countsOf([WATERS], tokens), { fountain: 3, drinking_water: 1 });
});

// Proves §4.6 summary
test("the summary names every requested token, zeros included, in their order", () => {
  const counts = countsOf([[aPlace("1")]], ["wifi", "toilets", "locker"]);
  assert.deepEqual(Object.entries(counts), [
    ["wifi", 0],
    ["toilets", 1],
    ["locker", 0],
  ]);
});

test("the members of §2.3, and no others; a provider only where there is one", () => {
  const place = aPlace("node/1", { name: "Hall", attributes: { fee: "no" }, ...moved(HERE, 12.5) });
  const [item] = listed([[place]]);
  assert.deepEqual(JSON.parse(JSON.stringify(item)), {
    id: placeId(place),
    type: "service",
    service_type: "toilets",
    external_id: "node/1",
    name: "Hall",
    location: { lat: place.lat, lon: place.lon },
    distance_meters: item!.distance_meters,
    attributes: { fee: "no" },
    source_id: "openstreetmap",
    source_type: "community",
  });
  assert.ok([12, 13].includes(item!.distance_meters));
  const provider = { id: "ocpi", name: "OCPI" };
  assert.deepEqual(listed([[aPlace("1", { provider })]])[0]!.provider, provider);
});

test("ids: the same thing of the same source has one, whatever else is said of it", () => {
  const place = aPlace("1");
  assert.equal(placeId(place), placeId({ ...place, ...moved(HERE, 9), name: "other" }));
  assert.ok(placeId(place).startsWith(PLACE_ID_PREFIX));
  const others = [
    aPlace("2"),
    aPlace("1", { kind: "aed" }),
    aPlace("1", { source_id: "refuge_restrooms" }),
  ];
  assert.equal(new Set([place, ...others].map(placeId)).size, 4);
  const toId = createPlaceIds();
  for (const each of [place, ...others, place]) assert.equal(toId(each), placeId(each));
});

// Proves §1 distances
test("stated distances are rounded half up, and the radius is tested before", () => {
  const found = (metres: number): PlaceHit[] => [{ place: aPlace("1"), distance_m: metres }];
  const stated = (metres: number, radius_m: number): number[] =>
    selected([found(metres)], { tokens: ["toilets"], radius_m }).items.map(
      ({ distance_meters }) => distance_meters,
    );
  assert.deepEqual(stated(99.5, 100), [100]);
  assert.deepEqual(stated(99.49, 100), [99]);
  assert.deepEqual(stated(100.4, 100.4), [100]);
  assert.deepEqual(stated(100.4, 100.3), []);
});

test("a thing lies where its leader puts it: outside the circle or inside it", () => {
  const inside = moved(HERE, 95);
  const outside = moved(HERE, 105);
  const leader = (at: typeof HERE): Place[] => [
    aPlace("1", { source_id: "refuge_restrooms", ...at }),
  ];
  const follower = (at: typeof HERE): Place[] => [aPlace("1", at)];
  assert.deepEqual(listed([leader(outside), follower(inside)], { radius_m: 100 }), []);
  const [item, ...rest] = listed([leader(inside), follower(outside)], { radius_m: 100 });
  assert.deepEqual([item!.source_id, rest.length], ["refuge_restrooms", 0]);
  assert.deepEqual(item!.attributes["sources"], [
    { source_id: "refuge_restrooms", external_id: "1" },
    { source_id: "openstreetmap", external_id: "1" },
  ]);
});

test("other kinds on the same spot are other things", () => {
  const one = aPlace("1", { source_id: "refuge_restrooms" });
  assert.equal(listed([[one], [aPlace("1", { kind: "aed" })]]).length, 2);
});

test("names in the language of the question, its language without the region, else the name", () => {
  const place = aPlace("1", { name: "Rathaus", names: { fr: "Mairie", "pt-BR": "Prefeitura" } });
  const nameIn = (language?: string): string =>
    listed([[place]], language === undefined ? {} : { language })[0]!.name;
  assert.deepEqual([undefined, "fr", "fr-CA", "FR", "pt-BR", "pt", "de"].map(nameIn), [
    "Rathaus",
    "Mairie",
    "Mairie",
    "Mairie",
    "Prefeitura",
    "Rathaus",
    "Rathaus",
  ]);
});

const places = (source_id: string): fc.Arbitrary<Place[]> =>
  fc
    .array(
      fc.tuple(
        anyKind,
        fc.oneof(fc.double({ min: 0, max: 500, noNaN: true }), fc.constantFrom(0, 100, 400)),
        fc.double({ min: 0, max: 6.28, noNaN: true }),
      ),
      { maxLength: 25 },
    )
    .map((rows) =>
      rows.map(([kind, metres, bearing], i) =>
        aPlace(`${i}`, { kind, source_id, ...travelled(HERE, metres, bearing) }),
      ),
    );

test("any scene: sorted by stated distance, then id bytes; in the circle; the summary adds up", () => {
  const tokens: ServiceToken[] = ["aed", "toilets", "fountain", "drinking_water", "wifi"];
  forAll(
    fc.property(places("a"), places("b"), (a, b) => {
      const items = listed([a, b], { tokens });
      const sorted = items.toSorted(
        (x, y) =>
          x.distance_meters - y.distance_meters || Buffer.from(x.id).compare(Buffer.from(y.id)),
      );
      assert.deepEqual(items, sorted);
      assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
      for (const { location, distance_meters } of items) {
        const metres = distance_m(HERE.lat, HERE.lon, location.lat, location.lon);
        assert.ok(metres <= 400);
        assert.equal(distance_meters, Math.floor(metres + 0.5));
      }
      const counts = countsOf([a, b], tokens);
      assert.equal(
        Object.values(counts).reduce((x, y) => x + y, 0),
        items.length,
      );
      for (const token of tokens)
        assert.equal(
          counts[token],
          items.filter(({ service_type }) => service_type === token).length,
        );
      assert.deepEqual(listed([a.toReversed(), b.toReversed()], { tokens }), items);
    }),
    400,
  );
});

test("the order is that of bytes: no locale has a say", () => {
  const item = (id: string): ServiceItem => ({ ...listed([[aPlace("1")]])[0]!, id });
  const ids = ["svc_place_b", "svc_place_B", "svc_place_a", "svc_place_1"];
  assert.deepEqual(
    ids
      .map(item)
      .sort(byStatedDistance)
      .map(({ id }) => id),
    ["svc_place_1", "svc_place_B", "svc_place_a", "svc_place_b"],
  );
});
