/** Server-sent events: the same whatever the pieces they come in, as a reader of the whole text has them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tries } from "../../../test/support/size.ts";
import { EventParser, type ServerSentEvent } from "../client/event-parser.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(pieces: readonly Uint8Array[], most?: number) {
  const parser = new EventParser(most);
  return { events: pieces.flatMap((piece) => parser.push(piece)), parser };
}

/** The algorithm of the standard over the whole text, one step after the other. */
function readWhole(bytes: Uint8Array): ServerSentEvent[] {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
  lines.pop();
  const events: ServerSentEvent[] = [];
  let [data, type, id] = ["", "", ""];
  for (const line of lines) {
    if (line === "") {
      if (data !== "") events.push({ type: type || "message", data: data.slice(0, -1), id });
      [data, type] = ["", ""];
      continue;
    }
    if (line.startsWith(":")) continue;
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === "data") data += `${value}\n`;
    if (name === "event") type = value;
    if (name === "id" && !value.includes("\0")) id = value;
  }
  return events;
}

/** Cuts bytes at these places, wherever a letter begins or ends. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((each) => each % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end));
}

const PARTS = [
  ...[
    "data",
    "event",
    "id",
    "retry",
    "x",
    ":",
    ": ",
    "\r",
    "\n",
    "\r\n",
    "\n\n",
    "data:",
    "data: ",
  ],
  ...["id: 7", "id: \0", "é", "東", "😀", "\uFEFF", " ", "\u0085", "\u2028", "event: snapshot\n"],
  ...["\ndata:", "\rdata: a\r", "\r\ndata\r\n\r\n", "\n\r", "\ndata: b\n\n", "\rid: 8\rdata:\r\r"],
];

test("whatever is sent and however it is cut, the events are those of the whole", () => {
  const texts = fc.array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PARTS) }, fc.string()),
    {
      maxLength: 40,
      size: "max",
    },
  );
  const places = fc.array(fc.nat(400), { maxLength: 30 });
  let seen = 0;
  fc.assert(
    fc.property(texts, places, (parts, at) => {
      const bytes = encode(parts.join(""));
      const expected = readWhole(bytes);
      seen += expected.length;
      assert.deepEqual(read(cut(bytes, at)).events, expected);
      const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
      assert.deepEqual(read(single).events, expected);
    }),
    { numRuns: tries(1_200) },
  );
  assert.ok(seen > 100, `${seen} events`);
});

test("bytes that are no text, and cut ones, are read as the whole is", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(200)), (noise, at) => {
      const bytes = new Uint8Array([...encode("data: a"), ...noise, ...encode("\n\ndata:b\r\r")]);
      assert.deepEqual(read(cut(bytes, at)).events, readWhole(bytes));
    }),
  );
});

test("the stream of the description: retry, names, ids, comments", () => {
  const text =
    "\uFEFFretry: 2000\n\n: alive\nevent: snapshot\nid: a.b.1\ndata: {\ndata: }\n\nevent: delta\r\rdata\n\ndata: end";
  const { events, parser } = read([encode(text)]);
  assert.equal(parser.retry_ms, 2_000);
  assert.deepEqual(events, [
    { type: "snapshot", data: "{\n}", id: "a.b.1" },
    { type: "message", data: "", id: "a.b.1" },
  ]);
  assert.equal(read([encode("retry: 2s\nretry: -1\nretry:\n\n")]).parser.retry_ms, null);
});

test("an event, or a line without an end, larger than may be ends the reading", () => {
  const line = `data: ${"x".repeat(90)}\n`;
  for (const text of [line.repeat(2), "y".repeat(101), `:${"z".repeat(200)}`]) {
    for (const pieces of [[encode(text)], Array.from(text, encode)]) {
      const { events, parser } = read([...pieces, encode("\n\ndata: 1\n\n")], 100);
      assert.deepEqual([events, parser.is_too_large], [[], true], text);
    }
  }
  const many = read([encode(`${line}\n`.repeat(1_000))], 100);
  assert.deepEqual([many.events.length, many.parser.is_too_large], [1_000, false]);
});

test("a large event in small pieces costs in proportion to its size", () => {
  const steps = (size: number): number => {
    const piece = encode("x".repeat(64));
    const parser = new EventParser();
    parser.push(encode("data: "));
    const before = process.cpuUsage();
    for (let sent = 0; sent < size; sent += piece.length) parser.push(piece);
    assert.equal(parser.push(encode("\n\n"))[0]!.data.length, size);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  steps(1 << 18);
  const [small, large] = [steps(1 << 19), steps(1 << 22)];
  // Eight times the size; sixty-four times where it grew with the square.
  assert.ok(large < Math.max(small, 2_000) * 24, `${small} µs, ${large} µs`);
});
