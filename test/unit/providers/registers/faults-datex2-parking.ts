import assert from "node:assert/strict";
import type { SpacesState } from "#core/places/live-state.ts";
import { datex2Parking } from "#providers/datex2_parking/index.ts";
import type { Fault, Read } from "./fault-table.ts";

const shape = datex2Parking;
const TIME = "2026-11-28T06:00:00Z";

/** A publication of version 2 in its wrapping; `kind` as its element has it. */
const publication = (kind: string, records: string, prefix = "ns2:"): string => {
  const document = `<?xml version="1.0" encoding="UTF-8"?><d2LogicalModel xmlns:xsi="x" modelBaseVersion="2"><payloadPublication xsi:type="GenericPublication"><publicationTime>${TIME}</publicationTime><genericPublicationExtension><${kind}>${records}</${kind}></genericPublicationExtension></payloadPublication></d2LogicalModel>`;
  return document.replaceAll(/<(\/?)(?=[a-z])/g, `<$1${prefix}`);
};

const counts = (members: Record<string, string | number>): string =>
  Object.entries(members)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("");
const SPACES = "parkingNumberOf";

const record = (members: Record<string, string | number>, more = "", id = "P1"): string =>
  `<parkingRecordStatus><parkingRecordReference id="${id}"/><parkingStatusOriginTime>${TIME}</parkingStatusOriginTime><parkingOccupancy>${counts(members)}</parkingOccupancy>${more}</parkingRecordStatus>`;

type Expected = { [N in keyof SpacesState]?: SpacesState[N] | undefined };

const states = (fault: string, records: string, ...expected: Expected[]): Fault => ({
  fault,
  shape,
  half: "states",
  document: publication("parkingStatusPublication", records),
  check: ({ values }) => {
    assert.equal(values?.length, expected.length);
    for (const [index, members] of expected.entries())
      for (const [name, value] of Object.entries(members))
        assert.deepEqual((values[index] as SpacesState)[name as keyof SpacesState], value, name);
  },
});

const site = (inner: string, id = "P1"): string =>
  `<parkingRecord id="${id}"><parkingName><values><value lang="de">Parkhaus Mitte</value></values></parkingName>${inner}</parkingRecord>`;
const at = (lat: string | number, lon: string | number): string =>
  `<parkingLocation><pointByCoordinates><pointCoordinates><latitude>${lat}</latitude><longitude>${lon}</longitude></pointCoordinates></pointByCoordinates></parkingLocation>`;
const GOOD = at(49.01, 8.4);

const places = (
  fault: string,
  records: string,
  check: Extract<Fault, { half: "places" }>["check"],
): Fault => ({
  fault,
  shape,
  half: "places",
  document: publication("parkingTablePublication", records),
  check,
});
const dropped = (fault: string, record_text: string, reason: string): Fault =>
  places(fault, `${record_text}${site(GOOD, "P2")}`, ({ values, reasons }) => {
    assert.deepEqual(
      values?.map(({ external_id }) => external_id),
      ["P2"],
    );
    assert.deepEqual(reasons, [reason]);
  });
const attribute = (fault: string, inner: string, name: string, value: unknown): Fault =>
  places(fault, site(`${GOOD}${inner}`), ({ values }) =>
    assert.deepEqual(values?.[0]?.attributes[name], value),
  );

const facility = (members: Record<string, string | number>): string =>
  `<parkingFacilityStatus><parkingFacilityReference id="7[City Point]"/>${counts(members)}</parkingFacilityStatus>`;

const group = (index: number, spaces: number, type = "statisticsOnly"): string =>
  `<groupOfParkingSpaces groupIndex="${index}"><parkingSpaceBasics><parkingNumberOfSpaces>${spaces}</parkingNumberOfSpaces><parkingTypeOfGroup>${type}</parkingTypeOfGroup></parkingSpaceBasics></groupOfParkingSpaces>`;

const refused = (fault: string, document: string | Uint8Array<ArrayBuffer>): Fault => ({
  fault,
  shape,
  half: "states",
  document,
  check: ({ values }) => assert.equal(values, null),
});

const VACANT = `${SPACES}VacantSpaces`;
const TAKEN = `${SPACES}OccupiedSpaces`;
const OVERRIDE = `${SPACES}SpacesOverride`;

