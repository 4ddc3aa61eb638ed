import assert from "node:assert/strict";
import type { LiveState, SpacesState } from "#core/places/live-state.ts";
import { parkapi } from "#providers/parkapi/index.ts";
import type { Fault, Read } from "./fault-table.ts";

const SITE = {
  id: 7,
  source_id: 3,
  original_uid: "P7",
  name: "Parkhaus Mitte",
  type: "CAR_PARK",
  purpose: "CAR",
  lat: "48.7758",
  lon: "9.1829",
  capacity: 500,
  has_realtime_data: true,
  realtime_capacity: 490,
  realtime_free_capacity: 120,
  realtime_opening_status: "OPEN",
  realtime_data_updated_at: "2026-11-28T06:00:00Z",
};
type Row = Record<string, unknown>;

const documentOf = (...rows: unknown[]): string => JSON.stringify({ items: rows });
const only = (read: Read<LiveState>): SpacesState => {
  assert.equal(read.values?.length, 1);
  return read.values[0] as SpacesState;
};

/** A row in which `members` are wrong, and its state. */
const state = (fault: string, members: Row, expected: Partial<SpacesState>): Fault => ({
  fault,
  shape: parkapi,
  half: "states",
  document: documentOf({ ...SITE, ...members }),
  check: (read) => {
    const found = only(read);
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(found[name as keyof SpacesState], value, name);
  },
});

/** A row that is dropped for a reason, and costs no other. */
const dropped = (
  fault: string,
  half: "places" | "states",
  row: unknown,
  reason: string,
): Fault => ({
  fault,
  shape: parkapi,
  half,
  document: documentOf(row, { ...SITE, original_uid: "P8" }),
  check: ({ values, reasons }: Read<object>) => {
    assert.equal(values?.length, 1);
    assert.deepEqual(reasons, [reason]);
  },
});

export const PARKAPI_FAULTS: readonly Fault[] = [
  state("-1 free", { realtime_free_capacity: -1 }, { free: null, capacity: 490 }),
  state("-999 free", { realtime_free_capacity: "-999" }, { free: null }),
  state("free as words", { realtime_free_capacity: "490 (79%)" }, { free: null }),
  state("free as a number with a comma", { realtime_free_capacity: "12,5" }, { free: null }),
  state("free as an empty text", { realtime_free_capacity: "" }, { free: null }),
  state("no free spaces stated", { realtime_free_capacity: undefined }, { free: null }),
  state("0 free is 0", { realtime_free_capacity: 0 }, { free: 0, capacity: 490 }),
  state("free as text", { realtime_free_capacity: "27" }, { free: 27 }),
  state(
    "0 free of 0 spaces",
    { realtime_free_capacity: 0, realtime_capacity: 0 },
    { free: null, capacity: null },
  ),
  state(
    "more free than there are",
    { realtime_free_capacity: 495 },
    { free: 495, capacity: 490, contradictions: ["free_above_capacity"] },
  ),
  state(
    "more free than the static capacity, and no live one",
    { realtime_free_capacity: 501, realtime_capacity: null },
    { free: 501, capacity: null, contradictions: ["free_above_capacity"] },
  ),
  state("opening status unknown", { realtime_opening_status: "UNKNOWN" }, { is_open: null }),
  state("opening status of another word", { realtime_opening_status: "maybe" }, { is_open: null }),
  state("no time", { realtime_data_updated_at: null }, { observed_s: null, free: 120 }),
  state(
    "time without a zone",
    { realtime_data_updated_at: "2026-11-28T06:00:00" },
    { observed_s: Date.UTC(2026, 10, 28, 6) / 1_000 },
  ),
  state(
    "groups in a list, one of them not counted",
    {
      restrictions: [
        { type: "DISABLED", realtime_capacity: 4, realtime_free_capacity: 1 },
        { type: "WOMEN", capacity: 10 },
        { type: "NEW", realtime_free_capacity: 3 },
        null,
      ],
    },
    { by_group: { disabled: { free: 1, capacity: 4 } } },
  ),
  state(
    "groups in members of their own, one of them -1",
    { realtime_free_capacity_woman: -1, realtime_free_capacity_charging: 0 },
    { by_group: { electric: { free: 0, capacity: null } } },
  ),
  dropped(
    "a time that cannot be read",
    "states",
    { ...SITE, realtime_data_updated_at: "yesterday" },
    "time_unusable",
  ),
  {
    fault: "a site that says that it has no live data has no state",
    shape: parkapi,
    half: "states",
    document: documentOf({ ...SITE, has_realtime_data: false }),
    check: ({ values, reasons }) => assert.deepEqual([values, reasons], [[], []]),
  },
  dropped("bicycles", "places", { ...SITE, purpose: "BIKE", type: "SHED" }, "not_for_cars"),
  dropped("a single bay", "places", { ...SITE, realtime_status: "TAKEN" }, "single_space"),
  dropped(
    "metres",
    "places",
    { ...SITE, lat: 5_424_000, lon: 513_000 },
    "coordinates_out_of_range",
  ),
  dropped(
    "both in one text",
    "places",
    { ...SITE, lat: "48.77,9.18", lon: null },
    "coordinates_missing",
  ),
  dropped("0,0", "places", { ...SITE, lat: 0, lon: "0.0" }, "coordinates_zero"),
  dropped("no place", "places", { ...SITE, lat: null }, "coordinates_missing"),
  dropped("a row of null", "places", null, "row_malformed"),
  dropped("no id", "places", { ...SITE, id: null, original_uid: "" }, "id_missing"),
  dropped("doubled", "places", { ...SITE, original_uid: "P8", lat: 48.1 }, "id_duplicate"),
  dropped(
    "of another",
    "places",
    { ...SITE, duplicate_of_parking_site_id: 8 },
    "duplicate_of_another",
  ),
  {
    fault: "a name that was encoded twice",
    shape: parkapi,
    half: "places",
    document: documentOf({ ...SITE, name: "Parkhaus HaagstraÃŸe" }),
    check: ({ values }) => assert.equal(values?.[0]?.name, "Parkhaus Haagstraße"),
  },
  {
    fault: "a capacity of 0 is not known",
    shape: parkapi,
    half: "places",
    document: documentOf({ ...SITE, capacity: 0 }),
    check: ({ values }) => assert.equal("capacity" in values![0]!.attributes, false),
  },
  {
    fault: "one id in two sources is two sites",
    shape: parkapi,
    half: "places",
    document: documentOf(SITE, { ...SITE, source_id: 4 }),
    check: ({ values }) =>
      assert.deepEqual(
        values?.map(({ external_id }) => external_id),
        ["3/P7", "4/P7"],
      ),
  },
  {
    fault: "all spaces for residents",
    shape: parkapi,
    half: "places",
    document: documentOf({ ...SITE, restrictions: [{ type: "RESIDENT" }] }),
    check: ({ values }) => assert.equal(values?.[0]?.attributes["access"], "restricted"),
  },
  {
    fault: "a page that is not the last names the next one, and is read as it is",
    shape: parkapi,
    half: "places",
    document: JSON.stringify({ items: [SITE], next_path: "/parking-sites?start=1" }),
    check: ({ values, reasons }) => assert.deepEqual([values?.length, reasons], [1, []]),
  },
  ...["", "{", '{"error":{"code":"server"}}', '{"items":[{"id":1}]}', "[]"].map(
    (document): Fault => ({
      fault: `another document: ${document}`,
      shape: parkapi,
      half: "states",
      document,
      check: ({ values }) => assert.equal(values, null),
    }),
  ),
];
