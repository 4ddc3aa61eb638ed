/**
 * Streets and numbers of real extracts, asked for in places where they are not
 * (decisions, Named places bind): towns of the world, other postcodes and villages of the extract, towns with the code of a
 * region, streets called after towns. 98 of 100 were answered with the house of that number, `rooftop`.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { iso1A2Code } from "@rapideditor/country-coder";
import { findByName } from "#app/places/base-geocoding.ts";
import type { BaseHit } from "#app/places/base-hits.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import type { OsmTags } from "#osm/base/base-features.ts";
import { distance_m } from "#kit/geo.ts";
import type { City } from "#providers/gazetteer/cities.ts";
import { createDice } from "../../../trials/dice.ts";
import { collect, extractPath, listExtracts } from "../../support/base.ts";
import { oneGeocoder } from "../../support/geocoding-bases.ts";
import { openWorld, readTables, readWorldCities } from "../../support/gazetteer.ts";
import { sized } from "../../support/size.ts";
import { openPacked, packExtract } from "../../support/town.ts";

const EXTRACTS = [
  ...["monaco-2023", "liechtenstein-alabama-2021"],
  ...sized([], ["helsinki-centre-2019", "andorra-2018"]),
];
const extracts = listExtracts();
const lacks =
  EXTRACTS.some((name) => !extracts.includes(name)) && "no extracts in ../shared/data/osm";
const folder = mkdtempSync(join(tmpdir(), "gazetteer-"));
after(() => rmSync(folder, { recursive: true }));
const COUNT = sized(250, 1_000);
/** Of each of the other kinds. */
const FEW = sized(100, 1_000);
const HOUSES: readonly (string | undefined)[] = ["rooftop", "range_interpolated"];

type At = { lat: number; lon: number };
type Address = At & { street: string; number: string; postcode: string | null; base: number };
type Place = At & { name: string; kind: string; base: number };
type Loaded = Awaited<ReturnType<typeof load>>;

let loaded: Promise<Loaded> | null = null;
const load_once = (): Promise<Loaded> => (loaded ??= load());

async function load() {
  const bases: GeocodingBase[] = [];
  const addresses: Address[] = [];
  const places: Place[] = [];
  const take = (tags: OsmTags, at: At, base: number): void => {
    const [street, number] = [tags.get("addr:street"), tags.get("addr:housenumber")];
    const postcode = tags.get("addr:postcode") ?? null;
    if (street !== undefined && number !== undefined)
      addresses.push({ ...at, street, number, postcode, base });
    const [name, kind] = [tags.get("name"), tags.get("place")];
    if (name !== undefined && kind !== undefined) places.push({ ...at, name, kind, base });
  };
  for (const [i, name] of EXTRACTS.entries()) {
    const seen = collect({ node: ["addr:street", "place"], way: ["addr:street"] });
    const pack = await packExtract(extractPath(name), [seen.section], (lat, lon) =>
      iso1A2Code([lon, lat]),
    );
    const statement = { id: name, data_at: null, licence: null, attribution: null };
    const { covers, geocoder } = openPacked(pack);
    bases.push({ statement, covers, ...oneGeocoder(geocoder!) });
    for (const { tags, lat7, lon7 } of seen.nodes)
      take(tags, { lat: lat7 / 1e7, lon: lon7 / 1e7 }, i);
    for (const { tags, points } of seen.ways)
      if (points.length > 0) take(tags, { lat: points[0]! / 1e7, lon: points[1]! / 1e7 }, i);
  }
  const geocoder = await openWorld(folder);
  const statement = { id: "gazetteer", data_at: null, licence: null, attribution: null };
  const { names } = geocoder;
  const own = { ...oneGeocoder(geocoder), names, isWorld: true };
  const world = { statement, covers: () => true, ...own };
  const isHere = (lat: number, lon: number): boolean =>
    bases.some(({ covers }) => covers(lat, lon));
  const towns = readWorldCities().filter(
    ({ population, feature, lat7, lon7 }) =>
      (population ?? 0) >= 5_000 && feature !== "PPLX" && !isHere(lat7 / 1e7, lon7 / 1e7),
  );
  const ask = async (q: string): Promise<{ hits: readonly BaseHit[]; isPartial: boolean }> => {
    const deps = { list: () => bases, gazetteer: () => world, isPending: () => false };
    const query = { q, language: null, country: null, near: null };
    const reply = await findByName(deps, query, { operation: "geocode" });
    assert.ok(reply.status === "ok");
    return reply;
  };
  return { bases, addresses, places, towns, names, ask };
}

