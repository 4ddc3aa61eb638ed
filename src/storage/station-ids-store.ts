/** What a source published (`Before`), as the stores of bridges keep it: deflated JSON. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { StationCodec } from "#stations/identity/group.ts";
import type { Before } from "#stations/identity/inherit.ts";

export const stationCodec: StationCodec = {
  pack: (stations) => deflateRawSync(JSON.stringify(stations), { level: 1 }),
  unpack: (packed) => JSON.parse(inflateRawSync(packed).toString()) as Before[],
};
