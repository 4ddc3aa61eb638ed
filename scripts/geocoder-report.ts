/**
 * npm run reports -- geocoder [EXTRACT …]: imports the recorded extracts and asks the geocoder for what
 * a reader of its own found in them: eight classes of questions, and points. It shares with the index
 * nothing but the decoding of the file. `--misses N` shows N questions a class that were answered
 * elsewhere, `--sample N` asks for N addresses an extract.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { iso1A2Code } from "@rapideditor/country-coder";
import type { BaseSection, OsmTags } from "#osm/base/base-features.ts";
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";
import { type Geocoder, openGeocoder } from "#osm/geocoder/geocoder.ts";
import { createGeocoderSection, type GeocoderMeta } from "#osm/geocoder/geocoder-section.ts";
import { distance_m } from "#kit/geo.ts";
import { importBase, openPack } from "#osm/reader/import-extract.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    misses: { type: "string", default: "3" },
    sample: { type: "string", default: "600" },
    class: { type: "string" },
  },
});

const EXTRACTS = new URL("../../shared/data/osm/", import.meta.url);
const TOULOUSE = "addresses-toulouse";
const ADDRESSES = new URL(
  `../../shared/data/geocode/${TOULOUSE}/addresses.csv.gz`,
  import.meta.url,
);
const ADDRESS_M = 60;
const STREET_M = 150;
const MIN_ADDRESSES = 100;

type Point = { lat: number; lon: number };
type Address = Point & {
  street: string;
  number: string;
  city: string | null;
  postcode: string | null;
  /** What the house is called, or a number without a digit. */
  house: string | null;
  /** City as it is tagged. */
  tagged: string | null;
};
type Area = { name: string; level: number; rings: Int32Array[]; whole: boolean };
type Match = {
  addresses: Address[];
  /** Those that have a name and no number. */
  named: Address[];
  /** Every point of the named ways. */
  streets: Map<string, Point[]>;
  interests: (Point & { name: string })[];
  places: (Point & { name: string; place: string })[];
  areas: Area[];
};

type Question = { class: string; q: string; right: (at: Point) => boolean };

async function report(name: string): Promise<void> {
  const match: Match = {
    ...{ addresses: [], named: [], streets: new Map(), interests: [], places: [], areas: [] },
  };
  const path = new URL(`${name}/${name}.osm.pbf`, EXTRACTS).pathname;
  const begun = performance.now();
  const result = await importBase(path, {
    ...{ id: "report", region: null, now_ms: 0 },
    sections: [
      createGeocoderSection({ countryAt: (lat, lon) => iso1A2Code([lon, lat]) }),
      collector(match),
    ],
  });
  if (!result.ok) throw new Error(`${name}: ${result.problem}`);
  const opened = openPack(result.pack)!;
  const meta = opened.meta.sections["geocoder"] as GeocoderMeta;
  const geocoder = openGeocoder(opened.columns, meta);
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  console.log(
    `\n${name}: ${JSON.stringify(opened.meta.section_counts["geocoder"])}, ${seconds} s, pack ${(result.pack.length / 1e6).toFixed(1)} MB`,
  );
  for (const address of [...match.addresses, ...match.named])
    address.city ??= nearestPlace(match.places, address);
  forward(geocoder, match);
  elsewhere(geocoder, match);
  together(geocoder, match);
  reverse(geocoder, match);
}

/** A list of addresses without a map: streets as they are abbreviated in it, and written out. */
async function reportAddresses(): Promise<void> {
  if (!existsSync(ADDRESSES)) return;
  const addresses = [
    ...gunzipSync(readFileSync(ADDRESSES)).toString("utf8").split("\n").slice(1),
  ].flatMap((line): Address[] => {
    const [, , street, motto, , , , , , lon, lat] = line.split(";");
    const number = line.split(";")[0];
    if (street === undefined || motto === undefined || !number || !lat || !lon) return [];
    const degrees = (text: string): number => Number(text.replace(",", "."));
    return [
      {
        ...{ lat: degrees(lat), lon: degrees(lon), street, number },
        ...{ city: "Toulouse", postcode: null, house: null, tagged: null },
      },
    ];
  });
  const begun = performance.now();
  const section = createGeocoderSection();
  section.addAddresses(
    addresses.map(({ lat, lon, street, number }) => ({
      lat,
      lon,
      street,
      number,
      city: "Toulouse",
    })),
  );
  const { columns, meta, counts } = drain(section.finish());
  const own = Object.entries(columns).map(([name, column]) => [`geocoder.${name}`, column]);
  const geocoder = openGeocoder(Object.fromEntries(own), meta as GeocoderMeta);
  console.log(
    `\n${TOULOUSE}: ${JSON.stringify(counts)}, ${((performance.now() - begun) / 1000).toFixed(2)} s`,
  );
  const match: Match = {
    ...{ addresses, named: [], streets: new Map(), interests: [], places: [], areas: [] },
  };
  forward(geocoder, match);
  reverse(geocoder, match);
}

