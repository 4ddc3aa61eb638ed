/**
 * Files that a browser may fetch in addition to the API: four pages, the service worker of one, what
 * browsers and crawlers ask for by its usual name, and their assets. The list is
 * made once, at start, and a path is either in it or unknown: no request ever becomes a file name.
 */
import { createHash } from "node:crypto";
import { escapeHtml } from "../share/escape-html.ts";
import { GENERAL, HEAD_MARK, type SharePage, toHead } from "../share/share-head.ts";
import { createAsset, type Asset } from "./asset.ts";
import { NO_BUNDLE, type PageBundle, withSheet } from "./page-bundle.ts";
import { readFiles, type SiteFile, withParts } from "./page-files.ts";
import { LIGHT, toPolicy } from "./page-policy.ts";
import { createWorker, WORKER_PATH } from "./page-worker.ts";

export type Pages = {
  /** Pages by path. */
  pages: ReadonlyMap<string, Asset>;
  /** The page that links lead to, whose head says to what; its path. */
  shared: { path: string; page: SharePage } | null;
  /** Assets by their path below /assets/. */
  assets: ReadonlyMap<string, Asset>;
};

type CityPlan = {
  id: string;
  name: string;
  lat: number;
  lon: number;
  /** Streets, water and greens of the simulated city, as GeoJSON. */
  read(): unknown;
};

export type PagesConfig = {
  mode: "sandbox" | "live";
  version: string;
  /** A MapLibre style for those who are online; null: the quiet one of our own. */
  style: string | null;
  /** Further origins the style's tiles, glyphs and sprites come from. */
  style_hosts: readonly string[];
  /** Origins whose pages may show /embed in a frame. */
  embed_origins: readonly string[];
  /** First centre of the map; null: the whole world. */
  start: { lat: number; lon: number } | null;
  cities: readonly CityPlan[];
  /** Further input that the content of an address depends on. */
  salt: string;
  /** Paths of the weather and its forecast, with `{coords}` and `{lang}`; null: none. */
  weather: { now: string; forecast: string } | null;
  /** Whether the map page is kept in the browser. */
  offline: boolean;
  /** Units of the weather. */
  units: "metric" | "standard" | "imperial";
  /** What the forms of the API reference can be filled with. */
  reference: {
    /** A key of the sandbox, which every visitor may use; null: live, where no key is public. */
    key: string | null;
    /** Whether the deployment publishes its changelog. */
    changelog: boolean;
  };
};

/** Where the files come from; without it they are read, and no bundle is looked for. */
export type PageSources = { files: readonly SiteFile[]; bundle: PageBundle };

/** `onFault`: receives what is thrown by work that no request waits for. */
export function buildPages(
  config: PagesConfig,
  onFault: (error: unknown) => void,
  { files: sources, bundle }: PageSources = { files: readFiles(), bundle: NO_BUNDLE },
): Pages {
  const files = withParts(sources, bundle);
  const { readPacked } = bundle;
  const late = bundle.parts.has(APP) ? MAP_LIBRARY : listMapFiles(files);
  const base = `/assets/${toVersion(files, config)}`;
  const origins = toOrigins(config);
  const strict = toPolicy("strict", origins);
  const assets = new Map<string, Asset>();
  const pages = new Map<string, Asset>();
  let shared: Pages["shared"] = null;
  let map_page = Buffer.alloc(0);
  for (const { path, type, body, page } of files) {
    if (page === null) {
      // A policy binds documents and workers; on any other file it would be weight alone.
      const policy = path.endsWith("-worker.mjs") ? strict : LIGHT;
      assets.set(
        `${base}/${path}`,
        createAsset({ type, policy, cache: FOR_EVER, read: () => body, readPacked }, onFault),
      );
      if (path === ICON)
        pages.set(
          ICON_PATH,
          createAsset({ type, policy: LIGHT, cache: SHORTLY, read: () => body }, onFault),
        );
      continue;
    }
    const whole = withSheet(path, body.toString(), bundle);
    const text = fill(whole, base, files, toSettings(config, base, late));
    const html = Buffer.from(text.replace(HEAD_MARK, () => toHead(GENERAL)));
    const framers = page.framed ? config.embed_origins : [];
    const own_policy = toPolicy(page.policy, origins, framers);
    const source = { type, policy: own_policy, cache: SHORTLY, read: () => html };
    pages.set(page.path, createAsset(source, onFault));
    if (text.includes(HEAD_MARK))
      shared = { path: page.path, page: { html: text, policy: own_policy } };
    if (page.path === MAP_PAGE) map_page = html;
  }
  const paths = [...assets.keys()];
  const worker = { html: map_page, base, paths, isOn: config.offline };
  pages.set(WORKER_PATH, createWorker(worker, onFault));
  for (const city of config.cities) {
    const read = async (): Promise<Buffer> => Buffer.from(JSON.stringify(await city.read()));
    assets.set(
      planPath(base, city),
      createAsset({ type: JSON_TYPE, policy: LIGHT, cache: FOR_EVER, read }, onFault),
    );
  }
  return { pages, shared, assets };
}

