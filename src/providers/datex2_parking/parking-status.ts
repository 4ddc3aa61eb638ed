/** The state of a car park in a status publication of DATEX II, in either form. */
import { toCount, toNumber } from "#kit/coerce.ts";
import type { SpaceCount, SpaceGroup, SpacesState } from "#core/places/live-state.ts";
import { type StatedCounts, toSpaces } from "#providers/car-park.ts";
import { type Dropped, toUtcTime_s } from "#providers/place-rows.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  textOf,
  type XmlElement,
} from "#providers/xml-elements.ts";

/**
 * The id under which table and status meet: some write the name behind it in one of the two
 * (`1035[P+R Bondorf]`).
 */
export function toLiveId(id: string): string {
  const bracket = id.endsWith("]") ? id.indexOf("[") : -1;
  return bracket > 0 ? id.slice(0, bracket) : id;
}

/** The state of a record, or why it is dropped; `published`: when its publication was made. */
export function toStatus(
  record: XmlElement,
  id: string,
  published: string | null,
): SpacesState | Dropped {
  const own =
    textOf(record, "parkingStatusOriginTime") ?? textOf(record, "parkingFacilityStatusTime");
  const time = own ?? published;
  const observed_s = toUtcTime_s(time);
  if (time !== null && observed_s === null) return "time_unusable";
  const words = WORDS.flatMap((name) => childrenOf(record, name)).map(({ text }) => text);
  const spaces = toSpaces(countsOf(record));
  return {
    kind: "spaces",
    id: toLiveId(id),
    observed_s,
    ...spaces,
    free: spaces.free ?? (words.some((word) => FULL.has(word)) ? 0 : null),
    by_group: groupsOf(record),
    trend: TRENDS.get(trendOf(record) ?? "") ?? null,
    is_open: words.some((word) => CLOSED.has(word)) ? false : words.includes("open") || null,
  };
}

const WORDS = ["parkingSiteOpeningStatus", "parkingSiteStatus", "parkingFacilityStatus"];
const CLOSED = new Set(["closed", "closedAbnormal", "carParkClosed"]);
/** It says that there is no space, whatever it counts. */
const FULL = new Set(["full", "fullAtEntrance", "carParkFull"]);
const TRENDS: ReadonlyMap<string, SpacesState["trend"]> = new Map(
  Object.entries({
    increasing: "filling",
    decreasing: "emptying",
    stable: "steady",
  }),
);

/** The counts of a site; where it has none of its own, those of its group of index 0, which is the whole. */
function countsOf(record: XmlElement): StatedCounts {
  const own = childOf(record, "parkingOccupancy");
  const whole = childrenOf(record, "groupOfParkingSpacesStatus").find(
    ({ attributes }) => attributes.get("groupIndex") === "0",
  );
  const group = whole && (childOf(whole, "groupOfParkingSpacesStatus") ?? whole);
  return own || !group ? readCounts(own ?? record) : readCounts(group);
}

function readCounts(element: XmlElement): StatedCounts {
  const first = (...names: readonly string[]): string | null =>
    names.map((name) => textOf(element, name)).find((text) => text !== null) ?? null;
  // A facility has the share as a fraction.
  const share = toNumber(textOf(element, "parkingFacilityOccupancy"));
  return {
    free: toCount(first("parkingNumberOfVacantSpaces", "totalNumberOfVacantParkingSpaces")),
    occupied: toCount(first("parkingNumberOfOccupiedSpaces", "totalNumberOfOccupiedParkingSpaces")),
    capacity: toCount(
      first(
        "parkingNumberOfSpacesOverride",
        "totalParkingCapacityOverride",
        "totalParkingCapacityShortTermOverride",
      ),
    ),
    occupied_percent: share === null ? toNumber(textOf(element, "parkingOccupancy")) : share * 100,
  };
}

function trendOf(record: XmlElement): string | null {
  return (
    textOf(record, "parkingOccupancy", "parkingOccupancyTrend") ??
    textOf(record, "parkingFacilityOccupancyTrend")
  );
}

/** Names that publishers of the German access point give their groups, in an extension of theirs. */
const GROUPS: readonly (readonly [name: RegExp, group: SpaceGroup])[] = [
  [/behindert|disabled/i, "disabled"],
  [/frauen|women/i, "women"],
  [/famil|eltern|kind/i, "family"],
  [/elektro|electric|lade/i, "electric"],
  [/carsharing/i, "carsharing"],
  [/bewohner|anwohner|resident/i, "residents"],
];

/** Groups that are only numbered have no names without the table, and are left out. */
function groupsOf(record: XmlElement): SpacesState["by_group"] {
  const groups: Partial<Record<SpaceGroup, SpaceCount>> = {};
  for (const category of descendantsOf(record, "category")) {
    const name = textOf(category, "name") ?? "";
    const group = GROUPS.find(([pattern]) => pattern.test(name))?.[1];
    const counts = childOf(category, "parkingOccupancy");
    if (group === undefined || counts === null) continue;
    const { free, capacity } = toSpaces(readCounts(counts));
    groups[group] ??= { free, capacity };
  }
  return groups;
}
