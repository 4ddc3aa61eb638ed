/** The trips of a feed as columns: only what runs, each pattern and each profile of times once. */
import { createBlobWriter, joinChunks } from "#kit/bytes.ts";
import { filled } from "#kit/growing.ts";
import { type ServiceColumns, spanOf } from "./service-calendar.ts";
import { packContinuations } from "./continuation.ts";
import { NO_PLACE, PATTERN, PROFILE, type TimetableDraft } from "./timetable-draft.ts";
import { listStationZones } from "./station-zones.ts";
import {
  NO_ROW,
  NO_TEXT,
  UNTIMED,
  type TimetableColumns,
  type TimetableMeta,
} from "./timetable-layout.ts";
import { orderTexts, sortTrips } from "./trip-order.ts";

const STEP_ROWS = 4_096;

type Packed = { meta: TimetableMeta; columns: TimetableColumns };

/** Old number → new one, in order of use; NONE: not used. */
type Places = { of: Int32Array; used: number[] };

/** `rows`: the row of each of the feed's stations in the pack. In steps. */
export function* packTimetable(draft: TimetableDraft, rows: Uint32Array): Generator<void, Packed> {
  const order = sortTrips(draft);
  yield;
  const profiles = numberUsed(draft.profiles.count, (use) => {
    for (const trip of order) use(draft.trips.profile[trip]!);
  });
  const patterns = numberUsed(draft.patterns.count, (use) => {
    for (const profile of profiles.used) use(draft.profiles.valueAt(profile, 0));
  });
  yield;
  const stops = numberUsed(draft.stops.count, (use) => {
    for (const pattern of patterns.used)
      for (const stop of stopsOf(draft.patterns.at(pattern))) use(stop);
  });
  yield;
  const pattern = yield* packPatterns(draft, patterns, stops);
  const profile = yield* packProfiles(draft, profiles, patterns);
  draft.release?.("sequences");
  const days = daysOf(draft.services, order, draft.trips);
  const trips = yield* packTrips(draft, order, profiles);
  draft.release?.("trips");
  const columns: TimetableColumns = {
    ...packStops(draft, stops, rows),
    ...(yield* packCalls(pattern, stops.used.length)),
    ...pattern,
    ...profile,
    ...trips.columns,
    ...draft.services,
    ...packFrequencies(draft, trips.places),
    ...packContinuations(draft, trips.places),
    ...toTexts("texts", "text_starts", draft.texts.count, draft.texts.text),
  };
  const meta: TimetableMeta = {
    time_zone: draft.time_zone,
    ...listStationZones(draft, stops.used, rows),
    max_time_s: maxTime(columns),
    days,
    counts: {
      calls: countCalls(columns),
      trips: order.length,
      patterns: patterns.used.length,
      profiles: profiles.used.length,
    },
  };
  return { meta, columns };
}

function numberUsed(count: number, visit: (use: (old: number) => void) => void): Places {
  const of = new Int32Array(count).fill(NO_PLACE);
  const used: number[] = [];
  visit((old) => {
    if (of[old] !== NO_PLACE) return;
    of[old] = used.length;
    used.push(old);
  });
  return { of, used };
}

function* stopsOf(pattern: Int32Array): Generator<number> {
  for (let at = PATTERN.head; at < pattern.length; at += PATTERN.call) yield pattern[at]!;
}

type PatternColumns = Pick<
  TimetableColumns,
  | "pattern_routes"
  | "pattern_starts"
  | "pattern_stops"
  | "pattern_sequences"
  | "pattern_flags"
  | "pattern_headsigns"
>;

function* packPatterns(
  { patterns, routePlace }: TimetableDraft,
  { used }: Places,
  stops: Places,
): Generator<void, PatternColumns> {
  const lengths = used.map((old) => (patterns.at(old).length - PATTERN.head) / PATTERN.call);
  const pattern_starts = sumUp(lengths);
  const calls = pattern_starts.at(-1)!;
  const pattern_routes = filled(new Uint32Array(used.length), (i) =>
    routePlace(patterns.valueAt(used[i]!, 0)),
  );
  const pattern_stops = new Uint32Array(calls);
  const pattern_sequences = new Uint32Array(calls);
  const pattern_flags = new Uint8Array(calls);
  const headsigns = new Uint32Array(calls).fill(NO_TEXT);
  let hasHeadsigns = false;
  let to = 0;
  for (const [index, old] of used.entries()) {
    const words = patterns.at(old);
    for (let at = PATTERN.head; at < words.length; at += PATTERN.call, to++) {
      pattern_stops[to] = stops.of[words[at]!]!;
      pattern_sequences[to] = words[at + 1]!;
      pattern_flags[to] = words[at + 2]!;
      if (words[at + 3] === NO_PLACE) continue;
      headsigns[to] = words[at + 3]!;
      hasHeadsigns = true;
    }
    if (index % STEP_ROWS === 0) yield;
  }
  const pattern_headsigns = hasHeadsigns ? headsigns : new Uint32Array(0);
  return {
    pattern_routes,
    pattern_starts,
    pattern_stops,
    pattern_sequences,
    pattern_flags,
    pattern_headsigns,
  };
}

