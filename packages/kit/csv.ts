/**
 * CSV over bytes, chunk by chunk (RFC 4180 as publishers write it; mobility.md 3.3): quotes,
 * newlines in quotes, LF, CRLF or CR, a byte order mark, blank lines, rows longer or shorter than
 * the header, spaces around cells. A row is bounds in a buffer, of the wanted columns only; nothing
 * becomes a string unless it is asked for.
 */

/** Good until the callback returns: the buffer is used again. */
export type CsvRow = {
  bytes: Uint8Array;
  /** Where the row begins, from 1. */
  line: number;
  /** Per wanted column; equal bounds are an empty cell or a column that is not there. */
  starts: Int32Array;
  ends: Int32Array;
  /** 1: the cell has doubled quotes within. */
  escaped: Uint8Array;
};

export type CsvFile = {
  file: string;
  columns: readonly string[];
  /** Those of `columns` without which the file says nothing. */
  needed: readonly string[];
  /** More rows than these are a fault of the file; undefined: as many as there are. */
  max_rows?: number;
  /** Byte between cells; undefined: a comma. */
  separator?: number;
  onRow(row: CsvRow): void;
  /**
   * Takes the number of a line whose quotes are broken; the file is read on behind it, up to
   * MAX_BROKEN of them. Undefined: such a row is a fault of the file.
   */
  onBroken?(line: number): void;
};

/** Scanner of a file: each method returns what is wrong with it, in one line with its place, or null. */
export type CsvScanner = {
  push(chunk: Uint8Array): string | null;
  end(): string | null;
  /** Takes the whole file instead of chunks: bounds of its rows are those in `bytes`. */
  whole(bytes: Uint8Array): string | null;
};

/** Bound of a row, and of memory. The longest real rows are descriptions of some kilobytes. */
export const MAX_ROW_BYTES: number = 1 << 20;
const MAX_COLUMNS = 4_096;
/** Each may have been read as far as a row is long. */
const MAX_BROKEN = 1_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const BOM = [0xef, 0xbb, 0xbf] as const;

const INCOMPLETE = -1;
const BROKEN = -2;

/** What one pass over a row leaves behind, in addition to the row itself. */
type Scan = CsvRow & {
  /** Column of the file → wanted column, or -1. */
  slotOf: Int32Array;
  cells: number;
  /** Columns of the longest row so far: cells behind those of a shorter one are emptied. */
  most_cells: number;
  /** Some cell has doubled quotes. */
  any_escaped: boolean;
  /** Nothing but spaces. */
  blank: boolean;
  /** Line ends within quotes. */
  newlines: number;
  open_quote: boolean;
  /** The row ended in CR: a LF that follows belongs to it. */
  after_cr: boolean;
  separator: number;
};

const decoder = new TextDecoder();

type State = {
  wanted: CsvFile;
  scan: Scan;
  /** The beginning of a row whose end has not come yet, at the front of a buffer that is kept. */
  carried: number;
  buffer: Uint8Array;
  line: number;
  rows: number;
  broken: number;
  begun: boolean;
  headed: boolean;
  problem: string | null;
};

export function createCsvScanner(wanted: CsvFile): CsvScanner {
  const state: State = {
    wanted,
    scan: toScan(
      Int32Array.from({ length: MAX_COLUMNS }, (_, column) => column),
      wanted.separator,
    ),
    buffer: NOTHING,
    carried: 0,
    line: 1,
    rows: 0,
    broken: 0,
    begun: false,
    headed: false,
    problem: null,
  };
  return {
    push: (chunk) => (state.problem ??= take(state, chunk, false)),
    end: () => (state.problem ??= take(state, NOTHING, true) ?? atEnd(state)),
    whole: (bytes) => (state.problem ??= take(state, bytes, true) ?? atEnd(state)),
  };
}

const NOTHING = new Uint8Array(0);

function take(state: State, chunk: Uint8Array, final: boolean): string | null {
  const bytes = state.carried === 0 ? chunk : appended(state, chunk);
  if (state.begun) return scanAll(state, bytes, { from: 0, final });
  if (bytes.length < BOM.length && !final) {
    carry(state, bytes, 0);
    return null;
  }
  state.begun = true;
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return problemAt(state, "UTF-16, not UTF-8");
  const from = BOM.every((byte, i) => bytes[i] === byte) ? BOM.length : 0;
  return scanAll(state, bytes, { from, final });
}

/** What was carried over, and the chunk after it. */
function appended(state: State, chunk: Uint8Array): Uint8Array {
  const length = state.carried + chunk.length;
  makeRoom(state, length);
  state.buffer.set(chunk, state.carried);
  return state.buffer.subarray(0, length);
}

