/**
 * The memory of one renderer: a buffer that is written over by answer after answer, since a fresh one
 * of 100 KB each would keep the garbage collector busy (docs/lab/performance.md).
 */
const SIZE = 256 * 1024;

export class BufferPool {
  #spare: Buffer | null = null;

  /** A buffer that nothing else reads or writes. */
  acquire(): Buffer {
    const buffer = this.#spare ?? Buffer.allocUnsafeSlow(SIZE);
    this.#spare = null;
    return buffer;
  }

  /** Keeps the buffer for the next answer: nothing may read or write it any more. */
  release(buffer: Buffer): void {
    if (buffer.length === SIZE) this.#spare = buffer;
  }

  /** A buffer with room for `more` bytes after `used`, holding what the given one, now released, held. */
  ensureRoom(buffer: Buffer, used: number, more: number): Buffer {
    if (buffer.length - used >= more) return buffer;
    const bigger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, used + more));
    buffer.copy(bigger, 0, 0, used);
    this.release(buffer);
    return bigger;
  }
}
