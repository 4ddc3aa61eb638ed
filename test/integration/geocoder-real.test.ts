/** Real extracts, where they are kept: addresses of the file are found by their own texts, and at their points. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPack } from "#osm/imports.ts";
import {
  type BaseSection,
  createGeocoderSection,
  type GeocoderMeta,
  importBase,
  openGeocoder,
} from "#osm/index.ts";
import { distance_m } from "#kit/geo.ts";
import { extractPath, listExtracts } from "../support/base.ts";

const NAME = "monaco-2023";
const skip = listExtracts().includes(NAME) ? false : `no ${NAME} in ../shared/data/osm`;

type Entry = { q: string; lat: number; lon: number; street: string; number: string };

test(
  "addresses of a real extract are found by their text, and by their point",
  { skip },
  async () => {
    const entries: Entry[] = [];
    const reader: BaseSection = {
      name: "reader",
      keys: { node: ["addr:housenumber"], way: [], relation: [] },
      node({ tags, lat7, lon7 }) {
        const [street, number] = [tags.get("addr:street"), tags.get("addr:housenumber")];
        if (street === undefined || number === undefined) return;
        const town = `${tags.get("addr:postcode") ?? ""} ${tags.get("addr:city") ?? ""}`.trim();
        entries.push({
          q: `${street} ${number}, ${town}`,
          lat: lat7 / 1e7,
          lon: lon7 / 1e7,
          street,
          number,
        });
      },
      way() {},
      relation() {},
      // oxlint-disable-next-line require-yield -- there is nothing to give way for
      *finish() {
        return { columns: {}, meta: {}, counts: {} };
      },
    };
    const sections = [createGeocoderSection(), reader];
    const result = await importBase(extractPath(NAME), {
      id: "x",
      region: null,
      now_ms: 0,
      sections,
    });
    assert.ok(result.ok);
    const { meta, columns } = openPack(result.pack)!;
    const geocoder = openGeocoder(columns, meta.sections["geocoder"] as GeocoderMeta);
    assert.ok(entries.length > 100, String(entries.length));
    const matches = entries.filter(({ q, lat, lon }) => {
      const [item] = geocoder.geocode({ q, language: null, country: null, near: null, limit: 1 });
      return item !== undefined && distance_m(lat, lon, item.location.lat, item.location.lon) <= 60;
    });
    assert.ok(matches.length >= entries.length * 0.97, `${matches.length} of ${entries.length}`);
    const reversed = entries.filter(({ lat, lon, street, number }) => {
      const [item] = geocoder.reverse({ lat, lon, language: "xx", limit: 1 });
      return item!.address.street === street && item!.address.street_number === number;
    });
    // Several addresses share a point.
    assert.ok(reversed.length >= entries.length * 0.95, `${reversed.length} of ${entries.length}`);
  },
);