/** Keeps the rest, since the chunk is not ours; it may lie in the buffer already. */
function carry(state: State, bytes: Uint8Array, from: number): void {
  state.carried = bytes.length - from;
  if (bytes.buffer === state.buffer.buffer) state.buffer.copyWithin(0, from, bytes.length);
  else {
    makeRoom(state, state.carried);
    state.buffer.set(bytes.subarray(from));
  }
}

function makeRoom(state: State, length: number): void {
  if (length <= state.buffer.length) return;
  const larger = new Uint8Array(Math.max(length, state.buffer.length * 2));
  larger.set(state.buffer.subarray(0, state.carried));
  state.buffer = larger;
}

/** As many rows as are whole; what is left of the last one is carried over. */
function scanAll(
  state: State,
  bytes: Uint8Array,
  { from, final }: { from: number; final: boolean },
): string | null {
  let { scan } = state;
  const { max_rows = Infinity } = state.wanted;
  let at = from;
  scan.bytes = bytes;
  while (at < bytes.length) {
    if (scan.after_cr && bytes[at] === LF) at++;
    scan.after_cr = false;
    if (at === bytes.length) break;
    const next = scanRow(scan, at, final);
    if (isBroken(scan, { next, final, rest: bytes.length - at }) && mayPass(state)) {
      const end = endOfLine(bytes, at);
      if (end > bytes.length && !final) break;
      state.wanted.onBroken?.(state.line++);
      at = Math.min(end, bytes.length);
      continue;
    }
    if (next === BROKEN) return problemAt(state, "text after a closing quote");
    if (next === INCOMPLETE) break;
    scan.line = state.line;
    // Blank lines take time as well, and none of the space of a row.
    if ((state.headed || scan.blank) && ++state.rows > max_rows)
      return problemAt(state, `more than ${max_rows} rows`);
    if (!scan.blank && state.headed) state.wanted.onRow(scan);
    else if (!scan.blank) {
      const wrong = readHeader(state);
      if (wrong !== null) return problemAt(state, wrong);
      const { newlines, after_cr } = scan;
      scan = Object.assign(state.scan, { bytes, newlines, after_cr });
    }
    state.line += 1 + scan.newlines;
    at = next;
  }
  carry(state, bytes, at);
  if (state.carried <= MAX_ROW_BYTES) return null;
  return problemAt(state, scan.open_quote ? UNTERMINATED : TOO_LONG);
}

type Ending = { next: number; final: boolean; rest: number };

/** Text behind a closing quote, or a quote that nothing closes within the bounds of a row. */
function isBroken({ open_quote }: Scan, { next, final, rest }: Ending): boolean {
  return next === BROKEN || (next === INCOMPLETE && open_quote && (final || rest > MAX_ROW_BYTES));
}

function mayPass(state: State): boolean {
  return state.wanted.onBroken !== undefined && state.headed && ++state.broken <= MAX_BROKEN;
}

/** Where the next line begins; beyond the bytes where none does. */
function endOfLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LF, from);
  return end === -1 ? bytes.length + 1 : end + 1;
}

function readHeader(state: State): string | null {
  const { scan, wanted } = state;
  if (scan.cells > MAX_COLUMNS) return `more than ${MAX_COLUMNS} columns`;
  const names = Array.from({ length: scan.cells }, (_, i) => readCell(scan, i).toLowerCase());
  const slotOf = findColumns(names, wanted);
  if (typeof slotOf === "string") return slotOf;
  state.scan = toScan(slotOf, wanted.separator, wanted.columns.length);
  state.headed = true;
  return null;
}

function atEnd(state: State): string | null {
  if (state.carried > 0) return problemAt(state, UNTERMINATED);
  return state.headed ? null : `${state.wanted.file}: empty`;
}

function problemAt(state: State, what: string): string {
  return `${state.wanted.file} line ${state.line}: ${what}`;
}

const UNTERMINATED = "unterminated quote";
const TOO_LONG = `a row above ${MAX_ROW_BYTES} bytes`;

