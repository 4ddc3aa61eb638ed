// Open Charge Map's points, compact: numbers for names, null for whatever was not filled in.
import { isInOpenChargeMap, openChargeMapIdOf } from "../listing.ts";
import { around, type Point } from "../geo.ts";
import { dayOf } from "../registry.ts";
import { hash, hashText, pick, unit, uuid } from "../rng.ts";
import { listPlugs } from "../world/chargers.ts";
import type { City } from "../world/model.ts";
import type { Connector, ServiceThing } from "../world/service-model.ts";
import { CONNECTION_IDS, countryId, operatorId } from "./reference.ts";

export type Poi = Point & { readonly country: string; toItem(now_ms: number): Item };
export type Item = Readonly<Record<string, unknown>>;

const OFF_M = 10;
/** Automated reports reach it for some of those that report. */
const AUTOMATED = 0.4;

export function listPois(
  cities: readonly City[],
  services: readonly ServiceThing[],
  seed: number,
): readonly Poi[] {
  const stations = services.filter(isInOpenChargeMap).map((thing) => ({
    ...around(thing, unit(thing.key, 261), OFF_M * unit(thing.key, 262)),
    country: thing.city.country,
    toItem: (now_ms: number) => toItem(thing, now_ms),
  }));
  return [...stations, ...cities.flatMap((city, n) => listOthers(city, n, seed))];
}

function toItem(thing: ServiceThing, now_ms: number): Item {
  const { key, name, charging, street, street_number, opening_hours } = thing;
  const id = openChargeMapIdOf(thing);
  const automated = charging?.live === true && unit(key, 263) < AUTOMATED;
  const connectors = charging?.connectors ?? [];
  const total = connectors.reduce((sum, { count }) => sum + count, 0);
  const update = automated ? new Date(now_ms - (now_ms % 300_000)).toISOString() : dayOf(key);
  return {
    ...EMPTY,
    ID: id,
    UUID: uuid(key, 264).toUpperCase(),
    DataProviderID: 1,
    OperatorID: unit(key, 265) < 0.8 ? operatorId(thing.operator) : 1,
    UsageTypeID: pick([1, 1, 4, 5, 7, 0], hash(key, 266)),
    UsageCost: pick([null, "0.35/kWh", "Free", ""], hash(key, 267)),
    AddressInfo: {
      ID: id + 300,
      Title: name || `${street} ${street_number}`,
      AddressLine1: `${street} ${street_number}`,
      AddressLine2: null,
      ...townOf(thing.city),
      Postcode: thing.post_code || null,
      AccessComments: opening_hours,
    },
    Connections: automated
      ? listPlugs(thing, now_ms).map((plug, n) => ({
          ...toConnection({ ...plug, count: 1 }, { key, n }),
          StatusTypeID: { AVAILABLE: 10, CHARGING: 20, OUTOFORDER: 100 }[plug.status],
        }))
      : unit(key, 268) < 0.92
        ? connectors.map((each, n) => toConnection(each, { key, n }))
        : null,
    NumberOfPoints: unit(key, 269) < 0.8 ? total : null,
    StatusTypeID: automated ? 10 : pick([50, 50, 50, 75, 0], hash(key, 270)),
    // Some clocks forget to state their time zone.
    DateLastStatusUpdate: unit(key, 271) < 0.8 ? update : update.replace("Z", ""),
    DateLastVerified: dayOf(key),
    DateCreated: dayOf(key + 1),
    SubmissionStatusTypeID: 200,
  };
}

const EMPTY: Item = {
  DataProvider: null,
  OperatorInfo: null,
  UsageType: null,
  StatusType: null,
  SubmissionStatus: null,
  UserComments: null,
  PercentageSimilarity: null,
  MediaItems: null,
  IsRecentlyVerified: false,
  ParentChargePointID: null,
  DataProvidersReference: null,
  OperatorsReference: null,
  GeneralComments: null,
  DatePlanned: null,
  MetadataValues: null,
  DateLastConfirmed: null,
  DataQualityLevel: 1,
};

const townOf = (city: City): Item => ({
  Town: city.name,
  StateOrProvince: null,
  CountryID: countryId(city.country),
  Country: null,
  ContactTelephone1: null,
  ContactEmail: null,
  RelatedURL: null,
});

const DIRECT = /COMBO|CHADEMO|J3400/;

type Hand = { readonly key: number; readonly n: number };

/** Where the power is not said it follows from volts and amperes. */
function toConnection({ standard, power_kw, count }: Connector, { key, n }: Hand): Item {
  const direct = DIRECT.test(standard);
  const phases = direct ? 30 : power_kw > 8 ? 20 : 10;
  const volts = phases === 30 ? 400 : 230;
  const amps = Math.round((power_kw * 1000) / (volts * (phases === 20 ? 3 : 1)));
  return {
    ID: (key % 900_000) + n,
    ConnectionType: null,
    Reference: null,
    Level: null,
    ConnectionTypeID: pick(CONNECTION_IDS[standard] ?? [0], hash(key, n, 272)),
    StatusTypeID: 50,
    StatusType: null,
    LevelID: direct ? 3 : 2,
    CurrentType: null,
    Amps: amps,
    Voltage: volts,
    CurrentTypeID: phases,
    PowerKW: unit(key, n, 273) < 0.85 ? power_kw : null,
    Quantity: unit(key, n, 274) < 0.85 ? count : null,
    Comments: null,
  };
}

/** Private, planned, removed or listed twice: no user is to be sent there. */
const OTHERS: readonly Item[] = [
  ...[2, 3, 6].map((UsageTypeID) => ({ UsageTypeID, StatusTypeID: 50 })),
  ...[150, 200, 210].map((StatusTypeID) => ({ UsageTypeID: 1, StatusTypeID })),
];

function listOthers(city: City, town: number, seed: number): Poi[] {
  const key = hash(seed, hashText(city.id), 0x6f63);
  return OTHERS.map((extra, n) => {
    const at = around(city, unit(key, n, 1), 80 + 1200 * unit(key, n, 2));
    const id = 90_000 + town * OTHERS.length + n;
    const item = {
      ...EMPTY,
      ID: id,
      UUID: uuid(key, n).toUpperCase(),
      DataProviderID: 1,
      OperatorID: 1,
      AddressInfo: { ID: id + 300, Title: "Depot", AddressLine1: "Gate 3", ...townOf(city) },
      Connections: [],
      NumberOfPoints: 2,
      DateLastStatusUpdate: dayOf(key),
      SubmissionStatusTypeID: 200,
      ...extra,
    };
    return { ...at, country: city.country, toItem: () => item };
  });
}