function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function listExtracts(): string[] {
  return existsSync(EXTRACTS)
    ? readdirSync(EXTRACTS)
        .filter((name) => !name.includes("."))
        .sort()
    : [];
}

/** A reader of its own: addresses, the points of named ways, named things, areas. */
function collector(match: Match): BaseSection {
  const take = (tags: OsmTags, at: Point): void => {
    const street = tags.get("addr:street");
    const input = tags.get("addr:housenumber");
    const number = input ?? tags.get("addr:housename");
    if (street !== undefined && number !== undefined)
      (input === undefined ? match.named : match.addresses).push({
        ...{ ...at, street, number },
        city: tags.get("addr:city") ?? null,
        postcode: tags.get("addr:postcode") ?? null,
        tagged: tags.get("addr:city") ?? null,
        house: tags.get("addr:housename") ?? (/\d/.test(number) ? null : number),
      });
    const name = tags.get("name");
    if (name === undefined) return;
    if (["amenity", "shop", "tourism", "leisure"].some((key) => tags.has(key)))
      match.interests.push({ ...at, name });
    const place = tags.get("place");
    if (place !== undefined) match.places.push({ ...at, name, place });
  };
  return {
    name: "report",
    keys: {
      node: ["addr:housenumber", "addr:housename", "name", "place"],
      way: ["addr:housenumber", "addr:housename", "name"],
      relation: ["addr:housenumber", "addr:housename", "name", "boundary"],
    },
    node: ({ tags, lat7, lon7 }) => take(tags, { lat: lat7 / 1e7, lon: lon7 / 1e7 }),
    way({ tags, points }) {
      if (points.length === 0) return;
      const name = tags.get("name");
      if (tags.has("highway") && name !== undefined) {
        const own_street = match.streets.get(name) ?? [];
        for (const at of alongOf(points)) own_street.push(at);
        match.streets.set(name, own_street);
      } else take(tags, boxCentre(points));
    },
    relation({ tags, rings, box, whole }) {
      const level = Number(tags.get("admin_level"));
      const name = tags.get("name");
      if (tags.get("boundary") === "administrative" && name !== undefined)
        match.areas.push({ name, level, rings: rings.map(({ points }) => points), whole });
      else if (box) take(tags, { lat: (box[0] + box[2]) / 2e7, lon: (box[1] + box[3]) / 2e7 });
    },
    // oxlint-disable-next-line require-yield -- there is nothing to give way for
    *finish() {
      return { columns: {}, meta: {}, counts: {} };
    },
  };
}

/** Points of a way and between them, some 20 metres apart at most. */
function* alongOf(points: Int32Array): Generator<Point> {
  for (let i = 0; i < points.length; i += 2) {
    const [lat, lon] = [points[i]! / 1e7, points[i + 1]! / 1e7];
    yield { lat, lon };
    if (i + 2 >= points.length) return;
    const [to_lat, to_lon] = [points[i + 2]! / 1e7, points[i + 3]! / 1e7];
    const steps = Math.min(200, Math.floor(distance_m(lat, lon, to_lat, to_lon) / 20));
    for (let n = 1; n <= steps; n++) {
      const part = n / (steps + 1);
      yield { lat: lat + (to_lat - lat) * part, lon: lon + (to_lon - lon) * part };
    }
  }
}

function boxCentre(points: Int32Array): Point {
  const lats = points.filter((_, i) => i % 2 === 0);
  const lons = points.filter((_, i) => i % 2 === 1);
  const middle = (values: Int32Array): number => (Math.min(...values) + Math.max(...values)) / 2e7;
  return { lat: middle(lats), lon: middle(lons) };
}

