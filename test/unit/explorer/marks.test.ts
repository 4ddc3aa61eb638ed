/** Which marks show the things on the page's map: clusters, dots, what lies on what. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";

type Thing = {
  id: string;
  layer: "station" | "vehicle" | "service" | "transit";
  kind: string;
  icon: string;
  color: string;
  lat: number;
  lon: number;
  free: number | null;
  total: number | null;
  state: string;
  onMap: boolean;
  stale?: boolean;
  usable?: "yes" | "no" | "unknown";
};
type Mark = {
  key: string;
  item: Thing;
  members: Thing[];
  x: number;
  y: number;
  form: "whole" | "dot";
};
type Module = {
  place(things: readonly Thing[]): object[];
  arrange(placed: readonly object[], step: number): Mark[];
  lift(marks: readonly Mark[], ids: readonly (string | null)[]): Mark[];
  apartAt(mark: Mark): number;
  stepOf(zoom: number): number;
  sizeAt(zoom: number): number;
};

const PAGE = new URL("../../../explorer/map/marks.js", import.meta.url);
const { place, arrange, lift, apartAt, stepOf, sizeAt } = (await import(PAGE.href)) as Module;

const PARIS = { lat: 48.8566, lon: 2.3522 };
const METRE = 1 / 111_195;

function thing(input: Partial<Thing> & { id: string }): Thing {
  const plain = { kind: "scooter", icon: "scooter", color: "#6d3fd1", free: null, total: null };
  return { ...PARIS, ...plain, layer: "vehicle", state: "operational", onMap: true, ...input };
}

const marksOf = (things: readonly Thing[], zoom: number): Mark[] =>
  arrange(place(things), stepOf(zoom));

const anyThing = fc.record({
  id: fc.string({ minLength: 1, maxLength: 4 }),
  layer: fc.constantFrom("station", "vehicle", "vehicle", "vehicle", "service", "transit"),
  kind: fc.constantFrom("scooter", "bicycle"),
  free: fc.constantFrom(null, 0, 1, 12, 3000),
  state: fc.constantFrom("operational", "unknown", "maintenance"),
  stale: fc.boolean(),
  onMap: fc.constantFrom(true, true, true, false),
  north_m: fc.integer({ min: -600, max: 600 }),
  east_m: fc.integer({ min: -600, max: 600 }),
});
const anyThings = fc
  .uniqueArray(anyThing, { selector: ({ id }) => id, maxLength: 120 })
  .chain((rows) =>
    fc.constantFrom(PARIS, { lat: -18.1, lon: 179.999 }, { lat: 71, lon: -179.9999 }).map((at) =>
      rows.map(({ north_m, east_m, ...row }) => {
        const lon = at.lon + (east_m * METRE) / Math.cos((at.lat * Math.PI) / 180);
        const wrapped = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
        return thing({ ...(row as Thing), lat: at.lat + north_m * METRE, lon: wrapped });
      }),
    ),
  );
const anyZoom = fc.double({ min: 1, max: 19.5, noNaN: true });

test("every thing that may be on a map is in exactly one mark, in whatever order they come", () => {
  fc.assert(
    fc.property(anyThings, anyZoom, fc.infiniteStream(fc.nat()), (things, zoom, shuffle) => {
      const marks = marksOf(things, zoom);
      const ids = things.filter(({ onMap }) => onMap).map(({ id }) => id);
      const seen = marks.flatMap(({ members }) => members.map(({ id }) => id));
      assert.deepEqual(seen.toSorted(), ids.toSorted());
      const keyed = things.map((one) => ({ one, key: shuffle.next().value as number }));
      const mixed = keyed.toSorted((a, b) => a.key - b.key).map(({ one }) => one);
      assert.deepEqual(marksOf(mixed, zoom), marks);
    }),
  );
});

test("what is chosen or pointed at is whole, alone and on top; all others stay where they are", () => {
  fc.assert(
    fc.property(anyThings, anyZoom, fc.nat(), fc.nat(), (things, zoom, a, b) => {
      const marks = marksOf(things, zoom);
      const listed = things.filter(({ onMap }) => onMap);
      if (listed.length === 0) return;
      const [pointed, chosen] = [listed[a % listed.length]!.id, listed[b % listed.length]!.id];
      const lifted = lift(marks, [pointed, chosen]);
      const top = lifted.at(-1)!;
      assert.equal(top.key, chosen);
      assert.equal(top.form, "whole");
      assert.deepEqual(
        top.members.map(({ id }) => id),
        [chosen],
      );
      const own = new Set([pointed, chosen]);
      assert.ok(lifted.slice(-own.size).every(({ key }) => own.has(key)));
      const count = (of: readonly Mark[]): string[] =>
        of.flatMap(({ members }) => members.map(({ id }) => id)).toSorted();
      assert.deepEqual(count(lifted), count(marks));
      const untouched = marks.filter(({ members }) => members.every(({ id }) => !own.has(id)));
      for (const mark of untouched) assert.ok(lifted.includes(mark));
    }),
  );
});

test("no two marks of a kind of vehicle overlap, and none hides another that is whole", () => {
  fc.assert(
    fc.property(anyThings, anyZoom, (things, zoom) => {
      const step = stepOf(zoom);
      const world_px = (512 * 2 ** step) / sizeAt(step);
      const marks = marksOf(things, zoom);
      const whole = marks.filter(({ form }) => form === "whole");
      for (const [n, one] of whole.entries())
        for (const other of whole.slice(0, n)) {
          const apart_px = Math.hypot(one.x - other.x, one.y - other.y) * world_px;
          assert.ok(apart_px > 15, `${one.key} and ${other.key} are ${apart_px} pixels apart`);
        }
      const kindOf = ({ item }: Mark): string =>
        `${item.kind}/${item.state === "maintenance" || item.stale}`;
      const vehicles = marks.filter(({ item }) => item.layer === "vehicle");
      for (const [n, one] of vehicles.entries())
        for (const other of vehicles.slice(0, n)) {
          if (kindOf(one) !== kindOf(other)) continue;
          assert.ok(Math.hypot(one.x - other.x, one.y - other.y) * world_px > 29.9);
        }
    }),
  );
});

test("a cluster is of one kind, counts its members, and falls apart at the zoom that is said", () => {
  const things = Array.from({ length: 9 }, (_, n) =>
    thing({ id: `s${n}`, lat: PARIS.lat + n * 3 * METRE }),
  );
  const bicycle = thing({ id: "b", kind: "bicycle" });
  const marks = marksOf([...things, bicycle], 14);
  assert.deepEqual(
    marks.map(({ members }) => members.length).toSorted((a, b) => a - b),
    [1, 9],
  );
  const cluster = marks.find(({ members }) => members.length > 1)!;
  const apart = marksOf(things, apartAt(cluster));
  assert.ok(apart.length > 1, `${apartAt(cluster)}`);
  assert.equal(
    apartAt({ ...cluster, members: [things[0]!, { ...things[0]!, id: "t" }] }),
    Infinity,
  );
  assert.equal(marksOf(things, 19.5).length, 9);
});

test("of what overlaps, the fuller station is whole; what cannot be used lies below all", () => {
  const station = { layer: "station", kind: "bicycle", total: 20 } as const;
  const full = thing({ ...station, id: "full", free: 15 });
  const empty = thing({ ...station, id: "empty", free: 0, lat: PARIS.lat + 20 * METRE });
  const stop = thing({
    id: "stop",
    layer: "transit",
    kind: "transit",
    lat: PARIS.lat - 25 * METRE,
  });
  const broken = thing({ id: "broken", state: "maintenance", lon: PARIS.lon + 0.0003 });
  const refused = thing({ id: "refused", kind: "bicycle", usable: "no", lon: PARIS.lon - 0.0003 });
  const marks = marksOf([broken, empty, full, stop, refused], 14);
  assert.deepEqual(marks.at(-1)!.key, "full");
  assert.deepEqual(
    marks
      .filter(({ form }) => form === "dot")
      .map(({ key }) => key)
      .toSorted(),
    ["broken", "empty", "refused", "stop"],
  );
  const near = marksOf([broken, empty, full, stop, refused], 18);
  assert.ok(near.every(({ form }) => form === "whole"));
  assert.deepEqual(
    near
      .map(({ key }) => key)
      .slice(0, 2)
      .toSorted(),
    ["broken", "refused"],
  );
  assert.deepEqual(near.map(({ key }) => key).slice(2), ["empty", "stop", "full"]);
});

test("of two stations with something free the fuller one is whole, and dots lie below", () => {
  const station = { layer: "station", kind: "bicycle", total: 20 } as const;
  const few = thing({ ...station, id: "a", free: 3, lat: PARIS.lat - 20 * METRE });
  const many = thing({ ...station, id: "b", free: 15 });
  const marks = marksOf([many, few], 14);
  assert.deepEqual(
    marks.map(({ key, form }) => `${key} ${form}`),
    ["a dot", "b whole"],
  );
  // Out of use, but alone: whole, and above a dot all the same.
  const alone = thing({ id: "c", state: "maintenance", lat: PARIS.lat + 500 * METRE });
  assert.deepEqual(
    marksOf([alone, many, few], 14).map(({ form }) => form),
    ["dot", "whole", "whole"],
  );
});

test("vehicles on both sides of the antimeridian are one mark", () => {
  const [west, east] = [179.99999, -179.99999].map((lon, n) =>
    thing({ id: `${n}`, lat: -18.1, lon }),
  );
  assert.equal(marksOf([west!, east!], 16).length, 1);
});

test("five thousand things at one place are one mark", () => {
  const things = Array.from({ length: 5000 }, (_, n) => thing({ id: `v${n}` }));
  const [mark, ...others] = marksOf(things, 19.5);
  assert.equal(mark?.members.length, 5000);
  assert.equal(others.length, 0);
});
