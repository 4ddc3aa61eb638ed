/** Whole numbers from zero up, seven bits a byte, the lowest first (LEB128). */

export function putNumber(value: number, put: (byte: number) => void): void {
  let rest = value;
  while (rest >= 0x80) {
    put((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  put(rest);
}

export function takeNumber(take: () => number): number {
  let [value, unit] = [0, 1];
  for (;;) {
    const byte = take();
    value += (byte & 0x7f) * unit;
    if (byte < 0x80) return value;
    unit *= 0x80;
  }
}
