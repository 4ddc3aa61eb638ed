/** Bytes that are no HTTP/1.1 request, and good requests with a few bytes changed. */
import type { Dice } from "../dice.ts";
import { findCommonProblem } from "./laws/headers.ts";
import type { Schemas } from "./laws/schemas.ts";
import type { ApiRequest } from "./requests.ts";
import { readJson, readText, type Reply, toWire } from "./wire.ts";

export type Malformed = {
  bytes: Buffer;
  label: string;
  /** Statuses that may answer; hanging up without an answer is always allowed. */
  statuses: readonly number[];
};

const HOST = "Host: trial.example\r\n";
const POST = `POST /health HTTP/1.1\r\n${HOST}`;
const GET = `GET /health HTTP/1.1\r\n${HOST}`;
const BAD: Readonly<Record<string, readonly string[]>> = {
  "request line": [
    ...[`GET /heal th HTTP/1.1\r\n${HOST}\r\n`, `GET health HTTP/1.1\r\n${HOST}\r\n`],
    ...[`get /health HTTP/1.1\r\n${HOST}\r\n`, `GE\0T /health HTTP/1.1\r\n${HOST}\r\n`],
    ...[
      `GET /heal\0th HTTP/1.1\r\n${HOST}\r\n`,
      `GET /v1/nearby?lat=1\x01 HTTP/1.1\r\n${HOST}\r\n`,
    ],
    ...[`GET /v1/nearby?l\xe4t=1 HTTP/1.1\r\n${HOST}\r\n`, `GET /\xff HTTP/1.1\r\n${HOST}\r\n`],
    ...[`FROBNICATE /health HTTP/1.1\r\n${HOST}\r\n`, "/health\r\n\r\n"],
    ...[
      `GET /v1/nearby?lat=1&lon=2 \r\n${HOST}\r\n`,
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
  ],
  version: [
    ...[`GET /health HTTP/9.9\r\n${HOST}\r\n`, `GET /health HTTP/1\r\n${HOST}\r\n`],
    ...[`GET /health HTTPS/1.1\r\n${HOST}\r\n`, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ],
  header: [
    ...[
      `${GET}x y: 1\r\n\r\n`,
      `${GET}x : 1\r\n\r\n`,
      `${GET}: 1\r\n\r\n`,
      `${GET}x: a\0b\r\n\r\n`,
    ],
    ...[`${GET}x: a\x01b\r\n\r\n`, `${GET}nocolon\r\n\r\n`, `${GET}x: a\r y\r\n\r\n`],
    ...[`GET /health HTTP/1.1\r\n x: folded\r\n${HOST}\r\n`, "GET /health HTTP/1.1\r\n\r\n"],
  ],
  smuggling: [
    `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`,
    `${POST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
    ...["+4\r\n\r\nabcd", "0x4\r\n\r\nabcd", "-1\r\n\r\n"].map(
      (at) => `${POST}Content-Length: ${at}`,
    ),
    `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  ],
};
/** The answer to the head may come before the body turns out to be broken. */
const BROKEN_BODY: readonly string[] = [
  `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  `${POST}Content-Length: 10\r\n\r\nabc`,
  `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`,
];

export const MALFORMED: readonly string[] = [
  ...Object.keys(BAD),
  ...["body", "headers too large", "cut off", "changed", "absolute target", "HTTP/1.0"],
];

export function makeMalformed(base: ApiRequest, dice: Dice): Malformed {
  const label = dice.pick([...MALFORMED, "changed", "changed", "changed"]);
  const of = (text: string, ...statuses: number[]): Malformed => ({
    bytes: Buffer.from(text, "latin1"),
    label,
    statuses,
  });
  switch (label) {
    case "changed":
      return { ...change(toWire({ ...base, body: null }), dice), label };
    case "body":
      return of(dice.pick(BROKEN_BODY), 400, 405);
    case "headers too large": {
      const many = Array.from({ length: 400 }, (_, n) => `x-h${n}: ${"v".repeat(60)}\r\n`).join("");
      return of(`${GET}${dice.pick([many, `x-big: ${"v".repeat(17_000)}\r\n`])}\r\n`, 431);
    }
    case "cut off": {
      const bytes = toWire({ ...base, body: null });
      return {
        bytes: bytes.subarray(0, dice.integer(1, bytes.length - 3)),
        label,
        statuses: [400, 414],
      };
    }
    case "absolute target":
      return of(
        GET.replace(" /", ` ${dice.pick(["http://example.org", "HTTP://[::1]:1"])}/`) + "\r\n",
        200,
      );
    case "HTTP/1.0":
      return of("GET /health HTTP/1.0\r\n\r\n", 200);
    default:
      return of(dice.pick(BAD[label]!), 400);
  }
}

/** Anything documented may come back, except a defect. */
const ANY: readonly number[] = [200, 204, 304, 400, 401, 403, 404, 405, 406, 410, 414, 415, 431];

function change(wire: Buffer, dice: Dice): Pick<Malformed, "bytes" | "statuses"> {
  let bytes = Buffer.from(wire);
  for (let n = dice.integer(1, 4); n > 0; n--) {
    const at = dice.integer(0, bytes.length - 1);
    const byte = dice.chance(0.3) ? dice.pick([0, 10, 13, 32, 37, 58, 255]) : dice.integer(0, 255);
    const stored = dice.integer(0, 2);
    bytes = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from([byte]),
      bytes.subarray(at + stored),
    ]);
  }
  return { bytes, statuses: ANY };
}

/** Refused or hung up on, never a defect, and every byte belongs to a reply. */
export function findMalformedProblem(
  schemas: Schemas,
  replies: readonly Reply[],
  { statuses }: Malformed,
): string | null {
  for (const reply of replies) {
    const { status } = reply;
    if (status === 100) continue;
    if (!statuses.includes(status)) return `answered ${status}, expected ${statuses.join(" or ")}`;
    const problem = findCommonProblem(reply);
    if (problem !== null) return problem;
    if (status < 400 || reply.body.length === 0) continue;
    const body = readJson(readText(reply) ?? "") as { jsonrpc?: string } | undefined;
    // Of /mcp.
    if (body?.jsonrpc === "2.0") continue;
    const broken = schemas.componentProblem("Error", body);
    if (broken !== null) return broken;
  }
  return null;
}
