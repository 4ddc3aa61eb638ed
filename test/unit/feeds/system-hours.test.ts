/** Files of hours before GBFS 3.0: they belong to the static pack, and cost nothing else where they fail. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, type Bottle, type City, createBottle, createCity, pollFor } from "./support.ts";

const HTTP_500 = { status: "error", reason: "http_500" } as const;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const SEASON = { calendars: [{ start_month: 4, start_day: 1, end_month: 10, end_day: 31 }] };
const hours = (start_time: string) => ({
  rental_hours: [{ user_types: ["member"], days: DAYS, start_time, end_time: "22:00:00" }],
});

function createTown(extra: string[] = ["system_hours", "system_calendar"]): {
  bottle: Bottle;
  city: City;
  hoursNow(): string | null;
} {
  const bottle = createBottle();
  const city = createCity(bottle.upstream, undefined, { extra });
  city.publish("system_hours", hours("06:00:00"), { ttl: 3600 });
  city.publish("system_calendar", SEASON, { ttl: 3600 });
  return { bottle, city, hoursNow: () => bottle.shard().statics.meta.system!.opening_hours };
}

const BOTH = "Apr 01-Oct 31 Mo-Su 06:00-22:00; Apr 01-Oct 31 PH unknown";

test("the hours of a system come with its static files", async () => {
  const { bottle, hoursNow } = createTown();
  assert.deepEqual(await ask(bottle), { status: "ok", cache: "miss" });
  assert.equal(hoursNow(), BOTH);
  assert.equal(bottle.shard().statics.meta.has_hours, true);
  assert.equal(bottle.shard().statics.count, 2);
});

test("hours without a calendar are those of all year", async () => {
  const { bottle, hoursNow } = createTown(["system_hours"]);
  await ask(bottle);
  assert.equal(hoursNow(), "Mo-Su 06:00-22:00; PH unknown");
});

test("hours that system_information states go before them", async () => {
  const { bottle, city, hoursNow } = createTown();
  const system = { system_id: "a", language: "en", name: "City", timezone: "UTC" };
  city.publish("system_information", { ...system, opening_hours: "24/7" });
  await ask(bottle);
  assert.equal(hoursNow(), "24/7");
});

for (const file of ["system_hours", "system_calendar"])
  test(`where ${file} fails the hours are unknown, all else is there, and they come with it`, async () => {
    const { bottle, city, hoursNow } = createTown();
    const { upstream } = bottle;
    city.fail(file, HTTP_500);
    assert.deepEqual(await ask(bottle), { status: "ok", cache: "miss" });
    assert.equal(hoursNow(), file === "system_hours" ? "Apr 01-Oct 31 unknown" : null);
    const { statics } = bottle.shard();
    assert.equal(statics.count, 2);
    await pollFor(bottle, 70);
    assert.equal(bottle.shard().statics, statics, "a file that fails renews nothing");
    // Each 300 s, and at the first repeats of the file that fails.
    assert.ok(upstream.count("station_information.json") <= 24);
    city.publish("system_hours", hours("06:00:00"), { ttl: 3600 });
    city.publish("system_calendar", SEASON, { ttl: 3600 });
    await pollFor(bottle, 70);
    assert.equal(hoursNow(), BOTH);
  });

test("new hours make a new static pack, as any static file does", async () => {
  const { bottle, city, hoursNow } = createTown(["system_hours"]);
  await ask(bottle);
  city.publish("system_hours", hours("07:00:00"), { ttl: 3600 });
  await pollFor(bottle, 70);
  assert.equal(hoursNow(), "Mo-Su 07:00-22:00; PH unknown");
});

test("a file of hours that is 404 or no JSON costs the hours alone", async () => {
  const { bottle, city, hoursNow } = createTown();
  bottle.upstream.set(city.file("system_hours"), { body: "<html>" });
  assert.equal((await ask(bottle)).status, "ok");
  assert.equal(hoursNow(), "Apr 01-Oct 31 unknown");
  const other = createTown();
  other.bottle.upstream.remove(other.city.file("system_calendar"));
  assert.equal((await ask(other.bottle)).status, "ok");
  assert.equal(other.hoursNow(), "Mo-Su 06:00-22:00; PH unknown");
});
