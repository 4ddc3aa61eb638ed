/** The addresses of an extract, as `street number, city`. */
import { type BaseSection, createGeocoderSection, importBase } from "#osm/index.ts";
import type { OsmTags } from "#osm/sections.ts";
import type { AddressQuestion } from "./geocoding.ts";

const E7 = 1e7;

export async function listAddresses(extract: string): Promise<AddressQuestion[]> {
  const texts = new Map<string, AddressQuestion>();
  const add = (tags: OsmTags, lat7: number, lon7: number): void => {
    const [street, number] = [tags.get("addr:street"), tags.get("addr:housenumber")];
    if (street === undefined || number === undefined) return;
    const city = tags.get("addr:city");
    const text = `${street} ${number}${city === undefined ? "" : `, ${city}`}`;
    texts.set(text, { text, lat: lat7 / E7, lon: lon7 / E7 });
  };
  const collector: BaseSection = {
    name: "collector",
    keys: createGeocoderSection().keys,
    node: ({ tags, lat7, lon7 }) => add(tags, lat7, lon7),
    way({ tags, points }) {
      if (points.length > 0) add(tags, points[0]!, points[1]!);
    },
    relation: () => undefined,
    *finish() {
      yield;
      return { columns: {}, meta: {}, counts: {} };
    },
  };
  const done = await importBase(extract, {
    ...{ id: "peers", region: null, now_ms: 0 },
    sections: [collector],
  });
  if (!done.ok) throw new Error(done.problem);
  return [...texts.values()];
}
