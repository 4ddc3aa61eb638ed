/** Bytes of one entry while it is written: numbers of any size, texts, points. Read by EntryReader. */
import type { TextNumbers } from "./text-numbers.ts";
import type {
  NodeFeature,
  OsmTags,
  RelationFeature,
  WayFeature,
} from "../../base/base-features.ts";

const VARINT = 0x80;
const SMALL = 2 ** 30;
/** Bytes that a number takes at most. */
const MOST_BYTES = 16;
/** Before an entry: bits of the sections that are to have it, and its length, each a u32. */
export const ENTRY_HEAD = 8;
export const MEMBER_TYPES = ["node", "way", "relation"] as const;

export function setSections(entry: Uint8Array, sections: number): void {
  entry[0] = sections;
  entry[1] = sections >>> 8;
  entry[2] = sections >>> 16;
  entry[3] = sections >>> 24;
}

export class EntryWriter {
  readonly #texts: TextNumbers;
  #bytes = Buffer.alloc(64 * 1024);
  #at = 0;

  constructor(texts: TextNumbers) {
    this.#texts = texts;
  }

  /** Begins an entry. */
  begin(): void {
    this.#at = ENTRY_HEAD;
  }

  /** The entry, valid until the next one begins; `setSections` says for whom it is. */
  end(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#at);
    bytes.writeUInt32LE(this.#at - ENTRY_HEAD, 4);
    return bytes;
  }

  /** A whole number from 0 on. */
  number(value: number): void {
    this.#reserve(MOST_BYTES);
    let rest = value;
    for (; rest >= SMALL; rest = Math.floor(rest / VARINT))
      this.#bytes[this.#at++] = (rest % VARINT) | VARINT;
    for (; rest >= VARINT; rest >>>= 7) this.#bytes[this.#at++] = (rest & 0x7f) | VARINT;
    this.#bytes[this.#at++] = rest;
  }

  signed(value: number): void {
    this.number(value >= 0 ? 2 * value : -2 * value - 1);
  }

  /** Coordinates by their differences, around the globe where that is shorter. */
  points(points: Int32Array): void {
    const { length } = points;
    this.number(length / 2);
    this.#reserve(length * 5);
    const bytes = this.#bytes;
    let at = this.#at;
    let lat = 0;
    let lon = 0;
    for (let i = 0; i < length; i++) {
      const value = points[i]!;
      const difference = (i & 1 ? value - lon : value - lat) | 0;
      if (i & 1) lon = value;
      else lat = value;
      let rest = ((difference << 1) ^ (difference >> 31)) >>> 0;
      for (; rest >= VARINT; rest >>>= 7) bytes[at++] = (rest & 0x7f) | VARINT;
      bytes[at++] = rest;
    }
    this.#at = at;
  }

  /** Ids by their differences. */
  ids(ids: Float64Array): void {
    this.number(ids.length);
    this.#reserve(ids.length * MOST_BYTES);
    const bytes = this.#bytes;
    let before = 0;
    for (let i = 0; i < ids.length; i++) {
      const difference = ids[i]! - before;
      before = ids[i]!;
      if (difference > -SMALL && difference < SMALL) {
        let rest = ((difference << 1) ^ (difference >> 31)) >>> 0;
        let at = this.#at;
        for (; rest >= VARINT; rest >>>= 7) bytes[at++] = (rest & 0x7f) | VARINT;
        bytes[at++] = rest;
        this.#at = at;
      } else this.signed(difference);
    }
  }

  text(text: string): void {
    const number = this.#texts.numberOf(text);
    this.number(number);
    if (number !== 0) return;
    const length = Buffer.byteLength(text);
    this.number(length);
    this.#reserve(length);
    this.#at += this.#bytes.write(text, this.#at, "utf8");
  }

  tags(tags: OsmTags): void {
    this.number(tags.size);
    for (const [key, value] of tags) {
      this.text(key);
      this.text(value);
    }
  }

  node({ id, lat7, lon7, tags }: NodeFeature): void {
    this.signed(id);
    this.signed(lat7);
    this.signed(lon7);
    this.tags(tags);
  }

  way({ id, tags, points, nodes, closed }: WayFeature): void {
    this.signed(id);
    this.number(closed ? 1 : 0);
    this.tags(tags);
    this.points(points);
    this.ids(nodes);
  }

  relation({ id, tags, rings, whole, members, box }: RelationFeature): void {
    this.signed(id);
    this.number(whole ? 1 : 0);
    this.tags(tags);
    this.number(rings.length);
    for (const { points, inner } of rings) {
      this.number(inner ? 1 : 0);
      this.points(points);
    }
    this.number(members.length);
    let before = 0;
    for (const member of members) {
      this.number(MEMBER_TYPES.indexOf(member.type));
      this.signed(member.id - before);
      this.text(member.role);
      before = member.id;
    }
    this.number(box === null ? 0 : 1);
    for (const side of box ?? []) this.signed(side);
  }

  #reserve(length: number): void {
    const least = this.#at + length;
    if (least <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(least, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}
