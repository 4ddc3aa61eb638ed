/**
 * Services of a base against an independent reader: every object of the captured extracts that the
 * rules of the open map make a service (places.md 3) is found by the reader with its tags, and each
 * is a place of the base at its position, joined to one, or left out for a reason that is counted.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "#kit/budget.ts";
import { type BaseSection, importBase } from "#osm/index.ts";
import type { OsmTags } from "#osm/sections.ts";
import { openBase } from "#upstream/bases/open-bases.ts";
import { PLACE_KINDS, type PlaceKind } from "#core/places/place.ts";
import { createServicesSection } from "#providers/openstreetmap/base-services.ts";
import { isKind } from "#providers/openstreetmap/osm-rules.ts";
import { hasOsmium, listExtracts, type OplObject, readWithOsmium } from "../support/osmium.ts";

/** What is one, written again and apart from the program's table. */
const SERVICES: Record<PlaceKind, (tag: (key: string) => string) => boolean> = {
  aed: (tag) => tag("emergency") === "defibrillator" || tag("medical") === "aed",
  toilets: (tag) => tag("amenity") === "toilets" || tag("amenity") === "toilet",
  water: (tag) =>
    ["drinking_water", "fountain", "water_point"].includes(tag("amenity")) ||
    (tag("man_made") === "water_tap" && tag("drinking_water") === "yes") ||
    (tag("natural") === "spring" && tag("drinking_water") === "yes") ||
    tag("drinking_water:refill") === "yes" ||
    tag("fountain") === "bottle_refill",
  wifi: (tag) =>
    tag("internet_access")
      .toLowerCase()
      .split(";")
      .some((part) => ["wlan", "wifi", "wi-fi"].includes(part.trim())) ||
    tag("internet_access") === "public" ||
    tag("wifi") === "yes" ||
    tag("wifi") === "free",
  parking: (tag) => ["parking", "parking_entrance"].includes(tag("amenity")),
  charging: (tag) =>
    ["charging_station", "ev_charging"].includes(tag("amenity")) ||
    tag("man_made") === "charge_point",
  locker: (tag) =>
    tag("amenity") === "parcel_locker" ||
    (tag("amenity") === "vending_machine" &&
      [
        ...["parcel_pickup", "parcel_mail_in"],
        ...["parcel_pickup;parcel_mail_in", "parcel_mail_in;parcel_pickup"],
      ].includes(tag("vending"))),
};

const EXPRESSIONS = [
  ...["amenity", "emergency", "medical", "man_made", "natural", "drinking_water:refill"],
  ...["fountain", "internet_access", "wifi"],
].map((key) => `nwr/${key}`);

const extracts = listExtracts();
const lacks =
  extracts.size === 0
    ? "no extracts in ../shared/data/osm"
    : !hasOsmium() && "osmium is not installed (Debian: osmium-tool)";

test("there is an independent reader, and extracts for it", { skip: lacks }, () => {
  assert.ok(extracts.size >= 9, `only ${extracts.size} extracts`);
});

for (const [name, path] of extracts)
  test(
    `${name}: the services of the base are those of an independent reader`,
    {
      skip: lacks,
    },
    async (t) => {
      const expected = readWithOsmium(path, EXPRESSIONS);
      const seen = new Map<string, OsmTags>();
      const sections = [capture(seen), createServicesSection()];
      const input = { id: "judged", region: null, now_ms: 1, sections };
      const imported = await importBase(path, input);
      assert.ok(imported.ok, imported.ok ? "" : imported.problem);
      const base = openBase(imported.pack)!;
      const budget = new Budget({ looks: Infinity, keeps: Infinity });
      const everywhere = { lat: 0, lon: 0, radius_m: 20_100_000 };
      let [judged, left_out] = [0, 0];
      for (const kind of PLACE_KINDS) {
        const wanted = new Map(
          expected
            // None of its nodes is in the extract: it is nowhere.
            .filter(({ lat }) => lat !== null)
            .filter(({ tags }) => SERVICES[kind]((key) => tags.get(key) ?? ""))
            .map((object) => [object.id, object]),
        );
        const matches = [...seen].filter(([, tags]) => isKind(tags, kind));
        assert.deepEqual(
          new Set(matches.map(([id]) => id)),
          new Set(wanted.keys()),
          `${name} ${kind}: missing or extra`,
        );
        for (const [id, tags] of matches)
          assert.deepEqual(sorted(tags), sorted(wanted.get(id)!.tags));
        const joined = new Set<string>();
        for (const { place } of base.search([kind], everywhere, { budget })) {
          comparePosition(place, wanted.get(place.external_id));
          for (const key of place.keys) if (key.startsWith("osm:")) joined.add(key.slice(4));
        }
        for (const id of joined) assert.ok(wanted.has(id), `${id} is no ${kind}`);
        judged += wanted.size;
        left_out += [...wanted.keys()].filter((id) => !joined.has(id)).length;
      }
      const { trail } = base.meta.sections["services"] as {
        trail: { dropped: { reason: string; count: number }[] };
      };
      const excluded = trail.dropped.filter(({ reason }) => !MERGED.has(reason));
      const counted = excluded.reduce((sum, { count }) => sum + count, 0);
      assert.equal(left_out, counted, `${name}: left out without a reason`);
      t.diagnostic(`${name}: ${judged} services, ${left_out} left out for a counted reason`);
    },
  );

/** Reasons of what stays as another drawing of a place that is there. */
const MERGED: ReadonlySet<string> = new Set([
  ...["duplicate", "entrance_of_another"],
  // Of what is nowhere, and was not expected.
  "coordinates_missing",
]);

function capture(seen: Map<string, OsmTags>): BaseSection {
  const { keys } = createServicesSection();
  const take = ({ type, id, tags }: { type: string; id: number; tags: OsmTags }): void =>
    void seen.set(`${type}/${id}`, tags);
  return {
    name: "captured",
    keys,
    node: take,
    way: (way) => (way.points.length > 0 ? take(way) : undefined),
    relation: (relation) => (relation.box ? take(relation) : undefined),
    // oxlint-disable-next-line require-yield -- a section ends in steps
    *finish() {
      return { columns: {}, meta: {}, counts: {} };
    },
  };
}

function comparePosition(
  { lat, lon, external_id }: { lat: number; lon: number; external_id: string },
  wanted: OplObject | undefined,
): void {
  assert.ok(wanted, `${external_id} is not there`);
  assert.ok(Math.abs(lat - wanted.lat!) < 1e-6, `${external_id}: ${lat}, not ${wanted.lat}`);
  assert.ok(Math.abs(lon - wanted.lon!) < 1e-6, `${external_id}: ${lon}, not ${wanted.lon}`);
}

function sorted(tags: Iterable<[string, string]>): [string, string][] {
  return [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
}