/** The first module of the map page. */
const APP = "app.js";
/** The page that works without a network. */
const MAP_PAGE = "/";
const ICON = "icon.svg";
/** Where browsers look for it that read no page. */
const ICON_PATH = "/favicon.ico";

/** The version is part of the address: other content has another address. */
const FOR_EVER = "public, max-age=31536000, immutable";
const SHORTLY = "public, max-age=60";
const JSON_TYPE = "application/json; charset=utf-8";

const planPath = (base: string, { id }: CityPlan): string => `${base}/city/${id}.json`;

function toVersion(files: readonly { path: string; body: Buffer }[], config: PagesConfig): string {
  const hash = createHash("sha256").update(config.salt);
  for (const { path, body } of files) hash.update(path).update(body);
  return hash.digest("hex").slice(0, 12);
}

function toOrigins({ style, style_hosts }: PagesConfig): string[] {
  const own = style === null ? [] : [new URL(style).origin];
  return [...new Set([...own, ...style_hosts.map((host) => new URL(host).origin)])];
}

/** Settings of the pages, in an attribute: an inline script would need a hole in the policy. */
function toSettings(config: PagesConfig, base: string, late: readonly string[]): string {
  const { mode, version, style, start, weather, units, cities, reference, offline } = config;
  const plans = cities.map((city) => {
    const { id, name, lat, lon } = city;
    return { id, name, lat, lon, plan: planPath(base, city) };
  });
  return JSON.stringify({
    mode,
    version,
    assets: base,
    style,
    start,
    weather,
    units,
    reference,
    offline,
    cities: plans,
    map: late.map((path) => `${base}/${path}`),
  });
}

type Bodies = readonly { path: string; body: Buffer }[];

function fill(html: string, base: string, files: Bodies, settings: string): string {
  return html
    .replaceAll("{{modules}}", () => toPreloads(files, base))
    .replaceAll("{{assets}}", base)
    .replaceAll("{{settings}}", () => escapeHtml(settings));
}

/**
 * Links to every module that the explorer imports at once, so that a browser fetches all of them
 * in one wave. What is imported later, as the map, is not among them.
 */
function toPreloads(files: Bodies, base: string): string {
  const links = listModules(files, APP).map(
    (path) => `<link rel="modulepreload" href="${base}/${path}" />`,
  );
  return links.join("");
}

/** A module and all that it imports at once, by path. */
function listModules(files: Bodies, first: string): string[] {
  const bodies = new Map(files.map(({ path, body }) => [path, body]));
  const matches = new Set([first]);
  for (const path of matches)
    for (const [, target = ""] of bodies.get(path)?.toString().matchAll(STATIC_IMPORT) ?? [])
      matches.add(new URL(target, `file:///${path}`).pathname.slice(1));
  return [...matches];
}

/** What the map needs and the page has not loaded before. */
function listMapFiles(files: Bodies): string[] {
  const entries = new Set(listModules(files, APP));
  return [...listModules(files, "map/map.js").filter((path) => !entries.has(path)), ...MAP_LIBRARY];
}

/** What the map imports of its library; in one piece with the page it needs nothing else. */
const MAP_LIBRARY = ["maplibre-gl/maplibre-gl.mjs", "maplibre-gl/maplibre-gl-shared.mjs"];

const STATIC_IMPORT = / from "(\.[^"]+)";$/gm;
