/** Results in brief: nothing unknown becomes a number, nothing is longer than it may be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SHOWN } from "#api/agent-results.ts";
import {
  fit,
  sizeOf,
  toBriefService,
  toBriefStation,
  toBriefVehicle,
  toOmitted,
} from "#mcp/brief.ts";
import { toDepartureNotices } from "#mcp/departure-notices.ts";
import { station, vehicle } from "../cli/support.ts";

const around = (listed: readonly object[]) => ({
  total: 99,
  shown: listed.length,
  results: listed,
});

test("as many results as fit are shown, in their order, and at least one", () => {
  const item = fc.nat({ max: 3000 }).map((length) => ({ name: "x".repeat(length) }));
  let cut = 0;
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (items, most) => {
        const page = fit(items, most, around);
        const bound = Math.min(items.length, most, SHOWN.items_max);
        assert.deepEqual(page.results, items.slice(0, page.shown));
        if (page.shown < bound) cut++;
        // One more would have been too many.
        if (page.shown < bound)
          assert.ok(sizeOf(around(items.slice(0, page.shown + 1))) > SHOWN.bytes_max);
        if (page.shown > 1) assert.ok(sizeOf(page) <= SHOWN.bytes_max);
        assert.ok(page.shown >= Math.min(1, bound));
      },
    ),
  );
  assert.ok(cut > 0);
});

test("unknown counts stay null", () => {
  const whole = station({ distance_meters: 12 });
  const unknown = { ...whole.availability, vehicles: null, docks: null, electric: null };
  const brief = toBriefStation({ ...whole, availability: unknown }) as {
    availability: Record<string, unknown>;
    location: object;
  };
  assert.equal(brief.availability["vehicles"], null);
  assert.equal(brief.availability["docks"], null);
  assert.ok(!("electric" in brief.availability));
  const far = toBriefStation({ ...whole, location: { lat: 48.123456789, lon: -2.0000004 } });
  assert.deepEqual((far as { location: object }).location, { lat: 48.123457, lon: -0 - 2 });
});

test("a station says which kinds are there, where its mode does not", () => {
  const whole = station({ distance_meters: 12 });
  const kindsOf = (by_type: NonNullable<typeof whole.availability.by_type>) =>
    toBriefStation({ ...whole, availability: { ...whole.availability, by_type } }).availability
      .by_type;
  const bike = { form_factor: "bicycle", propulsion: "human" } as const;
  const cargo = { form_factor: "cargo_bicycle", propulsion: "human", count: 3 } as const;
  assert.deepEqual(kindsOf([{ ...bike, count: 0 }, cargo]), [cargo]);
  assert.equal(
    kindsOf([
      { ...bike, count: 5 },
      { ...cargo, count: 0 },
    ]),
    undefined,
  );
  assert.deepEqual(kindsOf([{ count: 5 }]), [{ count: 5 }]);
});

test("a notice says what it does before what it is called, and the worst comes first", () => {
  const notice = (id: string, effect: string | null) => ({
    ...{ id, effect, feed_id: "f", cause: "technical_problem", header: `Stop ${id}` },
    ...{ description: "The lift is broken. ".repeat(50), url: `https://x.example/${id}` },
    active_periods: [{ from: null, to: "2026-11-28T20:00:00Z" }],
  });
  const all = [notice("a", "detour"), notice("b", "accessibility_issue"), notice("c", null)];
  const { alerts = [], alerts_total } = toDepartureNotices(
    [{ alerts: ["a", "b", "c", "of another answer"] }],
    [...all, notice("d", "no_service")],
  );
  assert.deepEqual(
    alerts.map(({ id, effect, to }) => [id, effect, to]),
    [
      ["b", "accessibility_issue", "2026-11-28T20:00:00Z"],
      ["a", "detour", "2026-11-28T20:00:00Z"],
      ["c", null, "2026-11-28T20:00:00Z"],
    ],
  );
  assert.equal(alerts_total, 4);
  assert.ok(alerts.every(({ description }) => description!.length <= 240));
  assert.deepEqual(toDepartureNotices([{ alerts: [] }], all), {});
});

test("what is left in a vehicle is shown where it is known", () => {
  const briefOf = (source: object) => toBriefVehicle(vehicle(source, "a:1"));
  const { battery, range_m } = briefOf({ battery: 0, range_m: 900 });
  assert.deepEqual([battery, range_m], [0, 900]);
  assert.ok(!("battery" in briefOf({})) && !("range_m" in briefOf({})));
});

test("notices are what message and counts do not say, five at most", () => {
  const reported = { cut: null, message: "Vélo Seine is too slow." };
  const omitted = { cut: null, message: "source 4 is too slow." };
  const page = { cut: { total: 41 }, message: "Shown are the nearest 20 of 41." };
  const open = { cut: { total: null }, message: "Maps names at most 20 places." };
  const notices = [reported, omitted, page, open] as Parameters<typeof toOmitted>[0];
  const message = "The answer may be incomplete: Vélo Seine is too slow; 1 more source failed.";
  assert.deepEqual(toOmitted(notices, message), { notices: [omitted.message, open.message] });
  assert.deepEqual(toOmitted([reported], message), {});
  assert.deepEqual(toOmitted(undefined, undefined), {});
  const many = Array.from({ length: 9 }, (_, i) => ({ cut: null, message: `s${i} is too slow.` }));
  assert.equal(toOmitted(many, undefined).notices?.length, 5);
});

const SERVICE = {
  id: "svc_place_1",
  type: "service" as const,
  service_type: "charging" as const,
  name: "Charger",
  location: { lat: 1, lon: 2 },
  distance_meters: 3,
  source_id: "openstreetmap" as const,
  source_type: "community" as const,
};

test("attributes that are too long are named, and null ones are left out", () => {
  const attributes = { access: "yes", fee: null, note: "x".repeat(600), maps_uri: "y".repeat(680) };
  const brief = toBriefService({ ...SERVICE, attributes }) as Record<string, unknown>;
  assert.deepEqual(brief["attributes"], { access: "yes" });
  assert.deepEqual(brief["omitted"], ["note"]);
  const short = toBriefService({ ...SERVICE, attributes: { access: "yes" } });
  assert.ok(!("omitted" in short));
});

test("of usable the state and its end are left, also where it is not known", () => {
  const usable = { state: "open", until: null, rule: "24/7", holidays_known: true };
  const briefOf = (attributes: object) =>
    (toBriefService({ ...SERVICE, attributes }) as { attributes: object }).attributes;
  assert.deepEqual(briefOf({ usable }), { usable: { state: "open", until: null } });
  assert.deepEqual(briefOf({ fee: "no", usable: { ...usable, state: "unknown" } }), {
    fee: "no",
    usable: { state: "unknown", until: null },
  });
  assert.deepEqual(briefOf({ fee: "no" }), { fee: "no" });
});

test("a result says of filters whether it is known to fit, and names those that are not known", () => {
  const shown = (members: object) => toBriefService({ ...SERVICE, attributes: {}, ...members });
  const { match, unknown } = shown({ match: "unknown", unknown: ["fee"] });
  assert.deepEqual([match, unknown], ["unknown", ["fee"]]);
  const known = shown({ match: "known", unknown: [] });
  assert.deepEqual([known.match, "unknown" in known], ["known", false]);
  assert.ok(!("match" in shown({})));
});

test("attributes never take more than their share", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (attributes) => {
      const brief = toBriefService({ ...SERVICE, attributes }) as { attributes: object };
      const names = Object.keys(brief.attributes).length;
      // Quotes, colons and commas come on top.
      assert.ok(sizeOf(brief.attributes) <= 600 * 2 + names * 4 + 2);
      assert.ok(Object.values(brief.attributes).every((value) => value !== null));
    }),
  );
});

test("a name is cut at 120 characters, whole characters only", () => {
  const whole = station({ distance_meters: 12 });
  const named = (name: string) => (toBriefStation({ ...whole, name }) as { name: string }).name;
  assert.equal(named("x".repeat(120)).length, 120);
  assert.equal(named("x".repeat(121)).length, SHOWN.name_max);
  assert.equal(named(`${"x".repeat(119)}😀`), "x".repeat(119));
  const network = { ...whole.network, name: "y".repeat(256) };
  const brief = toBriefStation({ ...whole, network }) as { network: string };
  assert.equal(brief.network.length, SHOWN.name_max);
});

test("of a charger the free and strong connectors are shown, ahead of its hours and links", () => {
  const connectors = [3, 50, 22, 150, 11, 7].map((max_kw) => ({
    type: "CCS2",
    max_kw,
    count: 2,
    available_count: max_kw === 7 ? 1 : 0,
    availability_updated_at: "2026-11-21T11:00:00Z",
  }));
  const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
  const attributes = {
    maps_place_id: "y".repeat(60),
    types: ["a".repeat(90)],
    opening_hours: days.map((day) => `${day}: Open 24 hours`),
    address: "z".repeat(100),
    charging: { available_count: 1, connectors },
  };
  const brief = toBriefService({ ...SERVICE, attributes });
  const { charging, opening_hours } = brief.attributes as {
    charging: { connectors: { max_kw: number }[]; more_connectors: number };
    opening_hours: string;
  };
  assert.deepEqual(
    charging.connectors.map(({ max_kw }) => max_kw),
    [7, 150, 50, 22, 11],
  );
  assert.equal(charging.more_connectors, 1);
  assert.equal(opening_hours, "Monday–Sunday: Open 24 hours");
});

test("days of different hours stay apart, and hours in words stay as they are", () => {
  const hoursOf = (opening_hours: unknown): unknown =>
    (
      toBriefService({ ...SERVICE, attributes: { opening_hours } }).attributes as {
        opening_hours: unknown;
      }
    ).opening_hours;
  assert.equal(hoursOf(["Mo: 8–18", "Tu: 8–18", "We: Closed"]), "Mo–Tu: 8–18; We: Closed");
  assert.equal(hoursOf("Mo-Fr 08:00-20:00"), "Mo-Fr 08:00-20:00");
  assert.deepEqual(hoursOf(["always"]), ["always"]);
});

test("a vehicle is shown with its state, brand, type and rental link", () => {
  const brief = toBriefVehicle(
    vehicle(
      {
        service_status: { state: "maintenance" },
        action_state: { pickup: "unavailable_now" },
        brand: "Zig",
        vehicle_type: { form_factor: "scooter", propulsion: "electric" },
        rental_uris: { ios: "zig://1", web: "https://zig.example/1" },
      },
      "zig:1",
    ),
  ) as Record<string, unknown>;
  const { id, state, pickup, brand, vehicle_type, rental_url } = brief;
  assert.deepEqual(
    { id, state, pickup, brand, vehicle_type, rental_url },
    {
      id: "zig:1",
      state: "maintenance",
      pickup: "unavailable_now",
      brand: "Zig",
      vehicle_type: "scooter, electric",
      rental_url: "https://zig.example/1",
    },
  );
});
