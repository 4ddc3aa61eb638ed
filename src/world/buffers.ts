/**
 * Output buffers, reused. A fresh 100 KB buffer an answer is what garbage collection would spend
 * its time on (docs/performance.md); a buffer goes back once its bytes have left.
 */
const SIZE = 256 * 1024;
/** Bytes left free at the start, so that whoever sends an answer can put its head before it. */
export const HEADROOM = 1024;
/** Replies of keys wait for their commit, some hundred at a time; what was never written takes no memory. */
const KEEP = 512;

const free: Buffer[] = [];

export function takeBuffer(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(SIZE);
}

export function giveBuffer(buffer: Buffer): void {
  if (buffer.length === SIZE && free.length < KEEP) free.push(buffer);
}

/** A buffer with room for `more` bytes after `used`, holding what the given one held. */
export function ensureRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (buffer.length - used >= more) return buffer;
  const bigger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, used + more));
  buffer.copy(bigger, 0, 0, used);
  giveBuffer(buffer);
  return bigger;
}
