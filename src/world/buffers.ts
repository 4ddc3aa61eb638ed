/**
 * The buffer that answers are rendered into. A fresh one of 100 KB for each answer is what garbage
 * collection would spend its time on (docs/performance.md), so the last one is used again. Only
 * `world/render.ts` takes and returns it: whoever sends or reads an answer sees its bytes for the
 * length of one synchronous call.
 */
const SIZE = 256 * 1024;
/** Bytes left free at the start, so that the sender of an answer can put its head before it. */
export const HEADROOM = 1024;

let spare: Buffer | null = null;

export function takeBuffer(): Buffer {
  const buffer = spare ?? Buffer.allocUnsafeSlow(SIZE);
  spare = null;
  return buffer;
}

/** Nothing may read or write the buffer any more. */
export function returnBuffer(buffer: Buffer): void {
  if (buffer.length === SIZE) spare = buffer;
}

/** A buffer with room for `more` bytes after `used`, holding what the given one held. */
export function ensureRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (buffer.length - used >= more) return buffer;
  const bigger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, used + more));
  buffer.copy(bigger, 0, 0, used);
  returnBuffer(buffer);
  return bigger;
}
