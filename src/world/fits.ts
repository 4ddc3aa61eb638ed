/**
 * Whether a station or vehicle fits a filter (world/filter). What is read are the counts and texts
 * that answers are rendered from, so the published members are judged.
 */
import type { Fits } from "#core/filter-match.ts";
import { fold } from "#kit/names/fold.ts";
import { readText } from "#kit/bytes.ts";
import { providerName } from "#stations/shard/shard-origin.ts";
import type { RepeatedTexts } from "#stations/shard/shard-repeats.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Statics } from "#stations/shard/shard-statics.ts";
import { UNKNOWN_AVAILABILITY } from "#stations/shard/shard-status.ts";
import type { Member } from "#world/identity/station-case.ts";
import type { CaseHit } from "./nearby-hits.ts";

export type HitFilter = {
  /** 0: any. */
  min_vehicles: number;
  min_docks: number;
  /** null: any. */
  propulsion: ReadonlySet<string> | null;
  form_factors: ReadonlySet<string> | null;
  /** Folded ids and names; null: any. */
  operators: ReadonlySet<string> | null;
  /** Whether what is unknown is left out. */
  strict: boolean;
};

/** As the first members of a verdict; whose a thing is is always known. */
export const HIT_FILTERS = ["min_vehicles", "min_docks", "propulsion", "form_factors"] as const;

type Verdict = readonly [...Counts, operators: Fits];
type Counts = [vehicles: Fits, docks: Fits, propulsion: Fits, form_factors: Fits];

/** Judges the rows of one system. */
type Judge = {
  station(row: number, hit: CaseHit | null): Verdict;
  vehicle(row: number): Verdict;
};

/** `shard`: null only of a system that has no hits. */
export function createFilterJudge(shard: Shard | null, filter: HitFilter): Judge {
  const { operators } = filter;
  const vehicles = new Map<number, Verdict>();
  const names = shard ? namesOf(shard.statics) : [];
  const isOf = (more: readonly string[]): boolean =>
    operators === null || [...names, ...more].some((name) => operators.has(fold(name)));
  const isOfSystem = isOf(shard ? [shard.statics.meta.network.name] : []);
  return {
    station(row, match) {
      const members = match ? membersOf(match) : [{ statics: shard!.statics, row }];
      const counted = match ? liveOf(match) : { shard: shard!, row };
      const others = match ? members.flatMap(({ statics }) => namesOf(statics)) : [];
      const isTheirs = isOfSystem || (match !== null && isOf(others));
      return [...judgeStation(counted, members, filter), isTheirs];
    },
    // Vehicles whose members are the same text fit alike.
    vehicle(row) {
      const { repeats } = shard!.vehicles!.data!;
      const text = repeats.of[row] ?? NO_TEXT;
      let verdict = vehicles.get(text);
      if (verdict === undefined) {
        const { brand, vehicle_type } = readRepeats(repeats, text);
        const kinds = [vehicle_type ?? {}];
        const propulsion = judgeKinds(kinds, filter.propulsion);
        const form = filter.form_factors === null || judgeForms(kinds, filter.form_factors);
        verdict = [true, true, propulsion, form, isOf(brand === undefined ? [] : [brand])];
        vehicles.set(text, verdict);
      }
      return verdict;
    },
  };
}

/** What every item of a system says of whose it is. */
function namesOf({ meta }: Statics): string[] {
  return [meta.network.id, providerName(meta)];
}

/** The row whose counts a merged station shows; null: no source reports any. */
function liveOf(hit: CaseHit): Counted | null {
  const { view, place } = hit;
  const member = membersOf(hit)[view.liveOf(place)];
  return member ? { shard: view.shards[member.part]!, row: member.row } : null;
}

function membersOf({ view, place }: CaseHit): readonly Member[] {
  return view.caseAt(place).members;
}

type Counted = { shard: Shard; row: number };
type Observed = { statics: Statics; row: number };

