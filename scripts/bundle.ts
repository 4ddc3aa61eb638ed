/**
 * `npm run bundle`, which `npm ci` runs: makes of the modules of each page one script, and of its style
 * sheets one, and compresses all files of the pages as small as they get. Changing the pages does not
 * need it: the service leaves a bundle of other sources aside (src/http/pages/page-bundle.ts).
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { minify } from "terser";
import { LIMITS } from "#api/limits.ts";
import { joinModules } from "#http/pages/join-page.ts";
import {
  BUNDLE_FOLDER,
  BUNDLE_INDEX,
  type BundleIndex,
  digestOf,
  hashOf,
  listSheets,
  NO_BUNDLE,
  PACKED_FOLDER,
  readBundle,
  sheetOf,
} from "#http/pages/page-bundle.ts";
import { readFiles, type SiteFile, withParts } from "#http/pages/page-files.ts";

/** Leaves a bundle that is of the present sources as it is. */
const IF_CHANGED = "--if-changed";

function isCurrent(): boolean {
  return readBundle(readFiles(), () => undefined).parts.size > 0;
}

/** Replaces the bundle of a folder. */
export async function writeBundle(folder: URL): Promise<void> {
  const sources = readFiles();
  rmSync(folder, { recursive: true, force: true });
  const parts = await makeParts(sources);
  for (const [path, body] of parts) write(new URL(path, folder), body);
  const packed = new URL(PACKED_FOLDER, folder);
  mkdirSync(packed, { recursive: true });
  const inside = new Set(sources.map(({ path }) => path).filter((path) => path.endsWith(".js")));
  const files = withParts(sources, { ...NO_BUNDLE, parts }).filter(
    ({ path, page }) => page === null && (parts.has(path) || !inside.has(path)),
  );
  await Promise.all(files.map(({ body }) => pack(body, packed)));
  const index: BundleIndex = { sources: digestOf(sources), parts: [...parts.keys()] };
  write(new URL(BUNDLE_INDEX, folder), Buffer.from(JSON.stringify(index)));
}

/** By path: the script of each page in place of its first module, and its style sheet. */
async function makeParts(sources: readonly SiteFile[]): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  for (const { path, entry, script, styles } of joinPages(sources)) {
    const { code } = await minify(script, { module: true, ecma: 2020, compress: { passes: 2 } });
    parts.set(entry, Buffer.from(code ?? script));
    parts.set(sheetOf(path), Buffer.from(styles));
  }
  return parts;
}

/** `path`: of the page; `entry`: of its first module. */
type JoinedPage = { path: string; entry: string; script: string; styles: string };

/** Each page that has modules, in one piece. Throws where a module has a form that cannot be joined. */
export function joinPages(sources: readonly SiteFile[]): JoinedPage[] {
  const texts = new Map(sources.map(({ path, body }) => [path, body.toString()]));
  return sources.flatMap(({ path, page, body }) => {
    const html = body.toString();
    const [, entry] = SCRIPT.exec(html) ?? [];
    if (page === null || entry === undefined) return [];
    const script = join(entry, texts);
    // Those that modules load when they need them come last, as they do without a bundle.
    const later = [...script.matchAll(LATER_SHEET)].map(([, sheet = ""]) => sheet);
    const sheets = [...new Set([...listSheets(html), ...later])];
    return [{ path, entry, script, styles: sheets.map((sheet) => getText(texts, sheet)).join("") }];
  });
}

const SCRIPT = /<script type="module" src="\{\{assets\}\}\/([^"]+)"><\/script>/;
const LATER_SHEET = /\bloadSheet\([\w.]+, "([^"]+)"\)/g;
/** Only paths matter of it. */
const ROOT = "file:///";

function join(entry: string, texts: ReadonlyMap<string, string>): string {
  return joinModules(new URL(entry, ROOT), (url) => getText(texts, url.pathname.slice(1)));
}

function getText(texts: ReadonlyMap<string, string>, path: string): string {
  const text = texts.get(path);
  if (text === undefined) throw new Error(`no file ${path}`);
  return text;
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

async function pack(body: Buffer, folder: URL): Promise<void> {
  if (body.length < LIMITS.compress_from_bytes) return;
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_QUALITY } = constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY,
    [BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const name = hashOf(body);
  write(new URL(`${name}.br`, folder), await toBrotli(body, { params }));
  write(
    new URL(`${name}.gzip`, folder),
    await toGzip(body, { level: constants.Z_BEST_COMPRESSION }),
  );
}

function write(url: URL, body: Buffer): void {
  mkdirSync(new URL(".", url), { recursive: true });
  writeFileSync(url, body);
}

/** Runs only as `node scripts/bundle.ts`; a test makes one of its own in another folder. */
if (import.meta.main && !(process.argv.includes(IF_CHANGED) && isCurrent()))
  await writeBundle(BUNDLE_FOLDER);
