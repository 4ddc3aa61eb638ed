/**
 * What a publisher could do about each reason for which entities are left out, values are put right or
 * statements contradict each other: the one table of it. A reason of no row is explained by its family.
 */
import { type GbfsReason, REASONS } from "#stations/gbfs/gbfs-reasons.ts";

export type Advice = { meaning: string; advice: string };

const UNIQUE = "Give each entry an id of its own, and publish each entry once.";
const REAL_PLACE = "Publish the real position, or leave the entry out until it has one.";
const AS_SPECIFIED = "Write the value in the type and form that the specification states.";
const LEAVE_OUT = "Leave the member out where the value is not known.";
const EVERY_ENTRY = "Publish an entry for everything that is referred to, in the same minute.";
const EXPECTED =
  "Nothing, where that is so: the entry is of another kind than this service looks for.";

/** Rules of shared mobility; what they mean is in the table of their reader. */
const OF_GBFS: Readonly<Record<GbfsReason, string>> = {
  row_malformed: "Write each entry of the list as an object.",
  id_missing: "Give each entry a text as its id, which stays the same.",
  id_duplicate: UNIQUE,
  coordinates_missing: REAL_PLACE,
  coordinates_zero: REAL_PLACE,
  coordinates_out_of_range: "Write latitude and longitude in degrees of WGS 84.",
  coordinates_swapped: "Exchange latitude and longitude.",
  location_implausible: "Correct the position, or move the entry to the system in which it is.",
  fake_city_station: "Publish the vehicles themselves in place of a station that is a whole city.",
  catalogue_row_incomplete: "Complete the row of the catalogue.",
  catalogue_url_invalid: "Correct the address in the catalogue.",
  catalogue_duplicate: "Remove the second row of the catalogue.",
  catalogue_id_suffixed: "Give each system of the catalogue an id of its own.",
  envelope_missing: "Publish last_updated, ttl and version around the data.",
  id_not_text: "Write ids as text, in quotes.",
  value_not_native: "Write numbers and flags without quotes.",
  count_negative: LEAVE_OUT,
  count_absurd: LEAVE_OUT,
  count_unusable: AS_SPECIFIED,
  time_absurd: "Write times as the version states, and leave them out where they are not known.",
  name_missing: "Give each station a name.",
  coordinates_from_status: "Publish the position in station_information.",
  coordinates_from_area: "Publish lat and lon of the station in addition to its area.",
  station_twin: "Publish each station under one id.",
  total_below_types: "Let the total be the sum of the counts by type.",
  total_from_types: "Publish the total in addition to the counts by type.",
  types_below_total: "Publish counts by type that add up to the total, or none.",
  docks_from_types: "Publish num_docks_available in addition to the counts by type.",
  stand_in_hidden: "Publish the vehicles themselves in place of a station that is a whole city.",
  form_factor_unknown: "Publish vehicle_types with a form_factor for each type that is used.",
  propulsion_unknown: "Publish vehicle_types with a propulsion_type for each type that is used.",
  zone_without_area: "Publish the polygon of the zone.",
  charge_as_percent: "Write the charge as a fraction from 0 to 1.",
  charge_unusable: "Write the charge as a fraction from 0 to 1.",
  charge_contradicts_range: "Publish the real charge, or leave it out.",
  charge_of_unknown_unit: "Write all charges as fractions from 0 to 1.",
  range_impossible: "Write the range in metres.",
  plan_price_negative: "Write prices as numbers from 0 on.",
  plan_steps_unusable: "Write start, rate and interval of each segment as numbers.",
  plan_beyond_bounds: "Publish fewer plans, and fewer segments in each.",
  plan_without_currency: "Publish the currency of each plan as its ISO 4217 code.",
  price_unusable: "Write prices as numbers.",
  price_with_comma: "Write prices with a decimal point.",
  deep_link_refused: "Publish links of the schemes https, or of a registered app.",
  deep_link_unregistered: "Register the scheme of the app in rental_apps.",
};

