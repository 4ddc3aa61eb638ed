/** Services in the list of places by class, in the form of places. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { joinReplies } from "#app/places/class-join.ts";

type Reply = NonNullable<Parameters<typeof joinReplies>[1]>;
type Question = Parameters<typeof joinReplies>[0];

test("the lines of a charger's hours are one text among places, as a place has them", () => {
  const charger = (opening_hours?: unknown) => ({
    ...{ id: "svc_place_a", service_type: "charging", name: "A", source_id: "maps" },
    ...{ location: { lat: 1, lon: 2 }, distance_meters: 5 },
    attributes: { address: "B", ...(opening_hours === undefined ? {} : { opening_hours }) },
  });
  const hoursOf = (opening_hours?: unknown): unknown => {
    const reply = { body: { results: [charger(opening_hours)] } } as unknown as Reply;
    const { body } = joinReplies({ limit: 20 } as Question, reply, null);
    const [item] = body.results;
    assert.ok(item);
    assert.equal(item.place_class, "charging");
    return (item.attributes as { opening_hours?: unknown }).opening_hours;
  };
  assert.equal(
    hoursOf(["Monday: Open 24 hours", "Tuesday: Closed"]),
    "Monday: Open 24 hours; Tuesday: Closed",
  );
  assert.equal(hoursOf("24/7"), "24/7");
  assert.equal(hoursOf(), undefined);
});
