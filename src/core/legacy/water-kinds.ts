/**
 * A drinking point or a toilet as a record of the Paris data set of 2011 (§2.11, §4.10; mobility.md
 * 6.4). What its source does not know is left out (decisions, Legacy routes).
 */
import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { LegacyWaterRecord } from "#api/legacy-water.ts";
import type { AddressParts, Place } from "#core/places/place.ts";
import { ownNameOf } from "#core/places/place-naming.ts";
import { present } from "#kit/present.ts";
import { toRfc3339 } from "#kit/time.ts";
import { toLambert93 } from "./lambert93.ts";
import { toNumberId } from "./vehicle.ts";

/** A point that was found; `read_at_ms`: when its source was read, epoch ms; null: unknown. */
export type FoundWater = { place: Place; distance_m: number; read_at_ms: number | null };

export function toWaterRecord({ place, distance_m, read_at_ms }: FoundWater): LegacyWaterRecord {
  const { lat, lon } = place;
  const datasetid = datasetOf(place);
  const recordid = recordIdOf(place);
  const point = { type: "Point" as const, coordinates: [lon, lat] as [number, number] };
  const entry = {
    arrondissement: districtOf(place.address),
    nom_voie: streetOf(place),
    numero_voie: place.address?.number,
    identifiant: identifierOf(place),
    horaires_ouverture: hoursOf(place),
    ...toLambert93(place),
  };
  return {
    datasetid,
    recordid,
    fields: {
      // Whole metres, half up, as every distance that is stated (decisions, Conventions).
      dist: String(Math.floor(distance_m + 0.5)),
      objectid: objectIdOf(place, recordid),
      geom_x_y: [lat, lon],
      geom: point,
      ...present(entry),
    },
    geometry: point,
    ...(read_at_ms === null ? {} : { record_timestamp: toRfc3339(read_at_ms / 1000) }),
  };
}

/** Orders by the distance that is stated, then the id (docs/decisions/0003). */
export function byStatedDist(a: LegacyWaterRecord, b: LegacyWaterRecord): number {
  return Number(a.fields.dist) - Number(b.fields.dist) || (a.recordid < b.recordid ? -1 : 1);
}

const encoder = new TextEncoder();

/** 40 hexadecimal digits: the same for the same thing of the same data set. */
function recordIdOf(place: Place): string {
  return bytesToHex(sha1(encoder.encode(`${datasetOf(place)}:${place.external_id}`)));
}

function datasetOf({ record, source_id }: Place): string {
  return record?.dataset ?? source_id;
}

/** Its identifier in the city's data or on the map. */
function identifierOf({ record, external_id }: Place): string | undefined {
  return record ? record.identifier : external_id;
}

const BITS_31 = 2 ** 31;

/** The only number of its key, within 31 bits; where there is none, one of 31 bits of its own. */
function objectIdOf(place: Place, recordid: string): number {
  const isKeyless = place.kind === "toilets" && place.record !== undefined;
  const numbers = isKeyless ? [] : (place.external_id.match(/\d+/g) ?? []);
  const number = numbers.length === 1 ? Number(numbers[0]) : Number.NaN;
  return Number.isSafeInteger(number) ? number % BITS_31 : toNumberId(recordid);
}

/** 75004 → 4; 75116 is the other half of the sixteenth. */
function districtOf(address: AddressParts | undefined): number | undefined {
  const code = address?.post_code?.trim();
  if (code === "75116") return 16;
  const district = Number(/^750(\d\d)$/.exec(code ?? "")?.[1]);
  return district >= 1 && district <= 20 ? district : undefined;
}

/** Its street; else its own name, but not that of its operator. */
function streetOf(place: Place): string | undefined {
  return place.address?.street ?? ownNameOf(place) ?? undefined;
}

function hoursOf({ attributes }: Place): string | undefined {
  const hours = attributes["opening_hours"];
  return typeof hours === "string" && hours !== "" ? hours : undefined;
}
