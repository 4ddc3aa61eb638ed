/** What a source published (`Before`), as the stores of bridges keep it: deflated JSON. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Before } from "#core/identity/inherit.ts";

export function packStations(stations: readonly Before[]): Uint8Array {
  return deflateRawSync(JSON.stringify(stations), { level: 1 });
}

export function unpackStations(packed: Uint8Array): Before[] {
  return JSON.parse(inflateRawSync(packed).toString()) as Before[];
}