/** Where the next row begins, INCOMPLETE, or BROKEN. The hot loop of the import. */
function scanRow(scan: Scan, from: number, final: boolean): number {
  const { bytes, starts, ends, escaped, slotOf, separator } = scan;
  const end = bytes.length;
  const highest = Math.max(separator, CR);
  if (scan.any_escaped) escaped.fill(0);
  scan.any_escaped = false;
  scan.newlines = 0;
  scan.open_quote = false;
  let at = from;
  for (let column = 0; ; column++) {
    const slot = column < slotOf.length ? slotOf[column]! : -1;
    while (at < end && isSpace(bytes[at]!)) at++;
    let start = at;
    let stop: number;
    const quoted = at < end && bytes[at] === QUOTE;
    if (quoted) {
      start++;
      stop = closingQuote(scan, start, slot);
      if (stop === INCOMPLETE) return INCOMPLETE;
      at = stop + 1;
      while (at < end && isSpace(bytes[at]!)) at++;
      if (at < end && !endsCell(bytes[at]!, separator)) return BROKEN;
    } else {
      // Everything above the separator is part of a cell: one comparison for most bytes.
      while (at < end && (bytes[at]! > highest || !endsCell(bytes[at]!, separator))) at++;
      stop = at;
    }
    if (at === end && !final) return INCOMPLETE;
    if (slot >= 0) {
      while (stop > start && isSpace(bytes[stop - 1]!)) stop--;
      while (start < stop && isSpace(bytes[start]!)) start++;
      starts[slot] = start;
      ends[slot] = stop;
    }
    if (at < end && bytes[at] === separator) {
      at++;
      continue;
    }
    scan.cells = column + 1;
    if (scan.cells < scan.most_cells) emptyBehind(scan);
    else scan.most_cells = scan.cells;
    scan.blank = column === 0 && !quoted && isBlank(bytes, from, at);
    scan.after_cr = at < end && bytes[at] === CR;
    return Math.min(end, at + 1);
  }
}

/** Cells that this row does not have, and an earlier one may have had. */
function emptyBehind({ starts, ends, slotOf, cells, most_cells }: Scan): void {
  for (let column = cells; column < Math.min(most_cells, slotOf.length); column++) {
    const slot = slotOf[column]!;
    if (slot < 0) continue;
    starts[slot] = 0;
    ends[slot] = 0;
  }
}

function closingQuote(scan: Scan, from: number, slot: number): number {
  const { bytes } = scan;
  const most = Math.min(bytes.length, from + MAX_ROW_BYTES + 1);
  for (let at = from; at < most; at++) {
    const byte = bytes[at]!;
    if (byte > QUOTE) continue;
    if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) scan.newlines++;
    if (byte !== QUOTE) continue;
    // At the end of a chunk it may be the first of a pair: then the row is read again with the next.
    if (bytes[at + 1] !== QUOTE) return at;
    scan.any_escaped = true;
    if (slot >= 0) scan.escaped[slot] = 1;
    at++;
  }
  scan.open_quote = true;
  return INCOMPLETE;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}

function endsCell(byte: number, separator: number): boolean {
  return byte === separator || byte === LF || byte === CR;
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(bytes[at]!)) return false;
  return true;
}

function toScan(slotOf: Int32Array, separator = COMMA, slots = slotOf.length): Scan {
  return {
    bytes: NOTHING,
    line: 1,
    starts: new Int32Array(slots),
    ends: new Int32Array(slots),
    escaped: new Uint8Array(slots),
    slotOf,
    cells: 0,
    most_cells: 0,
    any_escaped: false,
    blank: false,
    newlines: 0,
    open_quote: false,
    after_cr: false,
    separator,
  };
}

/** Column of the file → place in `columns`; or what is wrong with the header. */
function findColumns(names: readonly string[], { columns, needed }: CsvFile): Int32Array | string {
  const missing = needed.find((name) => !names.includes(name));
  if (missing !== undefined) return `no column ${missing}`;
  const twice = columns.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return `column ${twice} twice`;
  const last = names.findLastIndex((name) => columns.includes(name));
  return Int32Array.from(names.slice(0, last + 1), (name) => columns.indexOf(name));
}

/** The text of a cell, "" when empty; invalid UTF-8 becomes U+FFFD. */
export function readCell(row: CsvRow, slot: number): string {
  const start = row.starts[slot]!;
  const end = row.ends[slot]!;
  if (start === end) return "";
  const text = decoder.decode(row.bytes.subarray(start, end));
  return row.escaped[slot] === 1 ? text.replaceAll('""', '"') : text;
}

/** The bytes of a cell without doubled quotes; a view of the buffer where there are none. */
export function cellBytes(row: CsvRow, slot: number): Uint8Array {
  const cell = row.bytes.subarray(row.starts[slot], row.ends[slot]);
  if (row.escaped[slot] !== 1) return cell;
  const bytes = new Uint8Array(cell.length);
  let length = 0;
  for (let at = 0; at < cell.length; at++) {
    bytes[length++] = cell[at]!;
    // Quotes within a cell come in pairs.
    if (cell[at] === QUOTE) at++;
  }
  return bytes.subarray(0, length);
}