type ProfileColumns = Pick<
  TimetableColumns,
  | "pattern_profiles"
  | "profile_patterns"
  | "profile_starts"
  | "profile_departures"
  | "profile_dwells"
  | "profile_frequent"
>;

function* packProfiles(
  { profiles }: TimetableDraft,
  { used }: Places,
  patterns: Places,
): Generator<void, ProfileColumns> {
  const lengths = used.map((old) => (profiles.at(old).length - PROFILE.head) / PROFILE.call);
  const profile_starts = sumUp(lengths);
  const profile_patterns = filled(
    new Uint32Array(used.length),
    (i) => patterns.of[profiles.valueAt(used[i]!, 0)]!,
  );
  const profile_frequent = filled(new Uint8Array(used.length), (i) =>
    profiles.valueAt(used[i]!, 1),
  );
  const profile_departures = new Int32Array(profile_starts.at(-1)!);
  const profile_dwells = new Uint16Array(profile_departures.length);
  let to = 0;
  for (const [index, old] of used.entries()) {
    const words = profiles.at(old);
    for (let at = PROFILE.head; at < words.length; at += PROFILE.call, to++) {
      profile_departures[to] = words[at]!;
      profile_dwells[to] = words[at + 1]!;
    }
    const from = profile_starts[index]!;
    interpolate(profile_departures.subarray(from, to), profile_dwells.subarray(from, to));
    if (index % STEP_ROWS === 0) yield;
  }
  const pattern_profiles = countUp(profile_patterns, patterns.used.length);
  return {
    pattern_profiles,
    profile_patterns,
    profile_starts,
    profile_departures,
    profile_dwells,
    profile_frequent,
  };
}

/**
 * Calls without a time, between two that state one, are spread evenly from the departure before them
 * to the arrival after them (mobility.md 3.1), in whole seconds.
 */
function interpolate(departures: Int32Array, dwells: Uint16Array): void {
  let entry = -1;
  departures.forEach((departure, call) => {
    if (departure === UNTIMED) return;
    if (entry >= 0) {
      const span_s = departure - dwells[call]! - departures[entry]!;
      for (let each = entry + 1; each < call; each++)
        departures[each] =
          departures[entry]! + Math.round((span_s * (each - entry)) / (call - entry));
    }
    entry = call;
  });
}

type TripColumns = Pick<
  TimetableColumns,
  | "profile_trips"
  | "trip_starts_s"
  | "trip_services"
  | "trip_headsigns"
  | "trip_short_names"
  | "trip_wheelchairs"
  | "trip_ids"
  | "trip_id_starts"
  | "trip_order"
>;

function* packTrips(
  { trips }: TimetableDraft,
  order: Uint32Array,
  profiles: Places,
): Generator<void, { columns: TripColumns; places: Int32Array }> {
  const places = new Int32Array(trips.count).fill(NO_PLACE);
  order.forEach((old, trip) => (places[old] = trip));
  yield;
  const blob = toTexts("trip_ids", "trip_id_starts", order.length, (i) => trips.id(order[i]!));
  yield;
  const trip_order = orderTexts(blob.trip_ids, blob.trip_id_starts);
  yield;
  const count = order.length;
  const profileOf = filled(new Uint32Array(count), (i) => profiles.of[trips.profile[order[i]!]!]!);
  const columns = {
    profile_trips: countUp(profileOf, profiles.used.length),
    trip_starts_s: filled(new Int32Array(count), (i) => trips.start_s[order[i]!]!),
    trip_services: filled(new Uint32Array(count), (i) => trips.service[order[i]!]!),
    trip_headsigns: filled(new Uint32Array(count), (i) => toText(trips.headsign[order[i]!]!)),
    trip_short_names: filled(new Uint32Array(count), (i) => toText(trips.short_name[order[i]!]!)),
    trip_wheelchairs: filled(new Uint8Array(count), (i) => trips.wheelchair[order[i]!]!),
    ...blob,
    trip_order,
  };
  return { columns, places };
}

type StopColumns = Pick<
  TimetableColumns,
  | "stop_ids"
  | "stop_id_starts"
  | "stop_stations"
  | "stop_platforms"
  | "station_stops"
  | "station_stop_starts"
>;

function packStops({ stops }: TimetableDraft, { used }: Places, rows: Uint32Array): StopColumns {
  const stop_stations = filled(new Uint32Array(used.length), (stop) => {
    const station = stops.station(used[stop]!);
    return station === NO_PLACE ? NO_ROW : rows[station]!;
  });
  const station_stops = filled(new Uint32Array(used.length), (stop) => stop)
    .filter((stop) => stop_stations[stop] !== NO_ROW)
    .sort((a, b) => stop_stations[a]! - stop_stations[b]! || a - b);
  const stationOf = station_stops.map((stop) => stop_stations[stop]!);
  return {
    ...toTexts("stop_ids", "stop_id_starts", used.length, (stop) => stops.id(used[stop]!)),
    stop_stations,
    stop_platforms: filled(new Uint32Array(used.length), (i) => toText(stops.platform(used[i]!))),
    station_stops,
    station_stop_starts: countUp(stationOf, rows.length),
  };
}

