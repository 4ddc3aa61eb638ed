/**
 * Drawn worlds for the live map: docks that several sources observe (doubles) and, among them, feeds
 * of one brand whose vehicles are partly the same ones.
 */
import fc from "fast-check";
import type { Shard, VehicleInfo } from "#stations/shards.ts";
import type { Deployment } from "./answers.ts";
import { aShard, aType, aVehicle, anAlert, HERE, moved, NOW_S } from "./domain.ts";
import { type Doubles, doubles, play } from "./doubles.ts";

const FEEDS = ["roll-a", "roll-b"] as const;
const TYPES = [
  aType("s", { mode: "scooter", form_factor: "scooter_standing" }),
  aType("b", { form_factor: "bike" }),
  aType("odd", { mode: "car", form_factor: "hovercraft" }),
  aType("none", { mode: "moped", form_factor: null }),
  aType("o", { mode: "other", form_factor: "other" }),
];

const vehicle = fc.record({
  id: fc.constantFrom("r1", "r2", "r3", 'r"4', "r\\5", "ü6", "🚲7"),
  place: fc.nat({ max: 3 }),
  type_id: fc.constantFrom(...TYPES.map(({ id }) => id), "unknown", null),
  is_reserved: fc.constantFrom(false, false, true, null),
  is_disabled: fc.constantFrom(false, false, true, null),
  until: fc.constantFrom(null, null, -5, 200),
  charge: fc.constantFrom(null, 0, 0.004, 0.095, 0.3, 0.695, 0.7, 0.994, 1),
  range_m: fc.constantFrom(null, 0, 12_345, 1e21),
  reported_age_s: fc.constantFrom(null, 0, 60, 4_000),
});
type Drawn = typeof vehicle extends fc.Arbitrary<infer T> ? T : never;

const publication = fc.record({
  feed: fc.nat({ max: FEEDS.length - 1 }),
  doc_age_s: fc.constantFrom(0, 5, 400, 1_000, 3_590, 4_000),
  isClosed: fc.constantFrom(false, false, false, true),
  vehicles: fc.uniqueArray(vehicle, { selector: ({ id }) => id, maxLength: 6 }),
});
type Publication = typeof publication extends fc.Arbitrary<infer T> ? T : never;

type Live = Doubles["sources"][number]["live"];

/** A number of docks is read only where there is a limit. */
function plausible(live: Live): Live {
  if (live === null) return null;
  const counts = live.counts.map(
    (each) => each && { ...each, docks: each.docks_unlimited ? null : each.docks },
  );
  return { ...live, counts };
}

const docks = doubles.map(({ sources, steps }): Doubles => ({
  sources: sources.map((each) => ({ ...each, live: plausible(each.live) })),
  steps: steps.map((step) =>
    step.kind === "live" ? { ...step, live: plausible(step.live) } : step,
  ),
}));

/** `publications`: one of a feed of vehicles after each step of the docks, as long as there are. */
export const liveWorlds = fc.record({
  docks,
  publications: fc.array(publication, { minLength: 3, maxLength: 14 }),
});

export async function playLive(
  made: { docks: Doubles; publications: readonly Publication[] },
  deployment: Deployment,
  afterEach: () => void | Promise<void>,
): Promise<void> {
  const { world, clock } = deployment;
  for (const source_id of FEEDS) world.register({ source_id, country: "FR" });
  let next = 0;
  await play(made.docks, deployment, async () => {
    const due = made.publications[next++];
    if (due) await world.put(toShard(due, clock.now() / 1000));
    await afterEach();
  });
}

function toShard({ feed, vehicles, doc_age_s, isClosed }: Publication, now_s: number): Shard {
  const id = FEEDS[feed]!;
  return aShard({
    id,
    name: "Roll Field",
    types: TYPES,
    vehicles: vehicles.map((each) => toVehicle(each, feed, now_s)),
    alerts: isClosed ? [anAlert("all", { type: "system_closure" })] : [],
    doc_age_s: NOW_S - now_s + doc_age_s,
  });
}

function toVehicle(drawn: Drawn, feed: number, now_s: number): VehicleInfo {
  const { id, place, until, reported_age_s, ...rest } = drawn;
  return aVehicle(id, {
    location: moved(HERE, -60 - place * 25, 1 + feed),
    available_until_s: until === null ? null : now_s + until,
    last_reported_s: reported_age_s === null ? null : Math.floor(now_s) - reported_age_s,
    ...rest,
  });
}
