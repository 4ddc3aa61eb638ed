// What a charging station contains, and how its plugs are doing in a given minute.
import { between, hash, pick, unit } from "../rng.ts";
import type { City } from "./model.ts";
import type { Connector, Plug, ServiceThing } from "./service-model.ts";

type Kind = Pick<Connector, "standard" | "power_kw">;

const EUROPE: readonly Kind[] = [
  { standard: "IEC_62196_T2", power_kw: 22 },
  { standard: "IEC_62196_T2", power_kw: 11 },
  { standard: "IEC_62196_T2_COMBO", power_kw: 150 },
  { standard: "IEC_62196_T2_COMBO", power_kw: 50 },
  { standard: "CHADEMO", power_kw: 50 },
  { standard: "DOMESTIC_E", power_kw: 2.3 },
];
const AMERICA: readonly Kind[] = [
  { standard: "IEC_62196_T1", power_kw: 7.2 },
  { standard: "IEC_62196_T1_COMBO", power_kw: 150 },
  { standard: "CHADEMO", power_kw: 50 },
  { standard: "SAE_J3400", power_kw: 250 },
];
const JAPAN: readonly Kind[] = [
  { standard: "IEC_62196_T1", power_kw: 6 },
  { standard: "CHADEMO", power_kw: 50 },
  { standard: "CHADEMO", power_kw: 90 },
];

const kindsOf = ({ country }: City): readonly Kind[] =>
  ["US", "MX"].includes(country) ? AMERICA : country === "JP" ? JAPAN : EUROPE;

/** One or two kinds of plug of different standards; every second station is reported live. */
export function toCharging(city: City, key: number): NonNullable<ServiceThing["charging"]> {
  const kinds = kindsOf(city);
  const first = pick(kinds, hash(key, 20));
  const second = pick(kinds, hash(key, 21));
  const other = second.standard === first.standard || unit(key, 22) < 0.5 ? [] : [second];
  const connectors = [first, ...other].map((kind, n) => ({
    ...kind,
    count: between(1, 4, key, 23 + n),
  }));
  return { connectors, live: unit(key, 25) < 0.5 };
}

/** How long a car stays, at the least. */
const STAY_S = 300;

/** Each plug of a charging station in the minute of `now_ms`; all that report them agree. */
export function listPlugs({ charging, key }: ServiceThing, now_ms: number): readonly Plug[] {
  const beat = Math.floor(now_ms / 1000 / STAY_S);
  const kinds = (charging?.connectors ?? []).flatMap((connector) =>
    Array.from({ length: connector.count }, () => connector),
  );
  return kinds.map(({ standard, power_kw }, n) => {
    const broken = unit(key, n, 30) < 0.08;
    const busy = unit(key, n, beat, 31) < 0.45;
    return {
      standard,
      power_kw,
      status: broken ? "OUTOFORDER" : busy ? "CHARGING" : "AVAILABLE",
      since_s: beat * STAY_S,
    };
  });
}
