/** A picture as PNG (RFC 2083): true colour, one block of compressed rows, which another thread compresses. */
import { promisify } from "node:util";
import { constants, crc32, deflate } from "node:zlib";

const toDeflated = promisify(deflate);
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Each row says how it was filtered: not at all. */
const UNFILTERED = 0;
const CHANNELS = 3;

export type Picture = { width: number; height: number; pixels: Uint8Array };

export async function toPng({ width, height, pixels }: Picture): Promise<Buffer> {
  const row = width * CHANNELS;
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) {
    rows[y * (row + 1)] = UNFILTERED;
    rows.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits a channel, true colour.
  head.set([8, 2, 0, 0, 0], 8);
  const data = await toDeflated(rows, { level: 7, strategy: constants.Z_DEFAULT_STRATEGY });
  return Buffer.concat([
    SIGNATURE,
    toChunk("IHDR", head),
    toChunk("IDAT", data),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