function nearestPlace(places: Match["places"], at: Point): string | null {
  const reach: Readonly<Record<string, number>> = { city: 12_000, town: 6_000, village: 3_000 };
  let best: { name: string; ratio: number } | null = null;
  for (const { name, place, lat, lon } of places) {
    const ratio = distance_m(lat, lon, at.lat, at.lon) / (reach[place] ?? 0);
    if (ratio < Math.min(1, best?.ratio ?? 1)) best = { name, ratio };
  }
  return best?.name ?? null;
}

function forward(geocoder: Geocoder, match: Match): void {
  const questions = makeQuestions(match);
  const classes = [...new Set(questions.map((question) => question.class))];
  let [all, all_right] = [0, 0];
  const times: number[] = [];
  for (const name of classes) {
    if (options.class !== undefined && options.class !== name) continue;
    const own_questions = questions.filter((question) => question.class === name);
    let [first, five] = [0, 0];
    const misses: string[] = [];
    for (const { q, right } of own_questions) {
      const begun = performance.now();
      const items = geocoder.geocode({ q, language: "xx", country: null, near: null, limit: 5 });
      times.push(performance.now() - begun);
      const hit = items.findIndex(({ location }) => right(location));
      if (hit === 0) first++;
      if (hit >= 0) five++;
      if (hit !== 0)
        misses.push(
          `      ${JSON.stringify(q)} -> ${
            items
              .slice(0, 2)
              .map(({ label, score, type }) => `${label} (${type} ${score.toFixed(3)})`)
              .join(" | ") || "nothing"
          }${hit > 0 ? ` [right: ${hit + 1}, ${items[hit]!.score.toFixed(3)} ${items[hit]!.label}]` : ""}`,
        );
    }
    all += own_questions.length;
    all_right += first;
    console.log(
      `  ${name.padEnd(22)} ${String(own_questions.length).padStart(5)}  top-1 ${rate(first, own_questions.length)}  top-5 ${rate(five, own_questions.length)}`,
    );
    for (const miss of misses.slice(0, Number(options.misses))) console.log(miss);
  }
  times.sort((a, b) => a - b);
  const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(3);
  if (all > 0)
    console.log(
      `  ${"all".padEnd(22)} ${String(all).padStart(5)}  top-1 ${rate(all_right, all)}  p50 ${at(0.5)} ms p99 ${at(0.99)} ms`,
    );
}

function rate(part: number, all: number): string {
  return all === 0 ? "-" : (part / all).toFixed(3);
}

function makeQuestions({ addresses, named, streets, interests }: Match): Question[] {
  const random = seeded(7);
  const sampled = sample(addresses, Number(options.sample), random);
  const questions: Question[] = [];
  const near = (at: Point, points: readonly Point[], metres: number): boolean =>
    points.some(({ lat, lon }) => distance_m(lat, lon, at.lat, at.lon) <= metres);
  if (addresses.length >= MIN_ADDRESSES)
    for (const address of sampled) {
      const { street, number, city, postcode } = address;
      const same = addresses.filter(
        (each) =>
          each.street === street &&
          each.number === number &&
          each.city === city &&
          each.postcode === postcode,
      );
      const right = (at: Point): boolean => near(at, same, ADDRESS_M);
      const town = [postcode, city].filter((part) => part !== null).join(" ");
      const tail = town === "" ? "" : `, ${town}`;
      const in_city = city === null ? "" : ` ${city}`;
      const add = (name: string, q: string, test = right): void =>
        void questions.push({ class: name, q, right: test });
      add("exact", `${street} ${number}${tail}`);
      add("without postcode", `${number} ${street}${in_city}`);
      const short = abbreviate(street);
      if (short !== street) add("abbreviated", `${short} ${number}${tail}`);
      const long = writeOut(street);
      if (long !== street) add("written out", `${long} ${number}${tail}`);
      const wrong = mistype(street, random);
      if (wrong !== null) add("one typo", `${wrong} ${number}${tail}`);
      add("folded", foldText(`${street} ${number}${tail}`));
      const points = [
        ...(streets.get(street) ?? []),
        ...addresses.filter((each) => each.street === street && each.city === city),
      ].filter(({ lat, lon }) => distance_m(lat, lon, address.lat, address.lon) < 5_000);
      const onStreet = (at: Point): boolean => near(at, points, STREET_M);
      add("street only", `${street}${tail}`, onStreet);
      const numbers = addresses.filter((each) => each.street === street && each.city === city);
      const highest = Math.max(...numbers.map((each) => Number.parseInt(each.number, 10) || 0));
      add("no such number", `${street} ${highest + 111}${tail}`, onStreet);
    }
  for (const { name } of sample(interests, Number(options.sample), random)) {
    const same = interests.filter((each) => each.name === name);
    questions.push({ class: "poi name", q: name, right: (at) => near(at, same, STREET_M) });
  }
  const houses = [...addresses, ...named];
  for (const address of sample(
    houses.filter(({ house }) => house !== null),
    Number(options.sample),
    random,
  )) {
    const { street, house, city, postcode } = address;
    const same = houses.filter((each) => each.street === street && each.house === house);
    const town = [postcode, city].filter((part) => part !== null).join(" ");
    questions.push({
      class: "house name",
      q: `${house}, ${street}${town === "" ? "" : `, ${town}`}`,
      right: (at) => near(at, same, ADDRESS_M),
    });
  }
  return questions;
}

