/** Reads what EntryWriter has written. */
import type {
  NodeFeature,
  OsmTags,
  RelationFeature,
  WayFeature,
} from "../../base/base-features.ts";
import { NumberRoom } from "../../base/number-room.ts";
import { MEMBER_TYPES } from "./entry-writer.ts";

const VARINT = 0x80;
/** Below it a text is decoded without the decoder, which takes long to begin. */
const SHORT = 24;

export class EntryReader {
  at = 0;
  readonly #texts: readonly string[];
  #bytes: Uint8Array = new Uint8Array(0);
  readonly #points = new NumberRoom(Int32Array);
  readonly #ids = new NumberRoom(Float64Array);
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** `texts`: in the order of their numbers (TextNumbers). */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  begin(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.at = 0;
  }

  get hasMore(): boolean {
    return this.at < this.#bytes.length;
  }

  /** What is before an entry. */
  head(): { sections: number; length: number } {
    return { sections: this.#u32(), length: this.#u32() };
  }

  number(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++]!;
    let value = byte & 0x7f;
    for (let scale = VARINT; byte >= VARINT; scale *= VARINT) {
      byte = bytes[this.at++]!;
      value += (byte & 0x7f) * scale;
    }
    return value;
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Of that length, where they lie. */
  bytes(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  points(): Int32Array {
    const points = this.#points.take(2 * this.number());
    let lat = 0;
    let lon = 0;
    for (let i = 0; i < points.length; i += 2) {
      points[i] = lat = (lat + this.#difference()) | 0;
      points[i + 1] = lon = (lon + this.#difference()) | 0;
    }
    return points;
  }

  ids(): Float64Array {
    const ids = this.#ids.take(this.number());
    let id = 0;
    for (let i = 0; i < ids.length; i++) ids[i] = id += this.signed();
    return ids;
  }

  text(): string {
    const number = this.number();
    if (number !== 0) return this.#texts[number - 1]!;
    const bytes = this.bytes(this.number());
    if (bytes.length > SHORT) return this.#decoder.decode(bytes);
    let text = "";
    for (const byte of bytes) {
      if (byte >= VARINT) return this.#decoder.decode(bytes);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  tags(): OsmTags {
    const tags = new Map<string, string>();
    for (let left = this.number(); left > 0; left--) tags.set(this.text(), this.text());
    return tags;
  }

  node(): NodeFeature {
    const [id, lat7, lon7] = [this.signed(), this.signed(), this.signed()];
    return { type: "node", id, lat7, lon7, tags: this.tags() };
  }

  way(): WayFeature {
    const [id, closed] = [this.signed(), this.number() === 1];
    const tags = this.tags();
    const points = this.points();
    return { type: "way", id, tags, points, nodes: this.ids(), closed };
  }

  relation(): RelationFeature {
    const [id, whole] = [this.signed(), this.number() === 1];
    const tags = this.tags();
    const rings = Array.from({ length: this.number() }, () => {
      const inner = this.number() === 1;
      return { points: this.points(), inner };
    });
    let member = 0;
    const members = Array.from({ length: this.number() }, () => {
      const type = MEMBER_TYPES[this.number()]!;
      member += this.signed();
      return { type, id: member, role: this.text() };
    });
    const hasBox = this.number() === 1;
    const box = hasBox
      ? ([this.signed(), this.signed(), this.signed(), this.signed()] as const)
      : null;
    return { type: "relation", id, tags, rings, whole, members, box };
  }

  #u32(): number {
    const bytes = this.#bytes;
    const at = this.at;
    this.at += 4;
    return (
      (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
    );
  }

  #difference(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= VARINT; shift += 7) {
      byte = bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return (value >>> 1) ^ -(value & 1);
  }
}
