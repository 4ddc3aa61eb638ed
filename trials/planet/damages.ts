/** What happens to the file of a base on its disk. */
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import type { PageRow } from "#osm/imports.ts";

export type Damage = {
  what: string;
  apply(path: string, page: PageRow): void;
  /** Whether it is the page's alone, or all of the base's. */
  of: "page" | "base";
};

export const DAMAGES: readonly Damage[] = [
  {
    what: "flipped bit in a page",
    of: "page",
    apply: (path, { at, bytes }) => flip(path, at + Math.floor(bytes / 2)),
  },
  {
    what: "page without its end",
    of: "page",
    apply: (path, { at, bytes }) => blank(path, at + Math.floor(bytes / 2), at + bytes),
  },
  {
    what: "page without its beginning",
    of: "page",
    apply: (path, { at }) => blank(path, at, at + 4096),
  },
  {
    what: "flipped bit in the head",
    of: "base",
    apply: (path) => flip(path, readFileSync(path).length - 100),
  },
  { what: "flipped bit in the prefix", of: "base", apply: (path) => flip(path, 9) },
  {
    what: "file cut in the middle",
    of: "base",
    apply: (path) => truncateSync(path, readFileSync(path).length >> 1),
  },
  { what: "empty file", of: "base", apply: (path) => truncateSync(path, 0) },
];

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 0x10;
  writeFileSync(path, bytes);
}

function blank(path: string, from: number, to: number): void {
  writeFileSync(path, readFileSync(path).fill(0, from, to));
}
