/**
 * Streets and numbers of real extracts, asked for in towns of the world that are elsewhere
 * (decisions, Named places bind): 98 of 100 such questions were answered with the house of that number, `rooftop`.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findByName } from "#app/places/base-geocoding.ts";
import type { GeocodingBase } from "#app/places/geocoding-base.ts";
import { distance_m } from "#core/geo.ts";
import { createDice } from "../../../trials/dice.ts";
import { collect, extractPath, listExtracts } from "../../support/base.ts";
import { openWorld, readWorldCities } from "../../support/gazetteer.ts";
import { sized } from "../../support/size.ts";
import { openPacked, packExtract } from "../../support/town.ts";

const EXTRACTS = [
  ...["monaco-2023", "liechtenstein-alabama-2021"],
  ...sized([], ["helsinki-centre-2019", "andorra-2018"]),
];
const there = listExtracts();
const lacks = EXTRACTS.some((name) => !there.includes(name)) && "no extracts in ../shared/data/osm";
const folder = mkdtempSync(join(tmpdir(), "gazetteer-"));
after(() => rmSync(folder, { recursive: true }));

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

test(
  "a street and number of an extract in a town elsewhere is no house",
  { skip: lacks },
  async (t) => {
    const bases: GeocodingBase[] = [];
    const addresses: [street: string, number: string][] = [];
    for (const name of EXTRACTS) {
      const seen = collect({ node: ["addr:street"] });
      const pack = await packExtract(extractPath(name), [seen.section]);
      const statement = { id: name, data_at: null, licence: null, attribution: null };
      bases.push({ ...openPacked(pack), statement });
      for (const { tags } of seen.nodes) {
        const [street, number] = [tags.get("addr:street"), tags.get("addr:housenumber")];
        if (street !== undefined && number !== undefined) addresses.push([street, number]);
      }
    }
    const geocoder = await openWorld(folder);
    const statement = { id: "gazetteer", data_at: null, licence: null, attribution: null };
    const world = { statement, covers: () => true, geocoder, names: geocoder.names, isWorld: true };
    const deps = { list: () => bases, gazetteer: () => world, isPending: () => false };
    const isHere = (lat: number, lon: number): boolean =>
      bases.some(({ covers }) => covers(lat, lon));
    const towns = readWorldCities().filter(
      ({ population, feature, lat7, lon7 }) =>
        (population ?? 0) >= 5_000 && feature !== "PPLX" && !isHere(lat7 / 1e7, lon7 / 1e7),
    );
    const dice = createDice(39);
    const count = sized(250, 1_000);
    const [houses, elsewhere]: [string[], string[]] = [[], []];
    let towns_right = 0;
    const missed: string[] = [];
    for (let i = 0; i < count; i++) {
      const [street, number] = dice.pick(addresses);
      const town = dice.pick(towns);
      const q = FORMS[i % FORMS.length]!(street, number, town.name, COUNTRIES.of(town.country)!);
      const query = { q, language: null, country: null, near: null };
      const reply = await findByName(deps, query, { operation: "geocode" });
      assert.ok(reply.status === "ok");
      for (const { item } of reply.hits) {
        const { label, match_quality } = item;
        if (match_quality !== "approximate") elsewhere.push(`${q} → ${label} ${match_quality}`);
        if (match_quality === "rooftop" || match_quality === "range_interpolated")
          houses.push(`${q} → ${label}`);
      }
      const at = reply.hits.map(({ item }) => item.location);
      const isRight = at.some(
        ({ lat, lon }) => distance_m(lat, lon, town.lat7 / 1e7, town.lon7 / 1e7) < 1_000,
      );
      if (isRight && reply.isPartial) towns_right++;
      else missed.push(`${q} → ${reply.hits[0]?.item.label}`);
    }
    assert.deepEqual(houses, []);
    assert.ok(elsewhere.length <= count / 100, elsewhere.join("\n"));
    assert.ok(towns_right >= 0.97 * count, missed.join("\n"));
    t.diagnostic(`${count} questions: the town among the answers ${towns_right}, no house`);
  },
);
