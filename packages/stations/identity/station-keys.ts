/**
 * Keys by which two sources may know one station, and which of them may be compared: an id of one
 * capture equals another's `legacy_id`, but never its capacity by chance.
 */
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Observation } from "./observed-station.ts";

export type KeySlot = "id" | keyof Observation["keys"];

/** Keys that may name the same thing, either way round. */
export const KEY_BRIDGES: readonly { a: KeySlot; b: KeySlot; why: string }[] = [
  { a: "id", b: "id", why: "two captures of one system, or an aggregator's copy" },
  { a: "id", b: "uid", why: "CityBikes keeps the operator's id in `extra.uid`" },
  { a: "id", b: "station_id", why: "and in `extra.station_id`, where `uid` is another number" },
  { a: "id", b: "ref", why: "the open map's `ref` is the number on the dock" },
  { a: "id", b: "legacy_id", why: "the id before a renumbering" },
  { a: "id", b: "external_id", why: "the id after a renumbering" },
  { a: "short_name", b: "short_name", why: "the number on the dock, kept over a renumbering" },
  { a: "short_name", b: "uid", why: "Vélib': `extra.uid` is the station code" },
  {
    a: "short_name",
    b: "ref",
    why: "the open map's `ref`, where the operator calls it short_name",
  },
  { a: "external_id", b: "external_id", why: "the operator's own key on both sides" },
  { a: "legacy_id", b: "legacy_id", why: "the same old id on both sides" },
  { a: "uid", b: "uid", why: "two views of CityBikes" },
  { a: "uid", b: "ref", why: "the open map and CityBikes, both with the number on the dock" },
  { a: "ref", b: "ref", why: "two views of the open map" },
];

/** Slots that each slot may equal. */
export const COMPARABLE: ReadonlyMap<KeySlot, readonly KeySlot[]> = new Map(
  [...new Set(KEY_BRIDGES.flatMap(({ a, b }) => [a, b]))].map((slot) => [
    slot,
    KEY_BRIDGES.flatMap(({ a, b }) => (a === slot ? [b] : b === slot ? [a] : [])),
  ]),
);

/** Codespace of the Nordic aggregators: `YOS:Station:123` is the publisher's `123`. */
const CODESPACE = /^[A-Za-z]{2,5}:[A-Za-z]+:/;

/** A key as compared: without codespace and stray spaces; "" when there is none. */
export function stationKey(observation: Observation, slot: KeySlot): string {
  const raw = slot === "id" ? observation.id : observation.keys[slot];
  if (raw === undefined) return "";
  return raw.includes(":") || raw.includes(" ") ? raw.trim().replace(CODESPACE, "") : raw;
}

/** Long enough not to be equal by chance where it is unknown whether the operators are one. */
const DISTINCTIVE_LENGTH = 16;

/** Reports whether equal keys speak for one station where kinship is unknown. */
export function isDistinctiveKey(key: string): boolean {
  return key.length >= DISTINCTIVE_LENGTH;
}

const MD5_HEX = /^[0-9a-f]{32}$/;
const MICRO = 1e6;
const encoder = new TextEncoder();

/**
 * Checks for CityBikes' key of these coordinates: MD5 of both in millionths, cut off (mobility.md
 * 2.2).
 */
export function isCoordinateKey(id: string, lat: number, lon: number): boolean {
  if (id.length !== 32 || !MD5_HEX.test(id)) return false;
  const text = `${Math.trunc(lat * MICRO)},${Math.trunc(lon * MICRO)}`;
  return bytesToHex(md5(encoder.encode(text))) === id;
}
