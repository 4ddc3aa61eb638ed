/** CSV over bytes: what a row is, where a fault is, and that chunks do not matter. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MAX_ROW_BYTES, cellBytes, createCsvScanner, readCell } from "../csv.ts";
import { sized } from "../../../test/support/size.ts";

type Read = { rows: string[][]; lines: number[]; problem: string | null };

const COLUMNS = ["a", "b", "c"];
const decode = new TextDecoder();

function scan(chunks: readonly (string | Uint8Array)[], needed: readonly string[] = ["a"]): Read {
  const rows: string[][] = [];
  const lines: number[] = [];
  const scanner = createCsvScanner({
    file: "x.txt",
    columns: COLUMNS,
    needed,
    onRow(row) {
      const cells = COLUMNS.map((_, slot) => readCell(row, slot));
      assert.deepEqual(
        COLUMNS.map((_, slot) => decode.decode(cellBytes(row, slot))),
        cells,
      );
      rows.push(cells);
      lines.push(row.line);
    },
  });
  for (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    const problem = scanner.push(bytes);
    // A reader of streams may use its buffer again.
    bytes.fill(0x21);
    if (problem !== null) return { rows, lines, problem };
  }
  return { rows, lines, problem: scanner.end() };
}

const bytesOf = (text: string): Uint8Array[] =>
  Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte));

const GOOD: readonly [what: string, text: string, rows: string[][]][] = [
  ["plain", "a,b,c\n1,2,3\n", [["1", "2", "3"]]],
  ["no last line end", "a,b,c\n1,2,3", [["1", "2", "3"]]],
  [
    "CRLF",
    "a,b,c\r\n1,2,3\r\n4,5,6\r\n",
    [
      ["1", "2", "3"],
      ["4", "5", "6"],
    ],
  ],
  [
    "CR",
    "a,b,c\r1,2,3\r4,5,6",
    [
      ["1", "2", "3"],
      ["4", "5", "6"],
    ],
  ],
  ["a byte order mark", "\ufeffa,b,c\n1,2,3", [["1", "2", "3"]]],
  ["a byte order mark before a quote", '\ufeff"a","b",c\n1,2,3', [["1", "2", "3"]]],
  [
    "blank lines",
    "\n\r\n \na,b,c\n\n1,2,3\n \t \n\r\n4,5,6\n\n",
    [
      ["1", "2", "3"],
      ["4", "5", "6"],
    ],
  ],
  ["quotes", 'a,b,c\n"1","x, y",""\n', [["1", "x, y", ""]]],
  ["doubled quotes", 'a,b,c\n"say ""hi""","""","a""""b"\n', [['say "hi"', '"', 'a""b']]],
  [
    "newlines in quotes",
    'a,b,c\n"1\n2","3\r\n4",5\n6,7,8',
    [
      ["1\n2", "3\r\n4", "5"],
      ["6", "7", "8"],
    ],
  ],
  ["a quote in a bare cell", 'a,b,c\n5" pipe,2"",3\n', [['5" pipe', '2""', "3"]]],
  [
    "short rows",
    "a,b,c\n1\n2,3\n",
    [
      ["1", "", ""],
      ["2", "3", ""],
    ],
  ],
  ["long rows", "a,b,c\n1,2,3,4,5\n", [["1", "2", "3"]]],
  ["trailing commas", "a,b,c,\n1,2,3,\n", [["1", "2", "3"]]],
  ["other columns, other order", "x,c,y,a\n9,3,9,1\n", [["1", "", "3"]]],
  ["spaces around names and cells", ' a , "b" ,\tc\n 1 ,  "2 "  , 3\t\n', [["1", "2", "3"]]],
  ["names in capitals", "A,B,C\n1,2,3\n", [["1", "2", "3"]]],
  [
    "empty cells",
    "a,b,c\n,,\n1,,3\n",
    [
      ["", "", ""],
      ["1", "", "3"],
    ],
  ],
  ["letters of the world", "a,b,c\nÉcole,東京,😀\n", [["École", "東京", "😀"]]],
  ["a header alone", "a,b,c", []],
];

for (const [what, text, rows] of GOOD)
  test(`reads ${what}`, () => {
    assert.deepEqual(scan([text]), { rows, lines: scan([text]).lines, problem: null });
    assert.deepEqual(scan(bytesOf(text)), scan([text]), "byte by byte");
  });

const BAD: readonly [what: string, text: string | Uint8Array, problem: string][] = [
  ["an open quote", 'a,b,c\n1,2,3\n\n4,"5,6\n7,8,9\n', "x.txt line 4: unterminated quote"],
  ["an open quote at the end", 'a,b,c\n1,2,"', "x.txt line 2: unterminated quote"],
  ["an open quote in the header", 'a,"b,c\n1,2,3', "x.txt line 1: unterminated quote"],
  [
    "text after a quote",
    'a,b,c\n"1\n2",3,4\n1,"2"3,4\n',
    "x.txt line 4: text after a closing quote",
  ],
  ["nothing", "", "x.txt: empty"],
  ["only blanks", "\n \r\n\ufeff".slice(0, 4), "x.txt: empty"],
  ["a missing column", "b,c\n1,2\n", "x.txt line 1: no column a"],
  ["a missing column further down", "\n\nb,c\n", "x.txt line 3: no column a"],
  ["another document", "<!doctype html>\n<p>404</p>", "x.txt line 1: no column a"],
  ["a column twice", "a,b,a\n1,2,3\n", "x.txt line 1: column a twice"],
  ["UTF-16", Buffer.from("\ufeffa,b,c\n1,2,3", "utf16le"), "x.txt line 1: UTF-16, not UTF-8"],
  ["very many columns", `a${",".repeat(5_000)}\n`, "x.txt line 1: more than 4096 columns"],
  [
    "an open quote before very much",
    `a,b,c\n1,"${"x,\n".repeat(MAX_ROW_BYTES / 2)}`,
    "x.txt line 2: unterminated quote",
  ],
];

for (const [what, text, problem] of BAD)
  test(`refuses ${what}`, () => {
    assert.equal(scan([typeof text === "string" ? text : Uint8Array.from(text)]).problem, problem);
  });

test("a row without an end is given up on, however small the chunks are", () => {
  const chunk = "x".repeat(1 << 16);
  const chunks = ["a,b,c\n1,", ...Array.from({ length: 40 }, () => chunk)];
  assert.equal(scan(chunks).problem, `x.txt line 2: a row above ${MAX_ROW_BYTES} bytes`);
});

test("bytes that are not UTF-8 become replacement characters, and nothing else", () => {
  const bytes = Buffer.concat([
    Buffer.from("a,b,c\nCaf"),
    Buffer.from([0xe9]),
    Buffer.from(",2,3"),
  ]);
  assert.deepEqual(scan([Uint8Array.from(bytes)]).rows, [["Caf\ufffd", "2", "3"]]);
});

test("rows know the line that they begin in", () => {
  const text = 'a,b,c\r\n1,"x\r\ny\rz\nw",3\r\n\r\n2,2,2\n3,3,3\r4,4,4';
  for (const chunks of [[text], bytesOf(text)]) assert.deepEqual(scan(chunks).lines, [2, 7, 8, 9]);
});

test("a problem stays", () => {
  const scanner = createCsvScanner({ file: "x.txt", columns: ["a"], needed: ["a"], onRow() {} });
  const problem = scanner.push(new TextEncoder().encode("b,c\n"));
  assert.equal(scanner.push(new TextEncoder().encode("a\n1\n")), problem);
  assert.equal(scanner.end(), problem);
});

const arbText = fc.string({
  unit: fc.constantFrom("a", "b", ",", ",", '"', '"', "\n", "\r", " ", "é", "\ufeff", "1", "😀"),
  maxLength: 60,
});

test("chunks change nothing: neither rows, nor lines, nor problems", () => {
  fc.assert(
    fc.property(arbText, fc.array(fc.nat(80), { maxLength: 12 }), (text, cuts) => {
      const bytes = new TextEncoder().encode(`a,b,c\n${text}`);
      const places = cuts.filter((cut) => cut < bytes.length).sort((x, y) => x - y);
      const chunks = [...places, bytes.length].map((to, i) =>
        bytes.slice(i === 0 ? 0 : places[i - 1], to),
      );
      assert.deepEqual(scan(chunks), scan([bytes.slice()]));
    }),
    { numRuns: sized(600, 3_000) },
  );
});

test("text written by the rules is read as it was written", () => {
  const arbCell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r\n", "é", "x y") });
  const arbRow = fc.tuple(arbCell, arbCell, arbCell);
  fc.assert(
    fc.property(
      fc.array(arbRow, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.boolean(),
      (rows, end, always) => {
        const written = rows.map((row) =>
          row.map((cell) =>
            always || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
          ),
        );
        // A row of nothing at all is a blank line.
        const text = ["a,b,c", ...written.map((row) => row.join(","))].join(end);
        const read = scan([text]);
        assert.equal(read.problem, null);
        assert.deepEqual(read.rows, rows);
      },
    ),
    { numRuns: sized(150, 500) },
  );
});
