// A row of the register: texts for nearly everything, truth values in three spellings.
import { gidOf, isJoined } from "../listing.ts";
import { around, type Point } from "../geo.ts";
import { dayOf, written } from "../registry.ts";
import { hash, pick, unit } from "../rng.ts";
import type { ServiceThing } from "../world/service-model.ts";

/** Metres that a pin may be off: one known by number may be anywhere in the building. */
const OFF_M = { joined: 20, nameless: 4 } as const;

export type Row = Readonly<Record<string, unknown>>;

export function toFeature(thing: ServiceThing): unknown {
  const off_m = isJoined(thing) ? OFF_M.joined : OFF_M.nameless;
  const at = around(thing, unit(thing.key, 201), off_m * unit(thing.key, 202));
  return featureAt(at, propertiesOf(thing));
}

export const featureAt = (at: Point | null, properties: Row): unknown => ({
  type: "Feature",
  geometry: at === null ? null : { type: "Point", coordinates: [at.lon, at.lat] },
  properties: { ...(at === null ? {} : statedAt(at)), ...properties },
});

/** The older columns are cut to four decimals: the geometry is what counts. */
const statedAt = ({ lat, lon }: Point): Row => ({
  c_lat_coor1: lat.toFixed(4),
  c_long_coor1: lon.toFixed(4),
});

function propertiesOf(thing: ServiceThing): Row {
  const { key, operator, street, street_number, post_code, city } = thing;
  const gid = gidOf(thing);
  const truth = spelling(key);
  const inside = unit(key, 203) < 0.7;
  return {
    gid: String(500_000 + thing.index),
    c_gid: unit(key, 204) < 0.3 ? Number(gid) : gid,
    c_nom: thing.name === "" ? null : written(thing),
    c_adr_num: street_number,
    c_adr_voie: street,
    c_com_cp: post_code,
    c_com_nom: city.name,
    c_acc: inside ? "Intérieur" : "Extérieur",
    c_acc_lib: truth(!inside),
    c_acc_etg: inside ? pick(["rdc", "R+1", "niveau -1"], hash(key, 205)) : null,
    c_acc_complt: unit(key, 206) < 0.3 ? "à côté de l’ascenseur" : null,
    ...hoursOf(thing),
    c_tel1: unit(key, 207) < 0.4 ? `${city.phone}${key % 10}` : null,
    c_expt_rais: operator,
    c_date_instal: dayOf(key).slice(0, 10),
    c_etat: unit(key, 208) < 0.7 ? "Actif" : null,
    c_etat_fonct: "En fonctionnement",
    c_etat_valid: unit(key, 209) < 0.8 ? "validées" : "en attente de validation",
    c_doublon: truth(false),
    c_dae_mobile: truth(false),
    c_maj_don: dayOf(key + 1).slice(0, 10),
    c__edit_datemaj: dayOf(key + 1).replace("Z", ""),
  };
}

type Truth = (value: boolean) => boolean | string;

/** Picks a spelling: `t` and `f`, words, or JSON, as the row came in. */
export function spelling(key: number): Truth {
  const kinds: readonly Truth[] = [(value) => (value ? "t" : "f"), String, (value) => value];
  return pick(kinds, hash(key, 210));
}

function hoursOf({ opening_hours, key }: ServiceThing): Row {
  if (opening_hours === "24/7") return { c_disp_j: "{7j/7}", c_disp_h: "{24h/24}" };
  if (opening_hours === null) return { c_disp_j: null, c_disp_h: "{non renseigné}" };
  return {
    c_disp_j: opening_hours.startsWith("Mo-Su")
      ? "{7j/7}"
      : "{lundi,mardi,mercredi,jeudi,vendredi}",
    c_disp_h: pick(["{heures ouvrables}", '{"heures ouvrables","heures de nuit"}'], hash(key, 211)),
  };
}
