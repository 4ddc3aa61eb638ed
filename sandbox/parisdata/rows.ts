// Rows of the two data sets as their exports have them: numbers that are texts at times, members
// that are null, street names in capitals (mobility.md 6.3).
import { codeOf } from "../listing.ts";
import { hash, pick, unit } from "../rng.ts";
import type { ServiceThing } from "../world/service-model.ts";

export type Row = Readonly<Record<string, unknown>>;

export const gidOf = (thing: ServiceThing): string => String(codeOf(thing));

const SORTS = [
  ...["BORNE_FONTAINE", "FONTAINE_2EN1", "FONTAINE_ALBIEN", "FONTAINE_ARCEAU", "FONTAINE_BOIS"],
  ...["FONTAINE_TOTEM", "FONTNE_WALLACE", "FTNE_PETILLANTE", "FTNE_POING_EAU", "FTNE_MILLENAIRE"],
] as const;
const REASONS = ["Travaux", "Fuite", "Fermeture saisonnière", null] as const;

export function toFountain(thing: ServiceThing): Row {
  const { key, street, street_number } = thing;
  const number = unit(key, 301) < 0.25 ? null : street_number;
  const isEven = Number(street_number) % 2 === 0;
  const isOff = unit(key, 302) < 0.12;
  return {
    gid: mixed(gidOf(thing), key),
    type_objet: pick(SORTS, hash(key, 303)),
    modele: pick(["GHM Aréa", "Wallace grand modèle", null], hash(key, 304)),
    no_voirie_pair: isEven ? number : null,
    no_voirie_impair: isEven || number === null ? null : mixed(number, key),
    voie: unit(key, 305) < 0.05 ? null : capitals(street),
    commune: `PARIS ${ordinal(districtOf(thing))} ARRONDISSEMENT`,
    dispo: isOff ? "NON" : "OUI",
    debut_ind: isOff ? "2026-10-01" : null,
    fin_ind: null,
    motif_ind: isOff ? pick(REASONS, hash(key, 306)) : null,
    geo_shape: feature("Point", [thing.lon, thing.lat]),
    geo_point_2d: pointOf(thing),
  };
}

const HOURS = ["24 h / 24", "24 h / 24", "6 h - 22 h", "Voir fiche équipement", null] as const;

export function toToilet(thing: ServiceThing): Row {
  const { key, street, street_number } = thing;
  const district = String(75_000 + districtOf(thing));
  const page = `https://www.paris.fr/lieux/sanisette-${gidOf(thing)}`;
  return {
    type: pick(["SANISETTE", "SANISETTE", "TOILETTES", "LAVATORY"], hash(key, 311)),
    statut: unit(key, 312) < 0.9 ? "En service" : null,
    adresse: addressOf(capitals(street), street_number, key),
    arrondissement: mixed(district, key),
    horaire: pick(HOURS, hash(key, 313)),
    acces_pmr: unit(key, 314) < 0.8 ? "Oui" : "Non",
    relais_bebe: unit(key, 315) < 0.2 ? "Oui" : "Non",
    url_fiche_equipement: unit(key, 316) < 0.4 ? page : null,
    complement_adresse: null,
    source: "Ville de Paris",
    gestionnaire: thing.operator,
    geo_shape: feature("MultiPoint", [[thing.lon, thing.lat]]),
    geo_point_2d: pointOf(thing),
  };
}

/** Some have a house number, some a place only. */
function addressOf(street: string, number: string, key: number): string | null {
  const style = hash(key, 317) % 8;
  if (style === 0) return null;
  if (style < 3) return street;
  return style === 3 ? `${number} BIS ${street}` : `${number} ${street}`;
}

const capitals = (text: string): string => text.toLocaleUpperCase("fr");

const districtOf = ({ post_code }: ServiceThing): number => Number(post_code.slice(-2));

const ordinal = (number: number): string => (number === 1 ? "1ER" : `${number}EME`);

/** A number here, a text there. */
const mixed = (text: string, key: number): string | number =>
  unit(key, 318) < 0.3 ? Number(text) : text;

function pointOf({ lat, lon, key }: ServiceThing): Row {
  return unit(key, 319) < 0.1 ? { lon: String(lon), lat: String(lat) } : { lon, lat };
}

const feature = (type: string, coordinates: unknown): Row => ({
  type: "Feature",
  geometry: { type, coordinates },
  properties: {},
});