/** Written here, so that a gap in the geocoder's own table shows. */
const SHORT: readonly [RegExp, string][] = [
  [/stra(ß|ss)e$/, "str."],
  [/Stra(ß|ss)e\b/, "Str."],
  [/\bStreet\b/, "St"],
  [/\bAvenue\b/, "Ave"],
  [/\bRoad\b/, "Rd"],
  [/\bDrive\b/, "Dr"],
  [/\bLane\b/, "Ln"],
  [/\bCourt\b/, "Ct"],
  [/\bPlace\b/, "Pl"],
  [/\bBoulevard\b/, "Bd"],
  [/\bTurnpike\b/, "Tpke"],
  [/\bParkway\b/, "Pkwy"],
  [/\bTerrace\b/, "Ter"],
  [/^Rue\b/, "R."],
  [/^Avinguda\b/, "Av."],
  [/^Carrer\b/, "C."],
  [/katu$/, "k."],
  [/\bSaint\b/, "St"],
  [/\bSankt\b/, "St."],
  [/platz$/, "pl."],
];

function abbreviate(street: string): string {
  return SHORT.reduce((text, [long, short]) => text.replace(long, short), street);
}

const LONG: readonly [RegExp, string][] = [
  [/^RTE\b/, "Route"],
  [/^AV\b/, "Avenue"],
  [/^IMP\b/, "Impasse"],
  [/^CHE\b/, "Chemin"],
  [/^PL\b/, "Place"],
  [/^(BD|BLD)\b/, "Boulevard"],
  [/^ALL\b/, "Allée"],
  [/^SQ\b/, "Square"],
  [/^PAS\b/, "Passage"],
  [/^RLE\b/, "Ruelle"],
  [/\bD /, "d'"],
  [/\bL /, "l'"],
  [/\bST\b/, "Saint"],
  [/\bSTE\b/, "Sainte"],
];

/** The capitals of a list as one would write them. */
function writeOut(street: string): string {
  if (street !== street.toUpperCase() || street === street.toLowerCase()) return street;
  return LONG.reduce((text, [short, long]) => text.replace(short, long), street);
}

/** One letter of the longest word left out, doubled, replaced, or exchanged with the next. */
function mistype(street: string, random: () => number): string | null {
  const word = street.split(/[\s-]/).reduce((a, b) => (b.length > a.length ? b : a));
  if (!/^\p{L}{5,}$/u.test(word)) return null;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = "etaoinsrhl"[Math.floor(random() * 10)]!;
  const made = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2),
  ][Math.floor(random() * 4)]!;
  return made === word ? null : street.replace(word, made);
}

