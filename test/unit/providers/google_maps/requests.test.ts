/** What is asked, where, and with what mask; and that the key is in nothing that may be logged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as around from "#providers/google_maps/around.ts";
import { googleGeocoder } from "#providers/google_maps/google-geocoder.ts";
import { googleInterests } from "#providers/google_maps/google-interests.ts";
import descriptor from "#providers/google_maps/index.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { toLookup } from "#providers/source.ts";
import { AROUND, GEOCODE, REVERSE, SETTINGS } from "./readers.ts";

const geocode = toLookup(descriptor, googleGeocoder.geocode);
const search = toLookup(descriptor, googleGeocoder.search);
const reverse = toLookup(descriptor, googleGeocoder.reverse);
const googleParking = toLookup(descriptor, around.googleParking);
const googlePlaces = toLookup(descriptor, googleInterests.reader);
const googleCharging = toLookup(descriptor, around.googleCharging);
const bodyOf = (request: SourceRequest): unknown => JSON.parse(request.body ?? "null");
const maskOf = (request: SourceRequest) => request.headers?.["x-goog-fieldmask"];

test("geocoding: the text, a country as a filter, and a language twice", () => {
  const query = { ...GEOCODE, q: "5 rue & co, Sète", country: "FR", language: "fr-FR" };
  const request = geocode.request(query, SETTINGS);
  const url = new URL(request.url);
  assert.equal(url.origin + url.pathname, "https://maps.example/maps/api/geocode/json");
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    address: query.q,
    components: "country:FR",
    language: "fr-FR",
  });
  assert.equal(request.headers?.["accept-language"], "fr-FR");
  assert.deepEqual(request.auth, { kind: "query", name: "key", value: SETTINGS.api_key });
  assert.equal(request.method ?? "GET", "GET");
  assert.equal(request.timeout_ms, SETTINGS.timeout_ms);
  assert.equal(request.refusal_bytes, 16_384);
});

test("without a country or a language nothing is said about them", () => {
  const request = geocode.request(GEOCODE, SETTINGS);
  assert.equal(request.url, "https://maps.example/maps/api/geocode/json?address=rue+des+Lilas");
  assert.equal("accept-language" in (request.headers ?? {}), false);
});

test("reverse: latitude first, no space, never an exponent", () => {
  const latlngOf = (lat: number, lon: number) =>
    new URL(reverse.request({ ...REVERSE, lat, lon }, SETTINGS).url).searchParams.get("latlng");
  assert.equal(latlngOf(48.1234567, -2.5), "48.123457,-2.5");
  assert.equal(latlngOf(1e-7, -1e-9), "0,0");
  assert.equal(latlngOf(0.000001, 180), "0.000001,180");
});

test("text search: five, a bias where there is a point, and the cheap mask", () => {
  const near = { lat: 48.1, lon: 2.3 };
  const request = search.request({ ...GEOCODE, near, language: "de" }, SETTINGS);
  assert.equal(request.url, "https://places.example/v1/places:searchText");
  assert.equal(request.method, "POST");
  assert.equal(request.headers?.["content-type"], "application/json");
  assert.equal(request.headers?.["accept-language"], "de");
  const circle = { center: { latitude: 48.1, longitude: 2.3 }, radius: 20_000 };
  assert.deepEqual(bodyOf(request), {
    textQuery: GEOCODE.q,
    pageSize: 5,
    languageCode: "de",
    locationBias: { circle },
  });
  assert.deepEqual(bodyOf(search.request(GEOCODE, SETTINGS)), {
    textQuery: GEOCODE.q,
    pageSize: 5,
  });
  assert.equal(
    maskOf(request),
    "places.id,places.displayName,places.formattedAddress,places.addressComponents," +
      "places.location,places.types,places.primaryType",
  );
});

const COMMON =
  "places.id,places.displayName,places.location,places.formattedAddress,places.types," +
  "places.primaryType,places.addressComponents,places.googleMapsUri,places.businessStatus";
const HOURS = ",places.currentOpeningHours,places.regularOpeningHours";

test("nearby: the nearest twenty of the asked types within the circle", () => {
  const request = googleParking.request({ ...AROUND, limit: 200, language: "fr" }, SETTINGS);
  assert.equal(request.url, "https://places.example/v1/places:searchNearby");
  assert.equal(request.headers?.["accept-language"], "fr");
  const circle = { center: { latitude: 51.5, longitude: -0.1 }, radius: 1_500 };
  assert.deepEqual(bodyOf(request), {
    includedTypes: ["parking", "parking_garage", "parking_lot"],
    maxResultCount: 20,
    rankPreference: "DISTANCE",
    locationRestriction: { circle },
    languageCode: "fr",
  });
  const old = { ...SETTINGS, parking_types: ["parking"] };
  const fewer = bodyOf(googleParking.request({ ...AROUND, limit: 3 }, old)) as object;
  assert.deepEqual(
    { ...fewer, locationRestriction: null },
    {
      includedTypes: ["parking"],
      maxResultCount: 3,
      rankPreference: "DISTANCE",
      locationRestriction: null,
    },
  );
  const charging = bodyOf(googleCharging.request(AROUND, SETTINGS)) as Record<string, unknown>;
  assert.deepEqual(charging["includedTypes"], ["electric_vehicle_charging_station"]);
});

test("the masks of nearby searches, whole and lean", () => {
  const lean = { ...SETTINGS, lean: true };
  const third = ",places.attributions";
  assert.equal(
    maskOf(googleParking.request(AROUND, SETTINGS)),
    `${COMMON}${HOURS},places.parkingOptions${third}`,
  );
  assert.equal(
    maskOf(googleCharging.request(AROUND, SETTINGS)),
    `${COMMON}${HOURS},places.evChargeOptions${third}`,
  );
  assert.equal(maskOf(googleParking.request(AROUND, lean)), COMMON + third);
  assert.equal(
    maskOf(googleCharging.request(AROUND, lean)),
    `${COMMON},places.evChargeOptions${third}`,
  );
});

test("the key is in the credentials and nowhere else", () => {
  const requests = [
    geocode.request(GEOCODE, SETTINGS),
    reverse.request(REVERSE, SETTINGS),
    search.request(GEOCODE, SETTINGS),
    googleParking.request(AROUND, SETTINGS),
    googleCharging.request(AROUND, SETTINGS),
  ];
  for (const { auth, ...rest } of requests) {
    const listed = decodeURIComponent(JSON.stringify(rest));
    assert.equal(listed.includes(SETTINGS.api_key), false, rest.url);
    assert.equal(JSON.stringify(auth).includes(SETTINGS.api_key), true, rest.url);
  }
  assert.deepEqual(requests[2]?.auth, {
    kind: "headers",
    headers: { "X-Goog-Api-Key": SETTINGS.api_key },
  });
});

test("equal keys are equal questions, others are not", () => {
  const near = { lat: 1, lon: 2 };
  assert.equal(geocode.keyOf(GEOCODE), geocode.keyOf({ ...GEOCODE, near }));
  assert.notEqual(geocode.keyOf(GEOCODE), geocode.keyOf({ ...GEOCODE, country: "FR" }));
  assert.notEqual(geocode.keyOf(GEOCODE), geocode.keyOf({ ...GEOCODE, language: "fr" }));
  assert.notEqual(search.keyOf(GEOCODE), search.keyOf({ ...GEOCODE, near }));
  assert.notEqual(reverse.keyOf(REVERSE), reverse.keyOf({ ...REVERSE, lon: 2.4 }));
  assert.equal(googleParking.keyOf(AROUND), googleParking.keyOf({ ...AROUND, country: null }));
  assert.notEqual(googleParking.keyOf(AROUND), googleParking.keyOf({ ...AROUND, limit: 19 }));
  assert.notEqual(googleParking.keyOf(AROUND), googleParking.keyOf({ ...AROUND, radius_m: 1 }));
});

test("each lookup has a name of its own under the provider's", () => {
  const lookups = [geocode, search, reverse, googleParking, googleCharging, googlePlaces];
  const ids = lookups.map(({ id }) => id);
  assert.deepEqual(ids.sort(), [
    ...["google_maps.geocode", "google_maps.getChargingNearby", "google_maps.getParkingNearby"],
    "google_maps.getPlacesNearby",
    ...["google_maps.reverseGeocode", "google_maps.searchPlaces"],
  ]);
  assert.ok(lookups.every(({ provider }) => provider === descriptor));
  assert.equal(descriptor.terms.store, "ids");
});
