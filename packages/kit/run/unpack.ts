/** Unpacks parts and streams of files that are imported, within the bounds of `packages/kit/inflation`. */
import { promisify } from "node:util";
import { createGunzip, gunzip, inflate, type Gunzip } from "node:zlib";
import { beyondStated, checkInflation, type InflationBounds, mostUnpacked } from "../inflation.ts";
import { guard } from "../guard.ts";

const CODINGS = { gzip: promisify(gunzip), zlib: promisify(inflate) } as const;
/** With room to spare for a stated size no second buffer is made. */
export const SPARE_BYTES = 64;
const CHUNK_BYTES = 64 * 1024;

export type PartOptions = {
  /** What the part is of, in messages. */
  what: string;
  coding: keyof typeof CODINGS;
  bounds: InflationBounds;
  /** Size that the file states for it, which is then a bound, too. */
  stated_bytes?: number;
};

/** Content of one part in memory. Beyond a bound it is a `problem`, and no more than that came out. */
export async function unpackPart(packed: Uint8Array, options: PartOptions): Promise<Uint8Array> {
  const { what, coding, bounds, stated_bytes } = options;
  const most = mostUnpacked(bounds, packed.length);
  const unpacked = await guard<Uint8Array, { error: unknown }>(
    () =>
      CODINGS[coding](packed, {
        maxOutputLength: Math.max(1, Math.min(most, stated_bytes ?? most)),
        ...(stated_bytes !== undefined && { chunkSize: stated_bytes + SPARE_BYTES }),
      }),
    (error) => ({ error }),
  );
  if (!("error" in unpacked)) return unpacked;
  if (!isTooLarge(unpacked.error)) throw unpacked.error;
  if (stated_bytes !== undefined && stated_bytes <= most) throw beyondStated(what);
  checkInflation(what, bounds, { packed: packed.length, unpacked: most + 1 });
  throw unpacked.error;
}

/** Steps of a pipeline that unpack a gzip file with all its members; beyond a bound they end it. */
export function unpackGzip(what: string, bounds: InflationBounds): [Gunzip, PassingStep] {
  const gunzipped = createGunzip({ chunkSize: CHUNK_BYTES });
  let unpacked = 0;
  const counted = passing((chunk) => {
    unpacked += chunk.length;
    checkInflation(what, bounds, { packed: gunzipped.bytesWritten, unpacked });
  });
  return [gunzipped, counted];
}

export type PassingStep = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;

/** A step of a pipeline that looks at each chunk; what it throws ends the pipeline. */
export function passing(look: (chunk: Uint8Array) => void): PassingStep {
  return async function* (source) {
    for await (const chunk of source) {
      look(chunk);
      yield chunk;
    }
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