function foldText(text: string): string {
  const german = text
    .replace(/ä/gi, "ae")
    .replace(/ö/gi, "oe")
    .replace(/ü/gi, "ue")
    .replace(/ß/g, "ss");
  return german.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

const FOREIGN = [
  ...["80331 München, Germany", "Wien", "75001 Paris, France", "Springfield, Illinois"],
  ...["Zürich", "Oxford OX1 2JD", "00184 Roma", "Kraków, Polska"],
];

/** Towns of other countries, and other places of the extract: none may be answered by a house elsewhere. */
function elsewhere(geocoder: Geocoder, { addresses, areas, places }: Match): void {
  if (addresses.length < MIN_ADDRESSES) return;
  const random = seeded(13);
  const towns = places.filter(({ place }) => ["city", "town", "village"].includes(place));
  let [request, wrong] = [0, 0];
  const misses: string[] = [];
  const count = Math.ceil(1_000 / FOREIGN.length / 2);
  for (const { street, number, ...at } of sample(addresses, count, random))
    for (let n = 0; n < FOREIGN.length * 2; n++) {
      const other = towns[Math.floor(random() * towns.length)];
      const town = n < FOREIGN.length ? FOREIGN[n]! : other?.name;
      if (town === undefined || town === at.city) continue;
      // A street may go on there, and an address may name what lies around it.
      const isFar = (place: Point): boolean =>
        distance_m(place.lat, place.lon, at.lat, at.lon) > 12_000;
      if (n >= FOREIGN.length && !towns.filter(({ name }) => name === town).every(isFar)) {
        const own_areas = areas.filter((area) => area.whole && area.name === town);
        if (own_areas.length === 0 || own_areas.some((area) => holds(area, at))) continue;
      }
      const isThere = (place: Point): boolean =>
        areas.some((area) => area.whole && area.name === town && holds(area, place)) ||
        towns.some(
          (place_of) =>
            place_of.name === town &&
            distance_m(place_of.lat, place_of.lon, place.lat, place.lon) < 6_000,
        );
      const q = `${street} ${number}, ${town}`;
      const [item] = geocoder.geocode({ q, language: "xx", country: null, near: null, limit: 1 });
      request++;
      if (item?.match_quality !== "rooftop" || (n >= FOREIGN.length && isThere(item.location)))
        continue;
      wrong++;
      misses.push(`      ${JSON.stringify(q)} -> ${item.label}`);
    }
  console.log(`  ${"rooftop elsewhere".padEnd(22)} ${String(request).padStart(5)}  ${wrong}`);
  for (const miss of misses.slice(0, Number(options.misses))) console.log(miss);
}

/** Postcode and city of an answer are those of one address, wherever its addresses have both. */
function together(geocoder: Geocoder, { addresses }: Match): void {
  const pairs = new Set(
    addresses.flatMap(({ postcode, tagged }) =>
      postcode && tagged ? [`${postcode} ${tagged}`] : [],
    ),
  );
  const both = addresses.filter(({ postcode, tagged }) => postcode !== null && tagged !== null);
  if (both.length < MIN_ADDRESSES) return;
  let [request, wrong] = [0, 0];
  const misses: string[] = [];
  for (const { lat, lon } of sample(both, Number(options.sample), seeded(17)))
    for (const item of geocoder.reverse({ lat, lon, language: "xx", limit: 2 })) {
      const { postal_code, city } = item.address;
      if (postal_code === null || city === null) continue;
      if (item.type !== "address" && item.type !== "street") continue;
      request++;
      if (pairs.has(`${postal_code} ${city}`)) continue;
      wrong++;
      misses.push(`      ${item.label} (${item.type})`);
    }
  console.log(
    `  ${"postcode with city".padEnd(22)} ${String(request).padStart(5)}  ${wrong} apart`,
  );
  for (const miss of misses.slice(0, Number(options.misses))) console.log(miss);
}

function reverse(geocoder: Geocoder, { addresses, named, areas }: Match): void {
  const houses = [...addresses, ...named];
  const random = seeded(11);
  const times: number[] = [];
  const ask = (at: Point): ReturnType<Geocoder["reverse"]> => {
    const begun = performance.now();
    const items = geocoder.reverse({ ...at, language: "xx", limit: 5 });
    times.push(performance.now() - begun);
    return items;
  };
  let [request, right] = [0, 0];
  const misses: string[] = [];
  for (const { lat, lon } of sample(addresses, Number(options.sample), random)) {
    const at = { lat: lat + (random() - 0.5) * 4e-4, lon: lon + (random() - 0.5) * 4e-4 };
    const nearest = houses
      .map((address) => ({ address, metres: distance_m(at.lat, at.lon, address.lat, address.lon) }))
      .reduce((a, b) => (b.metres < a.metres ? b : a));
    const [item] = ask(at);
    request++;
    const same = houses.some(
      (each) =>
        each.number === item?.address.street_number &&
        each.street === item.address.street &&
        distance_m(at.lat, at.lon, each.lat, each.lon) < nearest.metres + 0.05,
    );
    if (same) right++;
    else
      misses.push(
        `      ${nearest.address.street} ${nearest.address.number} (${nearest.metres.toFixed(1)} m) -> ${item?.label} (${item?.distance_m?.toFixed(1)} m)`,
      );
  }
  if (request > 0)
    console.log(
      `  ${"reverse: address".padEnd(22)} ${String(request).padStart(5)}  ${rate(right, request)}`,
    );
  for (const miss of misses.slice(0, Number(options.misses))) console.log(miss);
  // The city that an address names itself, with its postcode, is its own.
  const tagged = new Set(
    houses.map(({ street, number, tagged: city }) => [street, number, city].join("|")),
  );
  municipalities(areas, ask, {
    random,
    names: ({ address: { street, street_number: number, city } }) =>
      tagged.has([street, number, city].join("|")),
  });
  times.sort((a, b) => a - b);
  if (times.length > 0) console.log(`  reverse median ${times[times.length >> 1]!.toFixed(3)} ms`);
}

function municipalities(
  areas: readonly Area[],
  ask: (at: Point) => ReturnType<Geocoder["reverse"]>,
  { random, names }: { random: () => number; names: (item: GeocodeItem) => boolean },
): void {
  const whole = areas.filter((area) => area.whole && area.rings.length > 0);
  const count = (level: number): number => whole.filter((area) => area.level === level).length;
  const level = [8, 7].reduce((a, b) => (count(b) > count(a) ? b : a));
  const own = whole.filter((area) => area.level === level);
  let [request, right] = [0, 0];
  const misses: string[] = [];
  for (const area of own)
    for (let n = 0; n < Math.min(50, Number(options.sample)); n++) {
      const at = pointIn(area, random);
      if (!at || own.filter((other) => holds(other, at)).length !== 1) continue;
      const items = ask(at);
      request++;
      const [item] = items;
      if (item?.address.city === area.name || (item && names(item))) right++;
      else misses.push(`      ${area.name} -> ${items[0]?.label} (${items[0]?.address.city})`);
    }
  if (request > 0)
    console.log(
      `  ${"reverse: municipality".padEnd(22)} ${String(request).padStart(5)}  ${rate(right, request)} (level ${level})`,
    );
  for (const miss of misses.slice(0, Number(options.misses))) console.log(miss);
}

function pointIn(area: Area, random: () => number): Point | null {
  const lats = area.rings.flatMap((ring) => [...ring.filter((_, i) => i % 2 === 0)]);
  const lons = area.rings.flatMap((ring) => [...ring.filter((_, i) => i % 2 === 1)]);
  const [south, north] = [least(lats), -least(lats.map((value) => -value))];
  const [west, east] = [least(lons), -least(lons.map((value) => -value))];
  for (let n = 0; n < 50; n++) {
    const at = {
      lat: (south + (north - south) * random()) / 1e7,
      lon: (west + (east - west) * random()) / 1e7,
    };
    if (holds(area, at)) return at;
  }
  return null;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function holds({ rings }: Area, { lat, lon }: Point): boolean {
  let inside = false;
  for (const ring of rings)
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const [y, x, v, u] = [ring[i]! / 1e7, ring[i + 1]! / 1e7, ring[j]! / 1e7, ring[j + 1]! / 1e7];
      if (y > lat !== v > lat && lon < x + ((u - x) * (lat - y)) / (v - y)) inside = !inside;
    }
  return inside;
}

function sample<T>(list: readonly T[], count: number, random: () => number): T[] {
  if (list.length <= count) return [...list];
  const picked = new Set<number>();
  while (picked.size < count) picked.add(Math.floor(random() * list.length));
  return [...picked].map((i) => list[i]!);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

for (const name of positionals.length > 0 ? positionals : [...listExtracts(), TOULOUSE])
  if (name === TOULOUSE) await reportAddresses();
  else await report(name);