function judgeStation(
  counted: Counted | null,
  members: readonly Observed[],
  { min_vehicles, min_docks, propulsion, form_factors }: HitFilter,
): Counts {
  const isOfKinds = propulsion !== null || form_factors !== null;
  if (min_vehicles === 0 && min_docks === 0 && !isOfKinds) return ALL_FIT;
  const availability = availabilityOf(counted);
  const { vehicles, docks, electric } = availability;
  const kinds = isOfKinds ? kindsOf(members) : [];
  return [
    isEnough(vehicles, min_vehicles),
    isEnough(docks, min_docks),
    propulsion === null || judgePropulsion(propulsion, kinds, electric),
    form_factors === null || judgeFormsAt(availability, kinds, form_factors),
  ];
}

const ALL_FIT: Counts = [true, true, true, true];

function isEnough(count: number | null, least: number): Fits {
  if (least === 0) return true;
  return count === null ? null : count >= least;
}

type Availability = Record<"vehicles" | "docks" | "electric", number | null> & {
  by_type?: readonly (Kind & { count: number })[];
};

/** As it is rendered (packages/stations/shard/shard-status): columns say of docks without a limit that alone. */
function availabilityOf(counted: Counted | null): Availability {
  const middle = counted?.shard.status?.data?.middle;
  const text = middle ? readText(middle, counted.row) : "";
  if (text === "") return UNKNOWN_AVAILABILITY;
  return (JSON.parse(`{${text.slice(1)}}]}`) as { availability: Availability }).availability;
}

type Kind = { propulsion?: string; form_factor?: string };
/** The members of an item that it shares with others. */
type Shared = { brand?: string; vehicle_type?: Kind; vehicle_types?: Kind[] };

/** What `availability.electric` does not count (packages/stations/gbfs/gbfs-types). */
const NOT_ELECTRIC: readonly string[] = ["human", "combustion", "combustion_diesel"];

function judgePropulsion(
  wanted: ReadonlySet<string>,
  kinds: readonly Kind[],
  electric: number | null,
): Fits {
  if (electric === 0 && NOT_ELECTRIC.every((each) => !wanted.has(each))) return false;
  const isAnyElectric = wanted.has("electric") && wanted.has("electric_assist");
  if (electric !== null && electric > 0 && isAnyElectric) return true;
  return judgeKinds(kinds, wanted);
}

/** Of nothing, and of kinds of which one may be wanted, nothing is known. */
function judgeKinds(kinds: readonly Kind[], wanted: ReadonlySet<string> | null): Fits {
  if (wanted === null) return true;
  if (kinds.some(({ propulsion = "" }) => wanted.has(propulsion))) return true;
  const isStated = kinds.length > 0 && kinds.every(({ propulsion }) => propulsion !== undefined);
  return isStated ? false : null;
}

/** Of kinds that are not counted, known is only what holds of each of them. */
function judgeForms(kinds: readonly Kind[], wanted: ReadonlySet<string>): Fits {
  const fits = new Set(
    kinds.map(({ form_factor }) => (form_factor === undefined ? null : wanted.has(form_factor))),
  );
  const [every = null] = fits;
  return fits.size === 1 ? every : null;
}

/** Whether one is there now; `kinds`: which the station is made for, where they are not counted. */
function judgeFormsAt(
  { vehicles, by_type }: Availability,
  kinds: readonly Kind[],
  wanted: ReadonlySet<string>,
): Fits {
  if (vehicles === 0) return false;
  if (by_type === undefined) {
    const fits = judgeForms(kinds, wanted);
    return fits === true && vehicles === null ? null : fits;
  }
  const available = by_type.filter(({ count }) => count > 0);
  if (available.some(({ form_factor = "" }) => wanted.has(form_factor))) return true;
  return available.some(({ form_factor }) => form_factor === undefined) ? null : false;
}

/** `vehicle_types` of a station: of several observers, those of the first that states them. */
function kindsOf(members: readonly Observed[]): readonly Kind[] {
  for (const { statics, row } of members) {
    const { repeats } = statics;
    const { vehicle_types } = readRepeats(repeats, repeats.of[row] ?? NO_TEXT);
    if (vehicle_types) return vehicle_types;
  }
  return [];
}

const NO_TEXT = -1;

function readRepeats({ texts }: RepeatedTexts, text: number): Shared {
  const members = text === NO_TEXT ? "" : readText(texts, text);
  return JSON.parse(`{${members.slice(1)}}`) as Shared;
}
