/**
 * The coding `gzip` (RFC 1952) of a response that is sent in frames, each of which can be read as soon as
 * it arrives. No frame refers to one before (RFC 1951: a full flush ends it), so that thousands of streams
 * keep no window of a coder each. What is small is stored as it is; the rest is made small by a thread.
 */
import { crc32, constants, deflateRaw } from "node:zlib";
import { LIMITS } from "#api/limits.ts";

/** No name, no time, system unknown. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** The last block, which is empty. */
const LAST = Buffer.from([1, 0, 0, 0xff, 0xff]);
const BLOCK_MAX = 0xffff;
/** Of a stored block: its kind, its length and the complement of it. */
const BLOCK_HEAD_BYTES = 5;
const OPTIONS = { level: 6, memLevel: 8, finishFlush: constants.Z_FULL_FLUSH };

export class FrameCoder {
  /** What has been coded so far, as the end of the coding names it. */
  #crc = 0;
  #bytes = 0;
  #hasBegun = false;
  #isBusy = false;
  #waiting = "";
  readonly #onCoded: (coded: Buffer) => void;

  /** `onCoded`: receives what `code` did not return, in order. */
  constructor(onCoded: (coded: Buffer) => void) {
    this.#onCoded = onCoded;
  }

  /** A thread works on frames that were given. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Returns the frame as it is to be sent; null: it is handed on later, behind those before it. */
  code(frame: string): Buffer | null {
    if (this.#isBusy) {
      this.#waiting += frame;
      return null;
    }
    const bytes = Buffer.from(frame);
    if (bytes.length < LIMITS.compress_from_bytes) return this.#seal(bytes, toStored(bytes));
    this.#isBusy = true;
    deflateRaw(bytes, OPTIONS, (error, packed) => {
      const blocks = [this.#seal(bytes, error === null ? packed : toStored(bytes))];
      this.#isBusy = false;
      const frames = this.#waiting;
      this.#waiting = "";
      const next = frames === "" ? null : this.code(frames);
      if (next !== null) blocks.push(next);
      this.#onCoded(Buffer.concat(blocks));
    });
    return null;
  }

  /** What follows the last frame. */
  end(): Buffer {
    const sums = Buffer.alloc(8);
    sums.writeUInt32LE(this.#crc, 0);
    sums.writeUInt32LE(this.#bytes % 2 ** 32, 4);
    return Buffer.concat(this.#hasBegun ? [LAST, sums] : [HEAD, LAST, sums]);
  }

  #seal(plain: Buffer, blocks: Buffer): Buffer {
    this.#crc = crc32(plain, this.#crc);
    this.#bytes += plain.length;
    if (this.#hasBegun) return blocks;
    this.#hasBegun = true;
    return Buffer.concat([HEAD, blocks]);
  }
}

function toStored(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK_MAX) {
    const part = bytes.subarray(at, at + BLOCK_MAX);
    const head = Buffer.alloc(BLOCK_HEAD_BYTES);
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(part.length ^ BLOCK_MAX, 3);
    blocks.push(head, part);
  }
  return Buffer.concat(blocks);
}
