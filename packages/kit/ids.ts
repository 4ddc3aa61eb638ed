/**
 * Deterministic public ids (R11, §2.9): the same source key gives the same id on every replica and
 * after every restart. base32 (RFC 4648 alphabet, lower case) of SHA-256, first 20 characters:
 * 100 bits, so that a billion stations collide with a probability below 1e-12.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase32 } from "./base32.ts";

const LENGTH = 20;
/** Enough bytes of the digest for the characters of an id. */
const ENOUGH_BYTES = 13;
/** A control character no source id may contain, so that no two keys run into one another. */
const SEPARATOR = "\u0000";
const encoder = new TextEncoder();

export const STATION_ID_PREFIX = "svc_station_";
const VEHICLE_ID_PREFIX = "svc_vehicle_";

/** Makes the `svc_station_…` id of a station from its best source's key. */
export function stationId(source: string, system_id: string, station_id: string): string {
  return STATION_ID_PREFIX + hash32([source, system_id, station_id].join(SEPARATOR));
}

/**
 * Makes a `svc_vehicle_…` id: the observation window is part of the key, so that an id of ours
 * never links two trips of a vehicle whose publisher forgets to rotate its own id (mobility.md
 * 1.8).
 */
export function vehicleId(system_id: string, vehicle_id: string, window: number): string {
  return VEHICLE_ID_PREFIX + hash32(["gbfs", system_id, vehicle_id, window].join(SEPARATOR));
}

/** 20 base32 characters of SHA-256(text). */
export function hash32(text: string): string {
  const digest = sha256(encoder.encode(text));
  return encodeBase32(digest.subarray(0, ENOUGH_BYTES)).slice(0, LENGTH);
}