export const DATEX2_PARKING_FAULTS: readonly Fault[] = [
  states("-1 vacant", record({ [VACANT]: -1 }), { free: null, capacity: null }),
  states("vacant in words", record({ [VACANT]: "490 (79%)" }), { free: null }),
  states("vacant is empty", record({ [VACANT]: "" }), { free: null }),
  states("0 vacant is 0", record({ [VACANT]: 0, [OVERRIDE]: 20 }), { free: 0, capacity: 20 }),
  states(
    "0 vacant of 0 spaces, state unknown",
    record(
      { [VACANT]: 0, [TAKEN]: 0, [OVERRIDE]: 0 },
      "<parkingSiteStatus>unknown</parkingSiteStatus>",
    ),
    { free: null, capacity: null, is_open: null },
  ),
  states("taken spaces alone", record({ [TAKEN]: 30 }), { free: null, capacity: null }),
  states("taken of an override", record({ [TAKEN]: 30, [OVERRIDE]: 40 }), {
    free: 10,
    capacity: 40,
  }),
  states("more taken than there are", record({ [TAKEN]: 50, [OVERRIDE]: 40 }), {
    free: null,
    capacity: 40,
    contradictions: ["occupied_above_capacity"],
  }),
  states("more free than there are", record({ [VACANT]: 50, [OVERRIDE]: 40 }), {
    free: 50,
    capacity: 40,
    contradictions: ["free_above_capacity"],
  }),
  states(
    "702 free, 0 taken, occupancy 57 %",
    record({ [VACANT]: 702, [TAKEN]: 0, parkingOccupancy: "57.42857" }),
    { free: 702, contradictions: ["counts_do_not_add_up"] },
  ),
  states("counts that differ by two cars", record({ [VACANT]: 10, [TAKEN]: 32, [OVERRIDE]: 40 }), {
    contradictions: undefined,
  }),
  states("full, and no number", record({}, "<parkingSiteStatus>full</parkingSiteStatus>"), {
    free: 0,
  }),
  states(
    "an id with the name behind it, in one document of two",
    record({ [VACANT]: 215 }, "", "1035[P+R Bondorf]"),
    { id: "1035", free: 215 },
  ),
  states("a state of no site", record({ [VACANT]: 4 }, "", "NL-12_408"), { id: "NL-12_408" }),
  states("doubled", record({ [VACANT]: 4 }) + record({ [VACANT]: 5 }), { free: 4 }),
  states(
    "nine digits of a second",
    record({ [VACANT]: 4 }).replace(TIME, "2026-11-28T07:00:00.956363206+01:00"),
    { observed_s: Date.parse(TIME) / 1_000 },
  ),
  states(
    "no time of its own, but that of its publication",
    record({ [VACANT]: 4 }).replace(/<parkingStatusOriginTime>.*?<\/parkingStatusOriginTime>/, ""),
    { observed_s: Date.parse(TIME) / 1_000 },
  ),
  states("a time that cannot be read", record({ [VACANT]: 4 }).replace(TIME, "28.11.2026 07:00")),
  states("no id", "<parkingRecordStatus/>"),
  states(
    "groups by number, which have no names here, and by a name of the publisher's own",
    record(
      { [VACANT]: 4 },
      `<groupOfParkingSpacesStatus groupIndex="1"><groupOfParkingSpacesStatus>${counts({ [VACANT]: 3 })}</groupOfParkingSpacesStatus></groupOfParkingSpacesStatus><extension><category><name>Behinderte</name><parkingOccupancy>${counts({ [VACANT]: 1, [OVERRIDE]: 2 })}</parkingOccupancy></category></extension>`,
    ),
    { free: 4, by_group: { disabled: { free: 1, capacity: 2 } } },
  ),
  {
    ...states(
      "a facility, its share as a fraction, and its state in an element of its own name",
      "",
      {
        id: "7",
        free: 97,
        capacity: 220,
        is_open: true,
        trend: "filling",
        contradictions: undefined,
        observed_s: Date.parse(TIME) / 1_000,
      },
    ),
    document: publication(
      "parkingFacilityTableStatusPublication",
      facility({
        parkingFacilityOccupancy: "0.5590909",
        parkingFacilityOccupancyTrend: "increasing",
        parkingFacilityStatus: "open",
        totalNumberOfOccupiedParkingSpaces: 123,
        totalNumberOfVacantParkingSpaces: 97,
        totalParkingCapacityOverride: 220,
      }),
      "",
    ),
  },
  {
    ...states("version 3: the kind of publication is a type alone", "", {
      free: 13,
      capacity: null,
    }),
    document: `<n3:payload xsi:type="n2:ParkingStatusPublication" xmlns:xsi="x"><publicationTime>${TIME}</publicationTime>${record({ [VACANT]: 13 })}</n3:payload>`,
  },
  {
    fault: "XML that breaks off after two records",
    shape,
    half: "states",
    document: publication(
      "parkingStatusPublication",
      `${record({ [VACANT]: 1 })}${record({ [VACANT]: 2 }, "", "P2")}<parkingRecordStatus>`,
    ).slice(0, -120),
    check: (read: Read<object>) =>
      assert.deepEqual([read.values?.length, read.reasons], [2, ["xml_broken"]]),
  },
  refused(
    "a DOCTYPE with an entity",
    `<!DOCTYPE a [<!ENTITY x "y">]>${publication("parkingStatusPublication", record({ [VACANT]: 1 }), "").slice(38)}`,
  ),
  refused(
    "a publication of charging points",
    publication("energyInfrastructureStatusPublication", ""),
  ),
  refused(
    "an error in place of a publication",
    "<d2LogicalModel><exchange><denyReason>noAuthorisation</denyReason></exchange></d2LogicalModel>",
  ),
  refused("JSON", '{"items":[]}'),

  dropped("metres for degrees", site(at("5428437.2", "512345.6")), "coordinates_out_of_range"),
  dropped("both in one text", site(at("49.01 8.4", "")), "coordinates_unusable"),
  dropped("0,0", site(at(0, 0)), "coordinates_zero"),
  dropped("no place", site(""), "coordinates_missing"),
  dropped("doubled", site(GOOD, "P2") + site(GOOD, "P2"), "id_duplicate"),
  dropped("no id", site(GOOD).replace(' id="P1"', ""), "id_missing"),
  dropped(
    "spaces for bicycles alone",
    site(
      `${GOOD}<onlyAssignedParking><vehicleCharacteristics><vehicleType>bicycle</vehicleType></vehicleCharacteristics></onlyAssignedParking>`,
    ),
    "not_for_cars",
  ),
  attribute(
    "capacity in groups alone: that of index 0",
    group(0, 390) + group(1, 12),
    "capacity",
    390,
  ),
  attribute(
    "capacity in a group that is the whole",
    group(3, 50) + group(4, 80, "completeParkingSite"),
    "capacity",
    80,
  ),
  attribute(
    "capacity of groups that may overlap",
    group(1, 50) + group(2, 80),
    "capacity",
    undefined,
  ),
  attribute(
    "capacity 0",
    "<parkingNumberOfSpaces>0</parkingNumberOfSpaces>",
    "capacity",
    undefined,
  ),
  attribute(
    "a bay for disabled people alone",
    "<parkingNumberOfSpaces>1</parkingNumberOfSpaces><assignedParkingAmongOthers><applicableForUser>disabled</applicableForUser></assignedParkingAmongOthers>",
    "access",
    "restricted",
  ),
  attribute(
    "lorries alone",
    "<onlyAssignedParking><vehicleCharacteristics><vehicleType>lorry</vehicleType></vehicleCharacteristics></onlyAssignedParking>",
    "access",
    "restricted",
  ),
  places(
    "the point of an entrance before its own",
    site(
      `<parkingAccess>${at(1, 2).replaceAll("parkingLocation", "location")}</parkingAccess>${GOOD}`,
    ),
    ({ values }) => assert.deepEqual([values?.[0]?.lat, values?.[0]?.lon], [49.01, 8.4]),
  ),
  places(
    "hours of a day that is none",
    site(
      `${GOOD}<openingTimes><validPeriod><applicableDay>someday</applicableDay><startTimeOfPeriod>06:00:00</startTimeOfPeriod><endTimeOfPeriod>22:00:00</endTimeOfPeriod></validPeriod></openingTimes>`,
    ),
    ({ values }) => assert.equal(values?.[0]?.opening, undefined),
  ),
  places(
    "hours",
    site(
      `${GOOD}<openingTimes><validPeriod><applicableDay>saturday</applicableDay><applicableDay>sunday</applicableDay><startTimeOfPeriod>06:00:00</startTimeOfPeriod><endTimeOfPeriod>00:00:00</endTimeOfPeriod></validPeriod></openingTimes>`,
    ),
    ({ values }) => assert.deepEqual(values?.[0]?.opening, { text: "Sa,Su 06:00-24:00" }),
  ),
  {
    ...places("a facility of Latin-1 with entities", "", ({ values }) => {
      const [place] = values!;
      assert.deepEqual(
        [place?.name, place?.attributes["capacity"], place?.lat, place?.live],
        ["Café & Straße", 314, 48.5, { kind: "spaces", id: "1035" }],
      );
    }),
    document: new Uint8Array(
      Buffer.from(
        publication(
          "parkingFacilityTablePublication",
          `<parkingFacility id="1035"><parkingFacilityName><values><value>Café &amp; Stra&#223;e</value></values></parkingFacilityName><totalParkingCapacity>314</totalParkingCapacity><facilityLocation><locationForDisplay><latitude>48.5</latitude><longitude>8.8</longitude></locationForDisplay></facilityLocation></parkingFacility>`,
          "",
        ).replace("UTF-8", "ISO-8859-1"),
        "latin1",
      ),
    ),
  },
];
