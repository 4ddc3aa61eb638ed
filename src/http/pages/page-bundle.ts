/**
 * What `npm ci` has made of the pages (scripts/bundle.ts): one script and one style sheet a page in place
 * of their modules, and files that are compressed already. Without it the pages are their modules; one
 * that was made of other sources is not used, so that it never hides a change.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { attempt, guard } from "#kit/guard.ts";
import type { Encoding } from "../negotiate.ts";

/** Where `npm ci` writes it, and a published package brings it. */
export const BUNDLE_FOLDER = new URL("../../../dist/pages/", import.meta.url);
/** Names the sources and all parts; written last, so that a bundle without it is none. */
export const BUNDLE_INDEX = "bundle.json";
/** Compressed files, named by the digest of what is compressed. */
export const PACKED_FOLDER = "packed/";

/** `parts`: paths below the assets. */
export type BundleIndex = { sources: string; parts: readonly string[] };

type Source = { path: string; body: Buffer };

export type PageBundle = {
  /** By path below the assets: scripts in place of modules of that path, and style sheets. */
  parts: ReadonlyMap<string, Buffer>;
  /** Reads what is compressed already; null: it is not there. `hash`: of the content (`hashOf`). */
  readPacked(hash: string, encoding: Encoding): Promise<Buffer | null>;
};

export const NO_BUNDLE: PageBundle = { parts: new Map(), readPacked: async () => null };

/** Reads the bundle of these sources; `note` receives one line where there is one of others. */
export function readBundle(
  sources: readonly Source[],
  note: (line: string) => void,
  folder: URL = BUNDLE_FOLDER,
): PageBundle {
  return attempt(
    () => readWhole(sources, note, folder),
    // Most often there is none, as before the first `npm ci`.
    () => NO_BUNDLE,
  );
}

function readWhole(
  sources: readonly Source[],
  note: (line: string) => void,
  folder: URL,
): PageBundle {
  const index = JSON.parse(readFileSync(new URL(BUNDLE_INDEX, folder), "utf8")) as BundleIndex;
  if (index.sources !== digestOf(sources)) {
    note(
      "the bundle of the pages is of other sources and is not used: npm run bundle makes one of these",
    );
    return NO_BUNDLE;
  }
  const parts = new Map(index.parts.map((path) => [path, readFileSync(new URL(path, folder))]));
  const packed = new URL(PACKED_FOLDER, folder);
  const names = new Set(readdirSync(packed));
  return {
    parts,
    async readPacked(hash, encoding) {
      const name = `${hash}.${encoding}`;
      if (!names.has(name)) return null;
      // Then it is compressed as if it had not been.
      return await guard(
        () => readFile(new URL(name, packed)),
        () => null,
      );
    },
  };
}

/** Of all files that the pages are made of, by path and content. */
export function digestOf(sources: readonly Source[]): string {
  const hash = createHash("sha256");
  for (const { path, body } of sources) hash.update(`${path}\0${body.length}\0`).update(body);
  return hash.digest("hex");
}

/** Names a content: 132 bits of its SHA-256. */
export function hashOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 22);
}

/** Path of the style sheet that holds all of a page. `page`: the file of the page, as `index.html`. */
export function sheetOf(page: string): string {
  return `joined/${page.replace(/\.html$/, ".css")}`;
}

/** Links of a page to its style sheets, with the white space between them. */
const SHEETS = /(?:<link rel="stylesheet" href="\{\{assets\}\}\/[^"]+" \/>\s*)+/;
const SHEET = /<link rel="stylesheet" href="\{\{assets\}\}\/([^"]+)" \/>/g;

/** Style sheets of a page in their order, by path. */
export function listSheets(html: string): string[] {
  return [...html.matchAll(SHEET)].map(([, path = ""]) => path);
}

/** Puts the one style sheet in place of those of the page, where the bundle has it. */
export function withSheet(page: string, html: string, { parts }: PageBundle): string {
  const sheet = sheetOf(page);
  if (!parts.has(sheet)) return html;
  return html.replace(SHEETS, `<link rel="stylesheet" href="{{assets}}/${sheet}" data-joined />`);
}
