/**
 * Every reason a GBFS row may be dropped or repaired for, in one table: the token appears in trails
 * and in debug output, the sentence in the generated documentation. Tokens never change meaning.
 * `violation` is the row of mobility.md 1.12, null where another rule (`rule`) asks for it.
 */
export type ReasonInfo = {
  effect: "dropped" | "repaired";
  violation: number | null;
  /** A rule of rules.md, else a section of mobility.md or reliability.md. */
  rule: string | null;
  sentence: string;
};

export const REASONS = {
  row_malformed: dropped(null, "R5", "The row is not an object."),
  id_missing: dropped(9, "R5", "The row has no usable id."),
  id_duplicate: dropped(10, "R5", "The id occurred before in the same file; the first row wins."),
  coordinates_missing: dropped(14, "R5", "The row has no usable coordinates."),
  coordinates_zero: dropped(2, "R5", "The coordinates are 0,0 or within 0.001 degrees of it."),
  coordinates_out_of_range: dropped(2, "R5", "The coordinates are not on the globe."),
  coordinates_swapped: dropped(2, "R5", "Latitude and longitude are evidently exchanged."),
  location_implausible: dropped(
    2,
    "R5",
    "The place is more than 200 km from the system's median and has no neighbour within 50 km.",
  ),
  fake_city_station: dropped(
    5,
    "R5",
    "The station represents a whole city: 99,999 docks or more, or over 2,000 vehicles in the only station.",
  ),
  catalogue_row_incomplete: dropped(null, "1.11", "The catalogue row has no system id."),
  catalogue_url_invalid: dropped(null, "1.11", "The auto-discovery URL is not an http(s) URL."),
  catalogue_duplicate: dropped(null, "1.11", "The same system id and URL occurred before."),
  catalogue_id_suffixed: repaired(
    null,
    "1.11",
    "The system id occurred before with another URL; this one got a suffix.",
  ),
  envelope_missing: repaired(
    null,
    "1.2",
    "The file was the bare list or object that its envelope should hold.",
  ),
  id_not_text: repaired(1, null, "The id was a number and became text."),
  value_not_native: repaired(1, null, "A number or flag was written as text and was converted."),
  count_negative: repaired(4, "R4", "A negative count became unknown."),
  count_absurd: repaired(null, "R4", "A count above 99,998 became unknown."),
  count_unusable: repaired(1, "R4", "A count that is not a number became unknown."),
  time_absurd: repaired(4, null, "A time before 2005 or beyond tomorrow became unknown."),
  name_missing: repaired(11, "1.10", "The name was missing; short name, address or id serve."),
  coordinates_from_status: repaired(14, null, "The coordinates came from station_status."),
  coordinates_from_area: repaired(14, null, "The coordinates are a point in the station's area."),
  station_twin: dropped(
    null,
    "R5",
    "Another row has this id as its legacy_id, and the same name, place and size.",
  ),
  total_below_types: repaired(6, "R4", "The counts by type exceed the total; their sum is used."),
  total_from_types: repaired(null, "R4", "The total was missing; the sum by type is used."),
  types_below_total: repaired(7, "R4", "The counts by type are all 0; the total is kept."),
  docks_from_types: repaired(null, "R4", "Free docks were only published by vehicle type."),
  stand_in_hidden: repaired(5, "R5", "The status represents a whole city and is not shown."),
  form_factor_unknown: repaired(12, "R1", "The form factor is missing or unknown: mode other."),
  propulsion_unknown: repaired(12, null, "The propulsion is missing or unknown."),
  zone_without_area: dropped(22, null, "The zone has no polygon that can be read."),
  charge_as_percent: repaired(18, null, "The charge was a percentage and was divided by 100."),
  charge_unusable: repaired(18, null, "The charge was outside 0 to 100 % and became unknown."),
  charge_contradicts_range: repaired(
    18,
    null,
    "The charge was 0 although a range remains; it became unknown.",
  ),
  charge_of_unknown_unit: repaired(
    18,
    null,
    "The feed writes fractions and percentages, and the range does not decide which this is; the charge became unknown.",
  ),
  range_impossible: repaired(
    null,
    "R5",
    "The range is beyond that of any vehicle of its kind, or of its type, and became unknown.",
  ),
  plan_price_negative: dropped(null, null, "The pricing plan has a price below 0."),
  plan_steps_unusable: dropped(
    null,
    null,
    "A segment of the pricing plan has no start, rate or interval that can be read: its sum would be wrong.",
  ),
  plan_beyond_bounds: dropped(
    null,
    null,
    "The pricing plan comes after 300 others, or its segments are more than 100, or 2,000 with those before.",
  ),
  plan_without_currency: repaired(
    null,
    null,
    "The currency of the pricing plan is missing or no ISO 4217 code, and is unknown.",
  ),
  price_unusable: repaired(null, null, "A price that is not a number became unknown."),
  price_with_comma: repaired(null, null, "A price had a decimal comma and was converted."),
  deep_link_refused: repaired(null, "4.9", "A deep link of a refused scheme was removed."),
  deep_link_unregistered: repaired(
    null,
    "4.9",
    "A deep link to an app whose scheme `rental_apps` does not register was removed.",
  ),
} as const satisfies Record<string, ReasonInfo>;

export type GbfsReason = keyof typeof REASONS;

function dropped(violation: number | null, rule: string | null, sentence: string): ReasonInfo {
  return { effect: "dropped", violation, rule, sentence };
}

function repaired(violation: number | null, rule: string | null, sentence: string): ReasonInfo {
  return { effect: "repaired", violation, rule, sentence };
}