type CallColumns = Pick<
  TimetableColumns,
  "stop_call_starts" | "stop_call_patterns" | "stop_call_positions"
>;

function* packCalls(
  { pattern_starts, pattern_stops }: PatternColumns,
  stops: number,
): Generator<void, CallColumns> {
  const stop_call_starts = countUp(pattern_stops, stops);
  const next = stop_call_starts.slice(0, stops);
  const stop_call_patterns = new Uint32Array(pattern_stops.length);
  const stop_call_positions = new Uint16Array(pattern_stops.length);
  for (let pattern = 0; pattern + 1 < pattern_starts.length; pattern++) {
    const from = pattern_starts[pattern]!;
    for (let call = from; call < pattern_starts[pattern + 1]!; call++) {
      const at = next[pattern_stops[call]!]!++;
      stop_call_patterns[at] = pattern;
      stop_call_positions[at] = call - from;
    }
    if (pattern % STEP_ROWS === 0) yield;
  }
  return { stop_call_starts, stop_call_patterns, stop_call_positions };
}

type FrequencyColumns = Pick<
  TimetableColumns,
  "frequency_trips" | "frequency_from" | "frequency_to" | "frequency_headways" | "frequency_exact"
>;

function packFrequencies({ frequencies }: TimetableDraft, places: Int32Array): FrequencyColumns {
  const stored = frequencies
    .map((row) => ({ ...row, trip: places[row.trip]! }))
    .filter(({ trip }) => trip !== NO_PLACE)
    .sort((a, b) => a.trip - b.trip || a.from_s - b.from_s || a.to_s - b.to_s);
  return {
    frequency_trips: Uint32Array.from(stored, ({ trip }) => trip),
    frequency_from: Int32Array.from(stored, ({ from_s }) => from_s),
    frequency_to: Int32Array.from(stored, ({ to_s }) => to_s),
    frequency_headways: Uint32Array.from(stored, ({ headway_s }) => headway_s),
    frequency_exact: Uint8Array.from(stored, ({ exact }) => Number(exact)),
  };
}

function maxTime(columns: TimetableColumns): number {
  const { profile_starts, profile_trips, profile_departures } = columns;
  const latest = new Map<number, number>();
  columns.frequency_trips.forEach((trip, i) =>
    latest.set(trip, Math.max(latest.get(trip) ?? 0, columns.frequency_to[i]!)),
  );
  let most = 0;
  for (let profile = 0; profile + 1 < profile_starts.length; profile++) {
    let longest = 0;
    for (let call = profile_starts[profile]!; call < profile_starts[profile + 1]!; call++)
      longest = Math.max(longest, profile_departures[call]!);
    for (let trip = profile_trips[profile]!; trip < profile_trips[profile + 1]!; trip++)
      most = Math.max(most, longest + (latest.get(trip) ?? columns.trip_starts_s[trip]!));
  }
  return most;
}

function countCalls({ profile_starts, profile_trips }: TimetableColumns): number {
  let calls = 0;
  for (let profile = 0; profile + 1 < profile_starts.length; profile++)
    calls +=
      (profile_starts[profile + 1]! - profile_starts[profile]!) *
      (profile_trips[profile + 1]! - profile_trips[profile]!);
  return calls;
}

function daysOf(services: ServiceColumns, order: Uint32Array, trips: TimetableDraft["trips"]) {
  const isUsed = new Uint8Array(services.service_weekdays.length);
  for (const trip of order) isUsed[trips.service[trip]!] = 1;
  let days: [first: number, last: number] | null = null;
  for (let service = 0; service < isUsed.length; service++) {
    if (isUsed[service] === 0) continue;
    const [first, last] = spanOf(services, service)!;
    days = days ? [Math.min(days[0], first), Math.max(days[1], last)] : [first, last];
  }
  return days;
}

/** Where each list begins, and behind the last one where it ends. */
function sumUp(lengths: readonly number[]): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, i) => (starts[i + 1] = starts[i]! + length));
  return starts;
}

/** The same of lists whose items name the list they are in. */
function countUp(lists: Uint32Array, count: number): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(count + 1);
  for (const list of lists) starts[list + 1]!++;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  return starts;
}

function toText(index: number): number {
  return index === NO_PLACE ? NO_TEXT : index;
}

function toTexts<B extends string, S extends string>(
  bytes_name: B,
  starts_name: S,
  count: number,
  textOf: (index: number) => string,
): Record<B, Uint8Array> & Record<S, Uint32Array> {
  const writer = createBlobWriter(count, 16);
  for (let i = 0; i < count; i++) writer.add(textOf(i));
  const { bytes, offsets } = joinChunks(writer.finish());
  return { [bytes_name]: bytes, [starts_name]: offsets } as Record<B, Uint8Array> &
    Record<S, Uint32Array>;
}
