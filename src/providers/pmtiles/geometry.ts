/**
 * Commands of a shape as a tile of others has them: read before they are passed on, since a browser
 * makes room for as many points as are announced.
 */
import { damaged } from "#kit/wire.ts";

const MOVE = 1;
const LINE = 2;
const CLOSE = 7;
/** A number has at most five bytes of seven bits. */
const MOST_BYTES = 5;

/** A `problem` where the commands are not whole, or others than a shape has. */
export function checkGeometry(bytes: Uint8Array): void {
  let at = 0;
  const number = (): number => {
    let [value, scale] = [0, 1];
    for (let count = 0; count < MOST_BYTES; count++) {
      const byte = bytes[at++];
      if (byte === undefined) throw damaged("a shape that is cut off");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw damaged("a number that is too large");
  };
  while (at < bytes.length) {
    const command = number();
    const [id, count] = [command % 8, Math.floor(command / 8)];
    if (id === CLOSE ? count === 1 : id === MOVE || id === LINE) {
      const numbers = id === CLOSE ? 0 : 2 * count;
      // Each has at least one byte.
      if (numbers > bytes.length - at) throw damaged("a shape of more points than it has");
      for (let n = 0; n < numbers; n++) number();
    } else throw damaged("a shape of other commands");
  }
}
