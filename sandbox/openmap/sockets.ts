// The sockets of a drawn charging station: counts or "yes", and power in every spelling (places.md 3.2).
import { hash, pick, unit } from "../rng.ts";
import type { Connector, ServiceThing } from "../world/service-model.ts";
import type { Tags } from "./query.ts";

const SOCKETS: Readonly<Record<string, readonly string[]>> = {
  IEC_62196_T1: ["type1"],
  IEC_62196_T1_COMBO: ["type1_combo"],
  IEC_62196_T2: ["type2", "type2", "type2_cable"],
  IEC_62196_T2_COMBO: ["type2_combo"],
  CHADEMO: ["chademo"],
  DOMESTIC_E: ["typee", "schuko"],
  SAE_J3400: ["nacs"],
};

export function socketTags({ key, charging, operator }: ServiceThing): Tags {
  const connectors = charging?.connectors ?? [];
  const counted = unit(key, 161) < 0.7;
  const total = connectors.reduce((sum, { count }) => sum + count, 0);
  const sockets = unit(key, 162) < 0.9 ? connectors : [];
  return {
    ...Object.assign({}, ...sockets.map((each, n) => socket(each, { key, n, counted }))),
    ...(!counted || unit(key, 163) < 0.4 ? { capacity: String(total) } : {}),
    ...(unit(key, 164) < 0.4 ? { network: operator } : {}),
    ...pick<Tags>([{}, { fee: "yes" }, { fee: "no" }], hash(key, 165)),
    ...(unit(key, 166) < 0.3 ? { "authentication:app": "yes" } : {}),
    ...(unit(key, 167) < 0.3 ? { motorcar: "yes" } : {}),
    ...(unit(key, 168) < 0.1 ? { bicycle: "no" } : {}),
  };
}

type Hand = { readonly key: number; readonly n: number; readonly counted: boolean };

function socket({ standard, count, power_kw }: Connector, { key, n, counted }: Hand): Tags {
  const name = `socket:${pick(SOCKETS[standard] ?? ["unknown"], hash(key, n, 169))}`;
  const output = unit(key, n, 170) < 0.8 ? outputOf(power_kw, hash(key, n, 171)) : null;
  return {
    [name]: counted ? String(count) : "yes",
    ...(output === null ? {} : { [`${name}:output`]: output }),
  };
}

/** The highest of a list counts; a bare number is kilowatts below 1000, else watts. */
const outputOf = (kw: number, hand: number): string =>
  pick(
    [
      `${kw} kW`,
      `${kw}kW`,
      `${String(kw).replace(".", ",")} kW`,
      `${kw} kVA`,
      String(kw),
      String(kw * 1000),
      `${kw} kW;${kw / 2} kW`,
    ],
    hand,
  );
