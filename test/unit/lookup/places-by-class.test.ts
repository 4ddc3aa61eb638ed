/** Places by what they are, over made bases and a scripted maps provider (docs/places.md, "By class"). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { CLASS_PARAMETERS, ClassPlacesBody } from "#api/class-places.ts";
import { compileQuery } from "#http/validation.ts";
import { createMemberReader } from "#core/members/parameters.ts";
import { hitsOf } from "#core/places/place-hits.ts";
import type { Interest } from "#core/places/interest.ts";
import { aNode, aWay, type Feature } from "../../support/geocoder.ts";
import { aPlace } from "../../support/places.ts";
import { aClassBase, createTown, interestsOf } from "../../support/interests.ts";

const body = Compile(ClassPlacesBody);
const HERE = { lat: 47, lon: 9 };
const BOX = [46.5, 8.5, 47.5, 9.5] as const;
/** Some 11 m. */
const STEP = 0.0001;

let next = 1;
const thing = (steps: number, tags: Record<string, string>): Feature =>
  aNode(next++, [HERE.lat + steps * STEP, HERE.lon], tags);

const FEATURES: readonly Feature[] = [
  thing(1, { amenity: "pharmacy", name: "Ring", opening_hours: "Mo-Fr 08:00-09:00" }),
  thing(2, { amenity: "pharmacy", name: "Stern", wheelchair: "yes", phone: "+41 1" }),
  thing(3, {
    amenity: "pharmacy",
    name: "Sonne",
    opening_hours: "Mo-Su 08:00-20:00",
    wheelchair: "no",
  }),
  thing(4, { amenity: "post_box" }),
  thing(5, { amenity: "cafe", shop: "bakery", name: "Mehl", "name:fr": "Farine" }),
  thing(6, { amenity: "pharmacy", name: "Alt", disused: "yes" }),
  thing(7, { leisure: "swimming_pool" }),
  thing(8, { leisure: "playground", access: "private" }),
  thing(9, { amenity: "school", access: "private", name: "Schule" }),
  thing(10, { tourism: "information", information: "guidepost", name: "Wegweiser" }),
  thing(11, { tourism: "information", information: "office", name: "Auskunft" }),
  thing(12, { amenity: "restaurant", name: "Zur Linde" }),
  aWay(
    next++,
    [
      [HERE.lat + 12 * STEP, HERE.lon],
      [HERE.lat + 13 * STEP, HERE.lon],
      [HERE.lat + 13 * STEP, HERE.lon + STEP],
      [HERE.lat + 12 * STEP, HERE.lon],
    ],
    { amenity: "restaurant", name: "Zur Linde", building: "yes" },
  ),
  thing(2_000, { amenity: "pharmacy", name: "Weit" }),
];
const base = aClassBase("here", BOX, interestsOf(FEATURES));
const ask = createTown({ bases: [base] });

const namesOf = (reply: Awaited<ReturnType<typeof ask>>): string[] =>
  reply.body.results.map(({ name }) => name);

test("places of a class are the nearest first, with what is known of them", async () => {
  const reply = await ask({ ...HERE, classes: ["pharmacy"] });
  assert.deepEqual(body.Errors(reply.body), []);
  assert.deepEqual(namesOf(reply), ["Ring", "Stern", "Sonne"]);
  assert.equal(reply.body.status, "success");
  assert.deepEqual(reply.body.summary, { pharmacy: 3 });
  assert.equal(reply.body.base?.id, "here");
  const [ring, stern] = reply.body.results;
  assert.deepEqual(
    [ring!.distance_meters, ring!.place_class, ring!.source_id],
    [11, "pharmacy", "openstreetmap"],
  );
  const { usable, opening_hours } = ring!.attributes as {
    usable: { state: string };
    opening_hours: string;
  };
  assert.deepEqual([usable.state, opening_hours], ["closed", "Mo-Fr 08:00-09:00"]);
  assert.equal(stern!.attributes["phone"], "+41 1");
  assert.equal((stern!.attributes["usable"] as { state: string }).state, "unknown");
});

test("what is known to be closed is left out, and what is unknown is kept and counted", async () => {
  const open = await ask({ ...HERE, classes: ["pharmacy"], usable: "now" });
  assert.deepEqual(namesOf(open), ["Stern", "Sonne"]);
  assert.deepEqual([open.body.total, open.body.unknown], [2, { hours: 1 }]);
  assert.deepEqual(
    open.body.results.map(({ match, unknown }) => [match, unknown]),
    [
      ["unknown", ["usable"]],
      ["known", []],
    ],
  );
  assert.equal(open.body.nearest_known?.id, open.body.results[1]!.id);
  assert.deepEqual(body.Errors(open.body), []);
  const strict = await ask({ ...HERE, classes: ["pharmacy"], usable: "now", strict: true });
  assert.deepEqual([namesOf(strict), strict.body.unknown], [["Sonne"], { hours: 0, left_out: 1 }]);
  const morning = await ask({
    ...HERE,
    classes: ["pharmacy"],
    usable: "2026-11-24T08:30:00+01:00",
  });
  assert.deepEqual(namesOf(morning), ["Ring", "Stern", "Sonne"]);
  const level = await ask({ ...HERE, classes: ["pharmacy"], wheelchair: "yes" });
  assert.deepEqual([namesOf(level), level.body.unknown], [["Ring", "Stern"], { wheelchair: 1 }]);
});

