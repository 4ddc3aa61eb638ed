/** Pages that one feature goes to, each with the bits of the sections that are to have it there. */
export class Targets {
  count = 0;
  readonly pages: Int32Array;
  readonly #bits: Uint32Array;

  constructor(pages: number) {
    this.pages = new Int32Array(pages);
    this.#bits = new Uint32Array(pages);
  }

  add(page: number, bits: number): void {
    if (bits === 0) return;
    if (this.#bits[page] === 0) this.pages[this.count++] = page;
    this.#bits[page]! |= bits;
  }

  bitsOf(page: number): number {
    return this.#bits[page]!;
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.#bits[this.pages[i]!] = 0;
    this.count = 0;
  }
}