const OTHERS: Readonly<Record<string, readonly [meaning: string, advice: string]>> = {
  counts_exceed_capacity: [
    "More vehicles and free docks are stated than the station has capacity.",
    "Correct capacity in station_information, or the counts in station_status.",
  ],
  free_above_capacity: [
    "More free places are stated than there are places.",
    "Correct the capacity, or the count of free places.",
  ],
  occupied_above_capacity: [
    "More places are stated as occupied than there are places.",
    "Correct the capacity, or the count of occupied places.",
  ],
  counts_do_not_add_up: [
    "Free and occupied places together are not the capacity.",
    "Publish counts of the same moment, of the same places.",
  ],
  ids_changed: [
    "An id has gone, and another one has come at the same place.",
    "Keep the id of a station for as long as the station stays: apps store it.",
  ],
  coordinates_moved: [
    "The place of an id has moved by more than 100 m from one publication to the next.",
    "Correct the position; give another station another id.",
  ],
  stations_never_renewed: [
    "States of stations are published that the static file lacks, and it has not changed for a day.",
    "Publish station_information again whenever a station is added.",
  ],
  ttl_not_kept: [
    "The document is older than twice the ttl that it states.",
    "Publish as often as ttl says, or state a longer one.",
  ],
  last_reported_future: [
    "A time of the last report is in the future.",
    "Write times in UTC, and let the clock of the server be set by the network.",
  ],
  file_listed_twice: [
    "The discovery document lists a file several times; the first is read.",
    "List each file once.",
  ],
  status_without_station: ["A state belongs to no entry that is known.", EVERY_ENTRY],
  status_without_place: ["A state belongs to no entry that is known.", EVERY_ENTRY],
  route_unusable: ["A line or direction could not be read.", AS_SPECIFIED],
  vehicle_without_position: ["The vehicle has no usable position.", REAL_PLACE],
  vehicle_docked_at_station: [
    "The vehicle is at a station, where it is counted already.",
    "Nothing: both may be published.",
  ],
  placeholder_point: ["The position is a placeholder.", REAL_PLACE],
  coordinates_elsewhere: [
    "The position is outside of the country or area of the source.",
    REAL_PLACE,
  ],
  site_unknown: [
    "The live half has a state of something that the list of places does not have.",
    "Use the same ids in both, and publish both of the same sites.",
  ],
  capacity_differs: [
    "The live half states another capacity than the list of places.",
    "Publish one capacity in both.",
  ],
  too_many_records: ["The document has more entries than are read.", "Publish it in pages."],
  states_differ: ["One point has several states at once.", "Publish each point once."],
  point_count_differs: [
    "The stated number of points is not the number of entries of the station.",
    "Correct the number, or publish all points of the station.",
  ],
  power_in_watts: ["A power is stated in watts.", "Write the power in the unit of the format."],
  decimal_comma: ["A number has a decimal comma.", "Write numbers with a decimal point."],
  decimal_comma_unclear: [
    "A number has a comma that may be one of decimals or of thousands.",
    "Write numbers with a decimal point, and nothing between thousands.",
  ],
  tariff_unusable: ["A tariff has no usable id.", AS_SPECIFIED],
  too_many_tariffs: ["There are more tariffs than are read.", "Publish each tariff once."],
  companion_not_read: [
    "A second document, such as one of tariffs, could not be read.",
    "Publish it at the address that is configured.",
  ],
  hours_differ: [
    "Points of one station state different hours.",
    "Publish the same hours for all points of a station, where they are the same.",
  ],
  crowded: [
    "Very many entries are at exactly this point.",
    "Publish the position of each entry, not that of its town.",
  ],
  duplicate: ["The same thing is published twice.", UNIQUE],
  drawn_twice: ["The same thing is drawn twice on the map.", "Delete one of the two objects."],
  next_page_not_read: [
    "More pages are announced than are read.",
    "Publish one file, or larger pages.",
  ],
  test_row: ["The entry is a test.", "Leave tests out of the public data."],
  not_published: ["The entry is marked as not published.", "Leave it out of the public data."],
  out_of_service: ["The entry is out of service.", EXPECTED],
  span_overlaps: ["Two stretches of time overlap.", "Publish stretches that follow each other."],
  entrance_of_another: ["The entry is an entrance of another one.", EXPECTED],
  post_of_a_station: ["The entry is a post of a station.", EXPECTED],
  out_of_order: ["The entry is out of order.", EXPECTED],
  locked: ["The entry is locked away.", EXPECTED],
  mobile: ["The entry moves about.", EXPECTED],
  not_operational: ["The entry is out of service.", EXPECTED],
  not_active: ["The entry is out of service.", EXPECTED],
  not_a_locker: ["The entry is of another kind.", EXPECTED],
  not_a_stop: ["The entry is of another kind.", EXPECTED],
  not_a_station: ["The entry is of another kind.", EXPECTED],
  not_a_service: ["The entry is of another kind.", EXPECTED],
  xml_broken: [
    "The document ends before its elements do.",
    "Publish a document that is well formed.",
  ],
};

/** By how the token begins or ends, the first that fits. */
const FAMILIES: readonly (readonly [end: RegExp, meaning: string, advice: string])[] = [
  [/^coordinates_/, "The entry has no usable coordinates.", REAL_PLACE],
  [/^id_/, "The id could not be used.", UNIQUE],
  [/_duplicate$|_twice$/, "It occurred before in the same document.", UNIQUE],
  [/_missing$/, "A member that is needed is missing.", "Publish the member."],
  [/_malformed$/, "A part of the entry has another form than the format states.", AS_SPECIFIED],
  [
    /_unusable$|_unknown$|_unreadable$/,
    "A value could not be read and became unknown.",
    AS_SPECIFIED,
  ],
  [/_negative$|_absurd$|_placeholder$/, "A value says nothing and became unknown.", LEAVE_OUT],
  [/_exceeds?_|_exceed_/, "Two statements contradict each other.", "Correct the wrong one."],
  [/_too_large$|_too_long$|_too_many$/, "It is beyond what is read.", "Publish less in one piece."],
  [/^status_/, "A state could not be used.", AS_SPECIFIED],
  [/^not_/, "The entry is of a kind or in a state that is not shown.", EXPECTED],
];
const UNNAMED: Advice = {
  meaning: "The entry departs from what the format states.",
  advice: "Look at the examples, and at the specification of the format.",
};

/** What a reason means and what its publisher could do. */
export function adviseOnReason(reason: string): Advice {
  if (Object.hasOwn(OTHERS, reason)) {
    const [meaning, advice] = OTHERS[reason]!;
    return { meaning, advice };
  }
  if (isOfGbfs(reason)) return { meaning: REASONS[reason].sentence, advice: OF_GBFS[reason] };
  const family = FAMILIES.find(([end]) => end.test(reason));
  return family ? { meaning: family[1], advice: family[2] } : UNNAMED;
}

function isOfGbfs(reason: string): reason is GbfsReason {
  return Object.hasOwn(OF_GBFS, reason);
}
