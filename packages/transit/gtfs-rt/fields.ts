/** Values of a message's fields as they are meant, or null; texts and ids are cleaned and bounded. */
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toText, toTime_s } from "#kit/coerce.ts";
import type { Wire } from "#kit/wire.ts";

/** What is left of a message's bounds, and where its faults are noted. */
export type FieldReading = {
  trail: TrailRecorder;
  /** The entity that is read. */
  entity_id: string;
  /** Parts of entities that may still be read: updates of stops, selectors, periods, translations. */
  parts: number;
};

/** Bytes of an id, and of a text before it is cut: cleaning looks at no more. */
const MOST_ID_BYTES = 2_048;
const MOST_TEXT_BYTES = 65_536;
const MS_FROM = 1e11;
const TIME = /^(\d{1,3}):(\d\d):(\d\d)$/;
const MOST_HOURS = 240;

const decoder = new TextDecoder();

/** Runs `read` over the message that the field holds. */
export function inside<T>(wire: Wire, read: (wire: Wire) => T): T {
  const end = wire.span();
  const outer = wire.end;
  wire.end = end;
  const value = read(wire);
  wire.end = outer;
  wire.at = end;
  return value;
}

/** Whether one more part of an entity may be read; otherwise it is noted. */
export function takePart(reading: FieldReading): boolean {
  if (reading.parts === 0) {
    reading.trail.drop("too_many_parts", reading.entity_id);
    return false;
  }
  reading.parts--;
  return true;
}

export function readIdField(wire: Wire): string | null {
  const bytes = wire.view();
  return bytes.length > MOST_ID_BYTES ? null : toId(decode(bytes));
}

/** Invalid UTF-8 is replaced, as decoders do. */
export function readTextField(wire: Wire): string | null {
  const bytes = wire.view();
  return toText(
    decode(bytes.length > MOST_TEXT_BYTES ? bytes.subarray(0, MOST_TEXT_BYTES) : bytes),
  );
}

/** Most texts are ids of a few letters, which are made faster without a decoder. */
function decode(bytes: Uint8Array): string {
  if (bytes.length > 24) return decoder.decode(bytes);
  let text = "";
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i]! > 0x7f) return decoder.decode(bytes);
    text += String.fromCharCode(bytes[i]!);
  }
  return text;
}

/** int32: also where a writer left out the upper half of a negative number. */
export function readInt32(wire: Wire): number {
  return wire.signed() | 0;
}

/** uint32. */
export function readUint32(wire: Wire): number {
  return wire.varint() >>> 0;
}

/** Value of an enumeration; null for a number that the list does not have. */
export function readEnum<T>(wire: Wire, values: readonly T[]): T | null {
  return values[readInt32(wire)] ?? null;
}

/** Epoch s; null for 0 and for a time that no feed can mean. Milliseconds are understood. */
export function readTimeField_s(wire: Wire, reading: FieldReading): number | null {
  const value = wire.signed();
  const time_s = toTime_s(value);
  if (time_s === null) reading.trail.drop("unusable_time", reading.entity_id);
  else if (value > MS_FROM) reading.trail.repair("time_in_milliseconds", reading.entity_id);
  return time_s;
}

/** H:MM:SS as seconds, 24 hours and more allowed; null for anything else. */
export function secondsOfField(text: string): number | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hours, minutes, seconds] = match.slice(1).map(Number) as [number, number, number];
  if (hours > MOST_HOURS || minutes > 59 || seconds > 59) return null;
  return (hours * 60 + minutes) * 60 + seconds;
}

/** Thrown within an entity, which is then left out for this reason. */
export class Unusable extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** A start that is stated and cannot be read leaves open which run is meant. */
export function readStart(wire: Wire, parse: (text: string) => number | null): number | null {
  const text = readIdField(wire);
  if (text === null) return null;
  const value = parse(text);
  if (value === null) throw new Unusable("unreadable_start");
  return value;
}