test("one without a name is called by its class in the language, others by their own names", async () => {
  const classes = ["post_box", "bakery"];
  const named = async (language?: string) => namesOf(await ask({ ...HERE, classes, language }));
  assert.deepEqual(await named(), ["Post box", "Mehl"]);
  assert.deepEqual(await named("de-CH"), ["Briefkasten", "Mehl"]);
  assert.deepEqual(await named("fr"), ["Boîte aux lettres", "Farine"]);
  assert.deepEqual(await named("ja"), ["ポスト", "Mehl"]);
});

test("a thing of two classes is of both, one that is drawn twice is one, and what is closed to all is none", async () => {
  for (const place_class of ["cafe", "bakery", "restaurant", "school", "tourist_information"]) {
    const reply = await ask({ ...HERE, classes: [place_class] });
    assert.deepEqual(reply.body.summary, { [place_class]: 1 }, place_class);
  }
  const none = await ask({ ...HERE, classes: ["swimming_pool", "playground", "museum"] });
  assert.deepEqual(none.body.summary, { swimming_pool: 0, playground: 0, museum: 0 });
  assert.equal(none.body.status, "empty");
  assert.match(
    none.body.message!,
    /Nothing was found within 1500 metres; the radius may be up to 10000/,
  );
});

test("ids are those of the thing and its class, whatever the question", async () => {
  const [one] = (await ask({ ...HERE, classes: ["cafe"] })).body.results;
  const [same] = (await ask({ lat: 47.001, lon: 9, classes: ["cafe", "atm"] })).body.results;
  const [other] = (await ask({ ...HERE, classes: ["bakery"] })).body.results;
  assert.equal(one!.id, same!.id);
  assert.notEqual(one!.id, other!.id);
  assert.match(one!.id, /^svc_poi_/);
});

test("a list that ends before all were shown says so, and counts all", async () => {
  const reply = await ask({ ...HERE, classes: ["pharmacy"], limit: 2 });
  assert.deepEqual([namesOf(reply).length, reply.body.total], [2, 3]);
  assert.match(reply.body.notices!.at(-1)!.message, /Shown are the nearest 2 of 3/);
});

test("where no source knows the point the answer is partial, and says why", async () => {
  const away = { lat: 10, lon: 10, classes: ["pharmacy"] };
  const elsewhere = await ask(away);
  assert.deepEqual([elsewhere.body.status, elsewhere.metered.void], ["partial", true]);
  assert.match(elsewhere.body.message!, /OpenStreetMap/);
  const none = await createTown({})(away);
  assert.match(none.body.message!, /no source of pharmacy is configured/);
  const statement = { id: "old", data_at: null, licence: null, attribution: null };
  const older = await createTown({ olderAt: () => statement })(away);
  assert.equal(older.body.status, "partial");
  assert.match(older.body.message!, /the base old.*another version/);
});

/** The maps provider, and how often it was asked. */
function aProvider(status: "ok" | "timeout" = "ok") {
  const requests: (readonly string[])[] = [];
  const shop: Interest = {
    ...{ place_class: "pharmacy", source_id: "google_maps", external_id: "g1", lat: 10, lon: 10 },
    ...{ name: "Maps' own", attributes: {} },
  };
  const maps = {
    ...{ id: "maps", name: "Maps", most: 20 },
    knownOf: (classes: readonly string[]) => classes.filter((each) => each === "pharmacy"),
    ask: async ({ classes }: { classes: readonly string[] }) => {
      requests.push(classes);
      const stored = { value: [shop], raw: 1, fetched_at_ms: 0, good_until_ms: 1e15 };
      if (status === "ok") return { status, cache: "miss" as const, stored, rescue: null };
      return { status, reason: "deadline", rescue: null };
    },
  };
  return { requests, maps: maps as never };
}

