/** What makes the collector see memory that it does not count. */

/**
 * Memory that is never written, and so takes none: the runtime does not count shared memory, and would
 * collect nothing that keeps some before many gigabytes of it have gone. What keeps shared memory keeps
 * this as well, for as long.
 */
export function weigh(bytes: number): ArrayBuffer {
  // What could grow is mapped, and not of memory that was used before, which would be filled with zeros.
  return new ArrayBuffer(bytes, { maxByteLength: bytes });
}
