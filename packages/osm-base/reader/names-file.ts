/** The words of a page on disk, read piece by piece: no file stays open, since there are thousands. */
import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { decodeNames, encodeNames } from "../geocoder/name-lists.ts";
import type { NameEntry } from "../geocoder/page-names.ts";

const PIECE_BYTES = 64 * 1024;

export async function writeNames(path: string, entries: Iterable<NameEntry>): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  for (const piece of encodeNames(entries)) await file.writeFile(piece);
}

export function readNames(path: string): Iterable<NameEntry> {
  return decodeNames(readPieces(path));
}

/** The bytes of a file in turn. */
export function* readPieces(path: string): Generator<Uint8Array> {
  for (let at = 0; ; at += PIECE_BYTES) {
    const piece = new Uint8Array(PIECE_BYTES);
    const length = readAt(path, at, piece);
    if (length > 0) yield piece.subarray(0, length);
    if (length < PIECE_BYTES) return;
  }
}

function readAt(path: string, at: number, into: Uint8Array): number {
  const file = openSync(path, "r");
  try {
    let done = 0;
    for (;;) {
      const count = readSync(file, into, done, into.length - done, at + done);
      done += count;
      if (count === 0 || done === into.length) return done;
    }
  } finally {
    closeSync(file);
  }
}
