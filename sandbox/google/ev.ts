// evChargeOptions of the Places API, in the rules of proto3 JSON: plain counts are left out when
// zero, optional ones are kept (places.md 1.4).
import { rfc3339 } from "../gbfs/context.ts";
import { hash, unit } from "../rng.ts";
import { listPlugs } from "../world/chargers.ts";
import type { Plug, ServiceThing } from "../world/service-model.ts";

const TYPES: Readonly<Record<string, string>> = {
  IEC_62196_T1: "J1772",
  IEC_62196_T2: "TYPE_2",
  IEC_62196_T1_COMBO: "CCS_COMBO_1",
  IEC_62196_T2_COMBO: "CCS_COMBO_2",
  CHADEMO: "CHADEMO",
  SAE_J3400: "NACS",
  TESLA_R: "TESLA",
  TESLA_S: "TESLA",
  GBT_AC: "UNSPECIFIED_GB_T",
  GBT_DC: "UNSPECIFIED_GB_T",
};

/** Some stations are known as such and no more; some are counted and not described. */
const RATES = { bare: 0.04, undescribed: 0.03, half_reported: 0.3 } as const;

export function toEvChargeOptions(thing: ServiceThing, now_ms: number): unknown {
  const { key, charging } = thing;
  const fate = unit(key, 211);
  if (charging === undefined || fate < RATES.bare) return undefined;
  const plugs = listPlugs(thing, now_ms);
  const total = { ...unlessZero("connectorCount", plugs.length) };
  if (fate < RATES.bare + RATES.undescribed) return total;
  const groups = [...Map.groupBy(plugs, ({ standard, power_kw }) => `${standard} ${power_kw}`)];
  const half = groups.length > 1 && unit(key, 212) < RATES.half_reported;
  const connectorAggregation = groups.map(([, group], n) =>
    toAggregation(group, charging.live && !(half && n === 1) ? { key, n } : null),
  );
  return { ...total, connectorAggregation };
}

type Reported = { readonly key: number; readonly n: number };

function toAggregation(plugs: readonly Plug[], reported: Reported | null): unknown {
  const { standard = "", power_kw = 0, since_s = 0 } = plugs[0] ?? {};
  const count = (status: Plug["status"]): number =>
    plugs.filter((plug) => plug.status === status).length;
  const type = TYPES[standard] ?? wallOutlet(standard);
  return {
    type: `EV_CONNECTOR_TYPE_${type}`,
    // The power of a wall outlet is never given.
    ...unlessZero("maxChargeRateKw", type === "UNSPECIFIED_WALL_OUTLET" ? 0 : power_kw),
    ...unlessZero("count", plugs.length),
    ...(reported === null
      ? {}
      : {
          availableCount: count("AVAILABLE"),
          outOfServiceCount: count("OUTOFORDER"),
          availabilityLastUpdateTime: timeOf(since_s, reported),
        }),
  };
}

const wallOutlet = (standard: string): string =>
  standard.startsWith("DOMESTIC_") ? "UNSPECIFIED_WALL_OUTLET" : "OTHER";

/** Groups of one station are not reported at once; some reporters count in microseconds. */
function timeOf(since_s: number, { key, n }: Reported): string {
  const plain = rfc3339(since_s - n * 30);
  return hash(key, n, 213) % 4 === 0 ? plain.replace("Z", ".250600Z") : plain;
}

const unlessZero = (name: string, value: number): Record<string, number> =>
  value === 0 ? {} : { [name]: value };