/** Ways to write an address. */
type Form = (street: string, number: string, town: string, country: string) => string;
const FORMS: readonly Form[] = [
  (street, number, town) => `${street} ${number}, ${town}`,
  (street, number, town, country) => `${number} ${street}, ${town}, ${country}`,
  (street, number, town) => `${street} ${number}, 80331 ${town}`,
  (street, number, town, country) => `${street} ${number}, 80331 ${town}, ${country}`,
  (street, number, town) => `${town}, ${street} ${number}`,
];
const COUNTRIES = new Intl.DisplayNames(["en"], { type: "region" });

const metres = (a: At, b: At): number => distance_m(a.lat, a.lon, b.lat, b.lon);
const toPoint = ({ lat7, lon7 }: City): At => ({ lat: lat7 / 1e7, lon: lon7 / 1e7 });

function isNear(hits: readonly BaseHit[], town: At, within_m = 1_000): boolean {
  return hits.some(({ item }) => metres(item.location, town) < within_m);
}

test(
  "a street and number of an extract in a town elsewhere is no house",
  { skip: lacks },
  async (t) => {
    const { addresses, towns, ask } = await load_once();
    const dice = createDice(39);
    const [houses, elsewhere]: [string[], string[]] = [[], []];
    let towns_right = 0;
    const missed: string[] = [];
    for (let i = 0; i < COUNT; i++) {
      const { street, number } = dice.pick(addresses);
      const town = dice.pick(towns);
      const q = FORMS[i % FORMS.length]!(street, number, town.name, COUNTRIES.of(town.country)!);
      const { hits, isPartial } = await ask(q);
      for (const { item } of hits) {
        const { label, match_quality } = item;
        if (match_quality !== "approximate") elsewhere.push(`${q} → ${label} ${match_quality}`);
        if (HOUSES.includes(match_quality)) houses.push(`${q} → ${label}`);
      }
      if (isNear(hits, toPoint(town)) && isPartial) towns_right++;
      else missed.push(`${q} → ${hits[0]?.item.label}`);
    }
    assert.deepEqual(houses, []);
    assert.ok(elsewhere.length <= COUNT / 100, elsewhere.join("\n"));
    assert.ok(towns_right >= 0.97 * COUNT, missed.join("\n"));
    t.diagnostic(`${COUNT} questions: the town among the answers ${towns_right}, no house`);
  },
);

/** Ways to write an address with a postcode alone; some countries have a sign. */
const POSTCODE_FORMS: readonly ((street: string, number: string, code: string) => string)[] = [
  (street, number, code) => `${street} ${number}, ${code}`,
  (street, number, code) => `${number} ${street}, ${code}`,
  (street, number, code) => `${code}, ${street} ${number}`,
  (street, number, code) => `${street} ${number} ${code}`,
  (street, _, code) => `${street}, ${code}`,
];

