/** The files behind the pages: our own modules, and the few of packages that a browser needs. */
import { readdirSync, readFileSync } from "node:fs";
import type { PageBundle } from "./page-bundle.ts";
import type { Strictness } from "./page-policy.ts";

export type SiteFile = {
  body: Buffer;
  /** Below the versioned folder of assets. */
  path: string;
  type: string;
  /** null: it is an asset. */
  page: PageRow | null;
};

/** Path and policy of a page; `framed`: pages of the allowed origins may show it in a frame. */
type PageRow = { path: string; policy: Strictness; framed?: true };

const EXPLORER = new URL("../../../explorer/", import.meta.url);

const PAGES: Readonly<Record<string, PageRow>> = {
  "index.html": { path: "/", policy: "strict" },
  "status.html": { path: "/status", policy: "strict" },
  "quality.html": { path: "/quality", policy: "plain" },
  "docs.html": { path: "/docs", policy: "plain" },
  "embed.html": { path: "/embed", policy: "strict", framed: true },
  "board.html": { path: "/board", policy: "strict" },
  "robots.txt": { path: "/robots.txt", policy: "plain" },
};

/** Path below the assets → file of a package. */
const FROM_PACKAGES: Readonly<Record<string, string>> = {
  "maplibre-gl/maplibre-gl.mjs": "maplibre-gl/dist/maplibre-gl.mjs",
  "maplibre-gl/maplibre-gl-shared.mjs": "maplibre-gl/dist/maplibre-gl-shared.mjs",
  "maplibre-gl/maplibre-gl-worker.mjs": "maplibre-gl/dist/maplibre-gl-worker.mjs",
  "topojson-client/feature.js": "topojson-client/src/feature.js",
  "topojson-client/reverse.js": "topojson-client/src/reverse.js",
  "topojson-client/transform.js": "topojson-client/src/transform.js",
  "topojson-client/identity.js": "topojson-client/src/identity.js",
  "topojson-client/mesh.js": "topojson-client/src/mesh.js",
  "topojson-client/stitch.js": "topojson-client/src/stitch.js",
  "world/110m.json": "world-atlas/countries-110m.json",
  "world/50m.json": "world-atlas/countries-50m.json",
};

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
};

/** Settings of tools, the map of agents, whose hosts read it as one document, and what page-worker.ts serves. */
const NOT_SERVED = /^(?:tsconfig|agent-map\/|service-worker\.js$)/;

/** Reads all of them, in their order. */
export function readFiles(): SiteFile[] {
  const own = readdirSync(EXPLORER, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => typeOf(name) !== undefined && !NOT_SERVED.test(name))
    .toSorted()
    .map((name) => toFile(name, new URL(name, EXPLORER)));
  const others = Object.entries(FROM_PACKAGES).map(([path, file]) =>
    toFile(path, new URL(import.meta.resolve(file))),
  );
  return [...own, ...others];
}

function toFile(path: string, url: URL): SiteFile {
  return { ...named(path), body: readFileSync(url) };
}

function named(path: string): Omit<SiteFile, "body"> {
  return { path, type: typeOf(path) as string, page: PAGES[path] ?? null };
}

/** The files with the parts of a bundle in place of, or next to, those of the same path. */
export function withParts(files: readonly SiteFile[], { parts }: PageBundle): SiteFile[] {
  const paths = new Set(files.map(({ path }) => path));
  const added = [...parts].filter(([path]) => !paths.has(path));
  return [
    ...files.map((file) => ({ ...file, body: parts.get(file.path) ?? file.body })),
    ...added.map(([path, body]) => ({ ...named(path), body })),
  ];
}

function typeOf(path: string): string | undefined {
  return TYPES[path.slice(path.lastIndexOf(".") + 1)];
}
