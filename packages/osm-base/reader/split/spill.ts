/**
 * Many streams of bytes in one file: each has a buffer, and what fills it is written behind what others
 * have written before. Where the parts of each lie is known in memory.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { Growing } from "#kit/growing.ts";
import { problem } from "#kit/problem.ts";

const LEAST_BUFFER = 1024;
const MOST_BUFFER = 1024 * 1024;
/** Bytes that are written at a time, however small the parts are. */
const BATCH = 1024 * 1024;

/** First byte and length of each part in turn. */
export type SpillParts = Float64Array;

export class Spill {
  readonly path: string;
  /** Of all streams. */
  bytes = 0;
  readonly #fd: number;
  readonly #buffers: (Uint8Array | undefined)[];
  readonly #used: Uint32Array;
  readonly #room: number;
  readonly #batch = new Uint8Array(BATCH);
  #batched = 0;
  #written = 0;
  readonly #streams = new Growing(Uint32Array);
  readonly #lengths = new Growing(Uint32Array);
  #isOpen = true;

  /** `memory_bytes`: of the buffers of all streams. */
  constructor(path: string, streams: number, memory_bytes: number) {
    this.path = path;
    this.#fd = openSync(path, "wx+");
    this.#buffers = Array.from({ length: streams });
    this.#used = new Uint32Array(streams);
    const share = Math.floor(memory_bytes / Math.max(1, streams));
    this.#room = Math.min(MOST_BUFFER, Math.max(LEAST_BUFFER, share));
  }

  /** Adds bytes, which stay together: no part ends within them. */
  append(stream: number, bytes: Uint8Array): void {
    const { length } = bytes;
    this.bytes += length;
    if (this.#used[stream]! + length > this.#room) this.#flush(stream);
    if (length > this.#room) {
      this.#write(stream, bytes);
      return;
    }
    const used = this.#used[stream]!;
    let buffer = this.#buffers[stream];
    if (buffer === undefined || used + length > buffer.length) {
      const most = Math.max(used + length, 2 * (buffer?.length ?? LEAST_BUFFER / 2));
      const larger = new Uint8Array(Math.min(this.#room, most));
      if (buffer !== undefined) larger.set(buffer.subarray(0, used));
      this.#buffers[stream] = buffer = larger;
    }
    buffer.set(bytes, used);
    this.#used[stream] = used + length;
  }

  /** Adds a whole number below 2 ** 32, in four bytes. */
  appendNumber(stream: number, value: number): void {
    const used = this.#used[stream]!;
    const buffer = this.#buffers[stream];
    if (buffer === undefined || used + 4 > buffer.length) {
      this.append(stream, Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24));
      return;
    }
    buffer[used] = value;
    buffer[used + 1] = value >>> 8;
    buffer[used + 2] = value >>> 16;
    buffer[used + 3] = value >>> 24;
    this.#used[stream] = used + 4;
    this.bytes += 4;
  }

  /** Writes what is in the buffers; from here on parts can be read. */
  finish(): void {
    for (let stream = 0; stream < this.#buffers.length; stream++) this.#flush(stream);
    this.#buffers.fill(undefined);
    this.#writeBatch();
  }

  /** Parts of all streams, by stream. */
  listParts(): SpillParts[] {
    const counts = new Uint32Array(this.#used.length);
    const [streams, lengths] = [this.#streams.view(), this.#lengths.view()];
    for (const stream of streams) counts[stream]! += 1;
    const parts = Array.from(counts, (count) => new Float64Array(2 * count));
    counts.fill(0);
    let at = 0;
    for (let i = 0; i < streams.length; i++) {
      const stream = streams[i]!;
      const place = 2 * counts[stream]!++;
      parts[stream]![place] = at;
      parts[stream]![place + 1] = lengths[i]!;
      at += lengths[i]!;
    }
    return parts;
  }

  read(at: number, length: number): Uint8Array<ArrayBuffer> {
    return readBytes(this.#fd, at, length);
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#fd);
    this.#isOpen = false;
  }

  /** Closes and removes the file. */
  remove(): void {
    this.close();
    rmSync(this.path);
  }

  #flush(stream: number): void {
    const used = this.#used[stream]!;
    if (used === 0) return;
    this.#used[stream] = 0;
    this.#write(stream, this.#buffers[stream]!.subarray(0, used));
  }

  #write(stream: number, bytes: Uint8Array): void {
    this.#streams.push(stream);
    this.#lengths.push(bytes.length);
    if (this.#batched + bytes.length > BATCH) this.#writeBatch();
    if (bytes.length > BATCH) {
      this.#writeAll(bytes);
      return;
    }
    this.#batch.set(bytes, this.#batched);
    this.#batched += bytes.length;
  }

  #writeBatch(): void {
    const length = this.#batched;
    this.#batched = 0;
    this.#writeAll(this.#batch.subarray(0, length));
  }

  #writeAll(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const count = writeSync(this.#fd, bytes, done, bytes.length - done, this.#written);
      done += count;
      this.#written += count;
    }
  }
}

/** As many bytes as wanted; a file that has become shorter is a problem. */
export function readBytes(fd: number, at: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const count = readSync(fd, bytes, done, length - done, at + done);
    if (count === 0) throw problem("extract: a file of the import was cut while it was read");
    done += count;
  }
  return bytes;
}