test("a house is in the postcode that is named, or is none", { skip: lacks }, async (t) => {
  const { addresses, ask } = await load_once();
  const dice = createDice(40);
  const known_addresses = addresses.filter(
    ({ postcode, number }) =>
      postcode !== null && /^[A-Z0-9]{4,}$/.test(postcode) && /^\d/.test(number),
  );
  const codes = Map.groupBy(known_addresses, ({ base }) => base);
  const [wrong, missed]: [string[], string[]] = [[], []];
  let right = 0;
  for (let i = 0; i < FEW; i++) {
    const address = dice.pick(known_addresses);
    const { street, number, base } = address;
    const form = POSTCODE_FORMS[i % POSTCODE_FORMS.length]!;
    const other = dice.pick(codes.get(base)!).postcode!;
    const q = form(street, number, other);
    for (const { item } of (await ask(q)).hits)
      if (HOUSES.includes(item.match_quality) && ![other, null].includes(item.address.postal_code))
        wrong.push(`${q} → ${item.label}`);
    const own = POSTCODE_FORMS[i % 4]!(street, number, address.postcode!);
    const [first] = (await ask(own)).hits;
    const same = addresses.filter(
      (each) =>
        each.street === street && each.number === number && each.postcode === address.postcode,
    );
    if (first && same.some((each) => metres(each, first.item.location) < 60)) right++;
    else missed.push(`${own} → ${first?.item.label} ${first?.item.match_quality}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(right >= 0.97 * FEW, missed.join("\n"));
  t.diagnostic(`${FEW} other postcodes: no house; ${FEW} own postcodes: ${right} right`);
});

/** How far a village reaches, at most: what is further is not in it. */
const REACH_M = 7_000;

test("a village that the bases alone know binds", { skip: lacks }, async (t) => {
  const { addresses, places, names, ask } = await load_once();
  const dice = createDice(41);
  const villages = places.filter(
    ({ name, kind }) =>
      ["town", "village", "hamlet"].includes(kind) &&
      /^\p{L}{4,}$/u.test(name) &&
      names.read(`Zzyzxweg 1, ${name}`).length === 0,
  );
  const named = (name: string): Place[] => places.filter((each) => each.name === name);
  const [wrong, missed]: [string[], string[]] = [[], []];
  let [request, right] = [0, 0];
  for (let i = 0; i < FEW; i++) {
    const [address, { name }] = [dice.pick(addresses), dice.pick(villages)];
    const { street, number } = address;
    if (named(name).some((each) => metres(each, address) < REACH_M)) continue;
    request++;
    const q = [
      `${street} ${number}, ${name}`,
      `${number} ${street}, ${name}`,
      `${street} ${number} ${name}`,
      `${name}, ${street} ${number}`,
      `${street} ${number}, 80331 ${name}`,
    ][i % 5]!;
    const { hits } = await ask(q);
    const isThere = ({ item }: BaseHit): boolean =>
      named(name).some((each) => metres(each, item.location) < REACH_M);
    for (const hit of hits)
      if (HOUSES.includes(hit.item.match_quality) && !isThere(hit))
        wrong.push(`${q} → ${hit.item.label}`);
    if (hits[0] && isThere(hits[0])) right++;
    else missed.push(`${q} → ${hits[0]?.item.label}`);
  }
  assert.ok(request >= FEW / 2, `${request} of ${villages.length} villages`);
  assert.deepEqual(wrong, []);
  assert.ok(right >= 0.97 * request, missed.join("\n"));
  t.diagnostic(
    `${request} questions, ${villages.length} villages: ${right} answered in it, no house`,
  );
});

test(
  "a town with the code of its region is that town, and no house",
  { skip: lacks },
  async (t) => {
    const { addresses, towns, ask } = await load_once();
    const dice = createDice(42);
    const { aliases } = readTables();
    /** Codes of provinces, which the gazetteer does not have. */
    const PROVINCES = ["MI", "RM", "TO", "BO", "NA"];
    const codeOf = ({ country, region }: City): string | null => {
      const alias = aliases.regions[`${country}.${region}`]?.split("|")[0];
      if (["US", "CH"].includes(country) && /^[A-Z]{2}$/.test(region)) return region;
      return country === "IT" ? dice.pick(PROVINCES) : (alias ?? null);
    };
    const with_code = towns.filter((town) => codeOf(town) !== null);
    const [wrong, missed]: [string[], string[]] = [[], []];
    let right = 0;
    for (let i = 0; i < FEW; i++) {
      const [{ street, number }, town] = [dice.pick(addresses), dice.pick(with_code)];
      const [name, code] = [town.name, codeOf(town)!];
      const q = [
        `${street} ${number}, ${name} ${code}`,
        `${number} ${street}, ${name}, ${code}`,
        `${number} ${street}, ${name}, ${code} 80331`,
        `${street} ${number}, 80331 ${name} ${code}`,
        `${street} ${number}, ${name} (${code})`,
        `${street} ${number}, ${town.country}-80331 ${name}`,
      ][i % 6]!;
      const { hits } = await ask(q);
      for (const { item } of hits)
        if (HOUSES.includes(item.match_quality)) wrong.push(`${q} → ${item.label}`);
      if (isNear(hits, toPoint(town))) right++;
      else missed.push(`${q} → ${hits[0]?.item.label}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(right >= 0.97 * FEW, missed.join("\n"));
    t.diagnostic(`${FEW} questions: the town among the answers ${right}, no house`);
  },
);

test(
  "a street that is called after a town is no reason to be elsewhere",
  { skip: lacks },
  async (t) => {
    const { places, towns, ask } = await load_once();
    const dice = createDice(43);
    const own_places = places.filter(
      ({ kind, name }) => /town|village/.test(kind) && /^\p{L}+$/u.test(name),
    );
    const called = Map.groupBy(
      [...own_places, ...towns.map((each) => ({ ...toPoint(each), name: each.name }))],
      (each) => each.name,
    );
    const [wrong, missed]: [string[], string[]] = [[], []];
    let right = 0;
    for (let i = 0; i < FEW; i++) {
      const foreign = dice.pick(towns);
      const town: At & { name: string } =
        i % 2 === 0 ? { ...toPoint(foreign), name: foreign.name } : dice.pick(own_places);
      const { name } = town;
      const number = dice.integer(1, 40);
      const q = [
        `${name}er Strasse ${number}, ${name}`,
        `${name}erstrasse ${number}, ${name}`,
        `Rue de ${name} ${number}, ${name}`,
        `${number} ${name} Street, ${name}`,
        `Via ${name} ${number}, ${name}`,
        `Calle de ${name}, ${number}, ${name}`,
      ][i % 6]!;
      const { hits } = await ask(q);
      const same = called.get(name)!;
      for (const { item } of hits)
        if (
          HOUSES.includes(item.match_quality) &&
          !same.some((each) => metres(each, item.location) < REACH_M)
        )
          wrong.push(`${q} → ${item.label}`);
      if (same.some((each) => isNear(hits.slice(0, 1), each, REACH_M))) right++;
      else missed.push(`${q} → ${hits[0]?.item.label}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(right >= 0.97 * FEW, missed.join("\n"));
    t.diagnostic(`${FEW} questions: ${right} answered in the town, no house elsewhere`);
  },
);

/** Questions that had no answer, a wrong one, or the town as if it were one, and what the first is. */
const KINDS: readonly [q: string, osm: RegExp][] = [
  ["pharmacy near Vaduz", /pharmacy/],
  ["coffee shop Vaduz", /cafe/],
  ["playground Schaan", /playground/],
  ["gas station Vaduz", /fuel/],
  ["bakery Vaduz", /bakery/],
  ["school Vaduz", /school/],
  ["hospital Vaduz", /hospital/],
  ["farmacia Monaco", /pharmacy/],
  ["薬局 Vaduz", /pharmacy/],
];

test(
  "a kind of thing in a town is answered with such things, and not with the town",
  { skip: lacks },
  async () => {
    const { ask } = await load_once();
    for (const [q, value] of KINDS) {
      const { hits } = await ask(q);
      const { osm_value, unexplained, label } = hits[0]!.item;
      assert.match(osm_value, value, `${q} → ${label}`);
      assert.deepEqual(unexplained, [], q);
    }
  },
);
