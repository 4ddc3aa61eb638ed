/**
 * The string table of a block: texts by number, decoded when they are needed, and which numbers are
 * keys that a caller wants, found out once per block.
 */
import { grown } from "#kit/growing.ts";
import { damaged, lengthTag, type Wire } from "#kit/wire.ts";
import type { OsmTags } from "../base/base-features.ts";
import type { KeyMatcher } from "../base/base-keys.ts";

const STRING = lengthTag(1);
/** Bound of the open map itself for keys, values and roles. */
const MOST_CHARACTERS = 255;
const MOST_BYTES = MOST_CHARACTERS * 4;
/** Far beyond what an object has; names of countries make up a thousand. */
const MOST_TAGS = 5_000;
const UNKNOWN = -1;

export class StringTable {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  private bytes = new Uint8Array(0);
  private starts = new Uint32Array(1024);
  private ends = new Uint32Array(1024);
  private count = 0;
  private texts: (string | undefined)[] = [];
  /** By number of the string; for `matcher`. */
  private masks = new Int32Array(1024);
  private matcher: KeyMatcher | null = null;

  /** Begins a block; `wire` covers the message of its string table. */
  read(wire: Wire): void {
    this.bytes = wire.bytes as Uint8Array<ArrayBuffer>;
    this.count = 0;
    this.texts = [];
    this.matcher = null;
    for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
      if (tag !== STRING) {
        wire.skip(tag);
        continue;
      }
      const end = wire.span();
      if (this.count === this.starts.length) this.grow();
      this.starts[this.count] = wire.at;
      this.ends[this.count++] = end;
      wire.at = end;
    }
  }

  /** Text of a number, cut at 255 characters. */
  text(index: number): string {
    const entry = this.texts[index];
    if (entry !== undefined) return entry;
    if (!(index < this.count)) throw damaged(`text ${index} of ${this.count}`);
    const start = this.starts[index]!;
    const end = Math.min(this.ends[index]!, start + MOST_BYTES);
    const text = cut(this.decoder.decode(this.bytes.subarray(start, end)));
    this.texts[index] = text;
    return text;
  }

  /** What the matcher says of a key. */
  maskOf(index: number, matcher: KeyMatcher): number {
    if (this.matcher !== matcher) {
      if (this.masks.length < this.count) this.masks = new Int32Array(this.starts.length);
      this.masks.fill(UNKNOWN, 0, this.count);
      this.matcher = matcher;
    }
    const entry = index < this.count ? this.masks[index]! : UNKNOWN;
    if (entry !== UNKNOWN) return entry;
    return (this.masks[index] = matcher(this.text(index)));
  }

  /** Tags whose keys and values are at `key`, `key + step`, … of `keys` and of `values`. */
  tags(
    keys: Uint32Array,
    values: Uint32Array,
    { from, to, step }: { from: number; to: number; step: number },
  ): OsmTags {
    const tags = new Map<string, string>();
    const most = Math.min(to, from + MOST_TAGS * step);
    const shift = step - 1;
    for (let i = from; i < most; i += step)
      tags.set(this.text(keys[i]!), this.text(values[i + shift]!));
    return tags;
  }

  private grow(): void {
    this.starts = grown(this.starts, this.starts.length * 2);
    this.ends = grown(this.ends, this.ends.length * 2);
  }
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const characters = Array.from(text);
  return characters.length <= MOST_CHARACTERS
    ? text
    : characters.slice(0, MOST_CHARACTERS).join("");
}