test("the maps provider is asked where no base covers, for the classes that it knows", async () => {
  const provider = aProvider();
  const town = createTown({ bases: [base], maps: provider.maps });
  await town({ ...HERE, classes: ["pharmacy"] });
  assert.deepEqual(provider.requests, []);
  const reply = await town({ lat: 10, lon: 10, classes: ["pharmacy", "recycling"] });
  assert.deepEqual(provider.requests, [["pharmacy"]]);
  assert.deepEqual(namesOf(reply), ["Maps' own"]);
  assert.equal(reply.body.results[0]!.source_id, "maps");
  assert.equal(reply.body.attributions![0]!.provider, "Maps");
  assert.match(reply.body.message!, /no source of recycling is configured/);
  const slow = await createTown({ maps: aProvider("timeout").maps })({
    ...{ lat: 10, lon: 10, classes: ["pharmacy"] },
  });
  assert.equal(slow.body.status, "partial");
});

test("urban services and points of interest are one list, by distance", async () => {
  const place = aPlace("wc", {
    kind: "toilets",
    lat: HERE.lat + 1.5 * STEP,
    lon: HERE.lon,
    name: "WC",
  });
  const finder = {
    key: "somewhere",
    kindsFor: ({ kinds }: { kinds: readonly string[] }) => kinds,
    find: async () => ({
      ...{ key: "somewhere", status: "ok", reason: null, raw: 1, calls: 0, cache: "hit" },
      ...{ good_until_ms: 1e15, places: hitsOf([{ place, distance_m: 17 }]) },
    }),
  };
  const town = createTown({ bases: [base], finders: [finder as never] });
  const reply = await town({ ...HERE, classes: ["toilets", "pharmacy"], limit: 3 });
  assert.deepEqual(body.Errors(reply.body), []);
  assert.deepEqual(namesOf(reply), ["Ring", "WC", "Stern"]);
  assert.deepEqual(reply.body.summary, { pharmacy: 3, toilets: 1 });
  assert.equal(reply.body.total, 4);
  const ends = reply.body.notices!.filter(({ cut }) => cut !== null);
  assert.deepEqual(
    ends.map(({ cut }) => cut),
    [{ shown: 3, total: 4, within_m: 22 }],
  );
  const filtered = { ...HERE, classes: ["toilets", "pharmacy"], wheelchair: "yes" } as const;
  assert.deepEqual(namesOf(await town(filtered)), ["Ring", "WC", "Stern"]);
  const strict = await town({ ...filtered, strict: true });
  assert.deepEqual(namesOf(strict), ["Stern"], "of neither kind what is not known to fit");
  assert.equal(strict.body.unknown?.left_out, 2);
});

test("a filter looks at the nearest of a crowd, and says up to where", async () => {
  const crowd: Feature[] = [];
  for (let n = 0; n < 900; n++)
    crowd.push(
      aNode(n + 1, [47 + (n % 30) * STEP, 9 + Math.floor(n / 30) * STEP], {
        ...{ amenity: "restaurant", name: `R${n}`, opening_hours: n % 2 ? "24/7" : "off" },
      }),
    );
  const town = createTown({ bases: [aClassBase("crowd", BOX, interestsOf(crowd))] });
  const all = await town({ ...HERE, classes: ["restaurant"] });
  assert.equal(all.body.total, 900);
  const open = await town({ ...HERE, classes: ["restaurant"], usable: "now" });
  assert.equal(open.body.results.length, 20);
  assert.ok(open.body.total < 450, String(open.body.total));
  assert.ok(
    open.body.notices!.some(({ message }) =>
      message.includes("more things here than are looked at"),
    ),
  );
});

test("an unknown class is refused by its name, with those that are meant in any language", () => {
  const query = compileQuery({ parameters: CLASS_PARAMETERS });
  const member = createMemberReader({ classes: CLASS_PARAMETERS.classes }, "arguments");
  const cases: readonly [input: string, said: RegExp][] = [
    ["farmacy", /^classes has "farmacy", which is no class: did you mean pharmacy\?$/],
    ["pharmacy,Apotheke", /"Apotheke".*did you mean pharmacy\?/],
    ["コンビニ", /did you mean convenience\?/],
    ["ladesäule", /did you mean charging\?/],
    ["مطعم", /did you mean restaurant\?/],
    ["toilette", /did you mean toilets\?/],
    ["bar,Pubs", /did you mean pub\?/],
    ["xqzjvkwy", /lists all \d+, among them .*pharmacy/],
    ["", /^classes must be|has ""/],
  ];
  for (const [input, said] of cases) {
    const slots = query.scan(`lat=1&lon=2&classes=${encodeURIComponent(input)}`);
    const decoded = query.decode(slots);
    assert.match(decoded.ok ? "taken" : decoded.message, said, input);
    const read = member({ classes: input.split(",") });
    assert.equal(read.ok, false, input);
  }
  const good = query.decode(query.scan("lat=1&lon=2&classes=pharmacy, atm"));
  assert.deepEqual(good.ok && good.value.classes, ["pharmacy", "atm"]);
});
