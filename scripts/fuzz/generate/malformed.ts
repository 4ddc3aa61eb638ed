/** Bytes that are no HTTP/1.1 request, and good requests with a few bytes changed. */
import type { Dice } from "../../../trials/dice.ts";
import { type FuzzRequest, toWire } from "../request.ts";

export type Malformed = {
  bytes: Buffer;
  label: string;
  /** Statuses that may answer; hanging up without an answer is always allowed. */
  statuses: readonly number[];
};

const HOST = "Host: fuzz.example\r\n";
const BAD: Readonly<Record<string, readonly string[]>> = {
  "request line": [
    `GET /heal th HTTP/1.1\r\n${HOST}\r\n`,
    `GET health HTTP/1.1\r\n${HOST}\r\n`,
    `GET /v1/nearby?lat=1&lon=2 \r\n${HOST}\r\n`,
    `get /health HTTP/1.1\r\n${HOST}\r\n`,
    `GE\0T /health HTTP/1.1\r\n${HOST}\r\n`,
    `GET /heal\0th HTTP/1.1\r\n${HOST}\r\n`,
    `GET /v1/nearby?lat=1\x01&lon=2 HTTP/1.1\r\n${HOST}\r\n`,
    `GET /v1/nearby?l\xe4t=1 HTTP/1.1\r\n${HOST}\r\n`,
    `GET /\xff HTTP/1.1\r\n${HOST}\r\n`,
    `FROBNICATE /health HTTP/1.1\r\n${HOST}\r\n`,
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    `/health\r\n\r\n`,
  ],
  version: [
    `GET /health HTTP/9.9\r\n${HOST}\r\n`,
    `GET /health HTTP/1\r\n${HOST}\r\n`,
    `GET /health HTTPS/1.1\r\n${HOST}\r\n`,
    `GET /health HTTP/1.1x\r\n${HOST}\r\n`,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ],
  header: [
    `GET /health HTTP/1.1\r\n${HOST}x y: 1\r\n\r\n`,
    `GET /health HTTP/1.1\r\n${HOST}x : 1\r\n\r\n`,
    `GET /health HTTP/1.1\r\n${HOST}: 1\r\n\r\n`,
    `GET /health HTTP/1.1\r\n${HOST}x: a\0b\r\n\r\n`,
    `GET /health HTTP/1.1\r\n${HOST}x: a\x01b\r\n\r\n`,
    `GET /health HTTP/1.1\r\n${HOST}nocolon\r\n\r\n`,
    `GET /health HTTP/1.1\r\n${HOST}x: a\r y\r\n\r\n`,
    `GET /health HTTP/1.1\r\n x: folded\r\n${HOST}\r\n`,
  ],
  smuggling: [
    `POST /health HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`,
    `POST /health HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
    `POST /health HTTP/1.1\r\n${HOST}Content-Length: +4\r\n\r\nabcd`,
    `POST /health HTTP/1.1\r\n${HOST}Content-Length: 0x4\r\n\r\nabcd`,
    `POST /health HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`,
    `POST /health HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  ],
};
/** What Node's parser lets through, as RFC 9112 (3) allows: more blanks, and HTTP/0.9. */
const LENIENT: readonly string[] = [
  `GET  /health HTTP/1.1\r\n${HOST}\r\n`,
  `GET /health\r\n${HOST}\r\n`,
];
/** The answer to the head may come before the body turns out to be broken. */
const BROKEN_BODY: readonly string[] = [
  `POST /health HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  `POST /health HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nabc`,
  `POST /health HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`,
];

export const MALFORMED_LABELS: readonly string[] = [
  ...Object.keys(BAD).map((kind) => `malformed: ${kind}`),
  ...["malformed: body", "malformed: headers too large", "malformed: cut off"],
];

export function makeMalformed(dice: Dice, base: FuzzRequest): Malformed {
  const roll = dice.next();
  if (roll < 0.45) return mutated(dice, toWire(base));
  if (roll < 0.5) return tooLarge(dice);
  if (roll < 0.55) return cutOff(dice, base);
  if (roll < 0.6) return toMalformed(dice.pick(BROKEN_BODY), "body", [400, 405]);
  if (roll < 0.61) return toMalformed(dice.pick(LENIENT), "request line", [200, 400]);
  const kind = dice.pick(Object.keys(BAD));
  return toMalformed(dice.pick(BAD[kind]!), kind, [400]);
}

function toMalformed(text: string, kind: string, statuses: readonly number[]): Malformed {
  return { bytes: Buffer.from(text, "latin1"), label: `malformed: ${kind}`, statuses };
}

function tooLarge(dice: Dice): Malformed {
  const many = Array.from({ length: 400 }, (_, n) => `x-h${n}: ${"v".repeat(60)}\r\n`).join("");
  const one = `x-big: ${"v".repeat(dice.integer(17_000, 40_000))}\r\n`;
  const text = `GET /health HTTP/1.1\r\n${HOST}${dice.chance(0.5) ? many : one}\r\n`;
  return toMalformed(text, "headers too large", [431]);
}

/** A good request that ends in the middle of its head. */
function cutOff(dice: Dice, base: FuzzRequest): Malformed {
  const bytes = toWire({ ...base, body: "" });
  const end = dice.integer(1, bytes.length - 3);
  return { bytes: bytes.subarray(0, end), label: "malformed: cut off", statuses: [400, 414] };
}

/** Anything documented may come back, except a defect. */
const ANY: readonly number[] = [200, 204, 304, 400, 401, 403, 404, 405, 414, 431];

function mutated(dice: Dice, wire: Buffer): Malformed {
  let bytes = Buffer.from(wire);
  for (let n = dice.integer(1, 4); n > 0; n--) {
    const at = dice.integer(0, bytes.length - 1);
    const byte = Buffer.from([
      dice.chance(0.3) ? dice.pick([0, 10, 13, 32, 37, 58, 255]) : dice.integer(0, 255),
    ]);
    const keep = dice.integer(0, 2);
    bytes = Buffer.concat([
      bytes.subarray(0, at),
      keep === 1 ? Buffer.alloc(0) : byte,
      bytes.subarray(at + (keep === 2 ? 0 : 1)),
    ]);
  }
  return { bytes, label: "mutated", statuses: ANY };
}
