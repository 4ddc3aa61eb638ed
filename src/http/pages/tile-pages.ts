/**
 * The base map of the pages: vector tiles of the imported bases, made when they are first requested.
 * Tiles are kept by the version of the bases, and their addresses say which one it is.
 */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
import { LIMITS } from "#api/limits.ts";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { SharedBound } from "#core/limits/shared-bound.ts";
import { unlessFailed } from "#kit/guard.ts";
import { toSentence } from "#core/notices.ts";
import type { BaseMapRow, BaseMaps, DrawnTile, PinnedTile, UnopenedMap } from "#ports/base-maps.ts";
import { compress } from "../compression.ts";
import { isNotModified } from "../conditional.ts";
import { type Problem, refusal } from "../error-replies.ts";
import type { Response } from "../http-exchange.ts";
import type { ServingThread } from "../serving.ts";
import { type Encoding, pickEncoding } from "../negotiate.ts";
import type { Asset } from "./asset.ts";
import { createLabels } from "./page-labels.ts";
import { LIGHT } from "./page-policy.ts";
import { Turns } from "./page-turns.ts";

export const INDEX_PATH = "/tiles/index.json";
export const LABELS_PATH = "/tiles/labels.json";
export const TILE_PATH = "/tiles/{z}/{x}/{y}.mvt";

const MAX_ZOOM = 14;
/** Tiles that wait for their turn. */
const WAITING_MAX = BOUNDS_OF_ALL.tiles.most;
const CACHE_BYTES = 32 * 1024 * 1024;
/** An empty tile costs its key. */
const ENTRY_BYTES = 256;

const TILE_TYPE = "application/vnd.mapbox-vector-tile";
const JSON_TYPE = "application/json; charset=utf-8";
const FOR_EVER = "public, max-age=31536000, immutable";
const SHORTLY = "public, max-age=300";

/**
 * A tile in the codings that were requested; null: there is nothing in it. Where it lacks a part of a
 * base, neither we nor the caller keep it.
 */
type CachedTile = { forms: Forms | null; lacks: DrawnTile["lacks"] };
type Forms = { plain: Uint8Array; packed: Map<Encoding, Promise<Uint8Array>> };

type TileDeps = {
  /** Receives what is thrown by work that no request waits for. */
  onFault: (error: unknown) => void;
  /** The request for which a tile is made pays for it; absent: none does. */
  serving?: Pick<ServingThread, "resume">;
};

export class TilePages {
  readonly #maps: BaseMaps;
  readonly #deps: TileDeps;
  readonly #turns: Turns;
  /** Tiles that wait for pages of bases to be read; `abort` ends one for another block's. */
  readonly #reading = new SharedBound<AbortController>(
    // And the one whose turn it is.
    { ...BOUNDS_OF_ALL.tiles, most: WAITING_MAX + 1 },
    (displaced) => displaced.abort(),
  );
  readonly #making = new Map<string, Promise<CachedTile | null>>();
  readonly #cache = new LRUCache<string, CachedTile>({
    maxSize: CACHE_BYTES,
    // The tile, and as much again for its codings.
    sizeCalculation: ({ forms }) => ENTRY_BYTES + 2 * (forms?.plain.length ?? 0),
  });
  /** Of the newest version that was requested, by how long a caller may keep them. */
  #labels = { version: "", kept: new Map<string, Asset>() };

  constructor(maps: BaseMaps, deps: TileDeps) {
    this.#maps = maps;
    this.#deps = deps;
    this.#turns = new Turns(BOUNDS_OF_ALL.tiles, deps.onFault);
  }

  /** Answers a request for a path below /tiles/; `query` as it came, `block` of the caller's address. */
  async answer(
    path: string,
    query: string,
    headers: IncomingHttpHeaders,
    block = "",
  ): Promise<Response | Problem> {
    const rows = this.#maps.list();
    const version = versionOf(rows);
    if (path === INDEX_PATH)
      return toIndex({ rows, unopened: this.#maps.listUnopened?.() ?? [], version }, headers);
    const cache_control = query === `v=${version}` ? FOR_EVER : SHORTLY;
    if (path === LABELS_PATH) return await this.#findLabels(version, cache_control).answer(headers);
    const place = readPlace(path);
    if (place === null) return NO_TILE;
    const encoding = pickEncoding(headers["accept-encoding"]);
    const entry = toNotModified(headers, version, encoding, cache_control);
    if (entry !== null) return entry;
    const stored = await this.#find(`${version}/${place.join("/")}`, place, block);
    if (stored === null) return FULL;
    const { forms, lacks } = stored;
    if (forms === null)
      return lacks === null
        ? { status: 204, headers: ["cache-control", cache_control], body: null }
        : MISSING[lacks];
    const fields = ["content-type", TILE_TYPE, ...LIGHT];
    if (lacks !== null)
      return await toTile(forms, encoding, [...fields, "cache-control", "no-store"]);
    fields.push("cache-control", cache_control);
    return await toTile(forms, encoding, fields, version);
  }

  /** Returns a tile that is not compressed; null: nothing is in it, or too many wait. */
  async read(place: Place, block: string): Promise<Uint8Array | null> {
    const version = versionOf(this.#maps.list());
    const tile = await this.#find(`${version}/${place.join("/")}`, place, block);
    return tile?.forms?.plain ?? null;
  }

  /** What a picture of the tiles must state; null: there is no base. */
  attribution(): string | null {
    const rows = this.#maps.list();
    return rows.length === 0 ? null : attributionOf(rows);
  }

  /** null: too many wait already. */
  #find(key: string, place: Place, block: string): CachedTile | Promise<CachedTile | null> {
    const entry = this.#cache.get(key) ?? this.#making.get(key);
    if (entry) return entry;
    const made = this.#make(key, place, block).finally(() => this.#making.delete(key));
    this.#making.set(key, made);
    return made;
  }

  async #make(key: string, place: Place, block: string): Promise<CachedTile | null> {
    using pinned = await this.#pin(place, block);
    if (pinned === null) return null;
    const drawn = await this.#turns.take(() => {
      this.#deps.serving?.resume();
      return pinned.draw();
    }, block);
    if (drawn === "full") return null;
    const { bytes: plain, lacks } = drawn;
    const made = { forms: plain && { plain, packed: new Map() }, lacks };
    if (lacks === null) this.#cache.set(key, made);
    return made;
  }

  /** Reading takes none of the thread's time, and is in no other tile's way. null: as `#find`. */
  async #pin([z, x, y]: Place, block: string): Promise<PinnedTile | null> {
    const own = new AbortController();
    if (!this.#reading.take(own, block)) return null;
    try {
      const pinned = await this.#maps.pin(z, x, y, own.signal);
      if (!own.signal.aborted) return pinned;
      pinned[Symbol.dispose]();
      return null;
    } finally {
      this.#reading.leave(own);
    }
  }

  #findLabels(version: string, cache_control: string): Asset {
    if (this.#labels.version !== version) this.#labels = { version, kept: new Map() };
    const { kept } = this.#labels;
    const { onFault } = this.#deps;
    const asset =
      kept.get(cache_control) ?? createLabels(this.#maps.covers, cache_control, onFault);
    kept.set(cache_control, asset);
    return asset;
  }
}

type Place = [z: number, x: number, y: number];

const TILE = /^\/tiles\/(0|[1-9]\d?)\/(0|[1-9]\d{0,4})\/(0|[1-9]\d{0,4})\.mvt$/;

/** null: there is no such tile. */
function readPlace(path: string): Place | null {
  const [, z, x, y] = (TILE.exec(path) ?? []).map(Number) as [number, ...Partial<Place>];
  if (z === undefined || x === undefined || y === undefined) return null;
  return z <= MAX_ZOOM && x < 2 ** z && y < 2 ** z ? [z, x, y] : null;
}

/** Of all bases together; another one as soon as one of them changes. */
function versionOf(rows: readonly Pick<BaseMapRow, "id" | "version">[]): string {
  const hash = createHash("sha256");
  for (const { id, version } of rows) hash.update(`${JSON.stringify([id, version])}\n`);
  return hash.digest("hex").slice(0, 12);
}

function tagOf(version: string, encoding: Encoding | null): string {
  return encoding === null ? `"${version}"` : `"${version}-${encoding}"`;
}

/** No tile is made for a caller that has it: all depends on the version. */
function toNotModified(
  headers: IncomingHttpHeaders,
  version: string,
  encoding: Encoding | null,
  cache_control: string,
): Response | null {
  // A tile of a few bytes is not compressed.
  const etag = [tagOf(version, encoding), tagOf(version, null)].find((each) =>
    isNotModified(headers, { etag: each, last_modified_ms: null }),
  );
  if (etag === undefined || headers["if-none-match"]?.trim() === "*") return null;
  const remaining = ["etag", etag, "cache-control", cache_control, "vary", "Accept-Encoding"];
  return { status: 304, headers: remaining, body: null };
}

/** `version`: absent where the tile is another one as soon as what it lacks can be read. */
async function toTile(
  { plain, packed }: Forms,
  encoding: Encoding | null,
  fields: readonly string[],
  version?: string,
): Promise<Response> {
  const coding = plain.length < LIMITS.compress_from_bytes ? null : encoding;
  const headers = [...fields, "vary", "Accept-Encoding"];
  if (version !== undefined) headers.push("etag", tagOf(version, coding));
  if (coding === null) return { status: 200, headers, body: plain };
  const form =
    packed.get(coding) ?? unlessFailed(compress(plain, coding), () => packed.delete(coding));
  packed.set(coding, form);
  headers.push("content-encoding", coding);
  return { status: 200, headers, body: await form };
}

type Index = {
  rows: readonly BaseMapRow[];
  unopened: readonly UnopenedMap[];
  /** Of the rows. */
  version: string;
};

/** As TileJSON has it, with the bases; addresses are relative to this one. */
function toIndex({ rows, unopened, version }: Index, headers: IncomingHttpHeaders): Response {
  const failed = unopened.map(({ id, message }) => ({ id, version: message }));
  const etag = tagOf(unopened.length > 0 ? versionOf([...rows, ...failed]) : version, null);
  const fields = ["etag", etag, "cache-control", "no-cache", ...LIGHT];
  if (isNotModified(headers, { etag, last_modified_ms: null }))
    return { status: 304, headers: fields, body: null };
  const body = JSON.stringify({
    tilejson: "3.0.0",
    version,
    attribution: rows.length > 0 ? attributionOf(rows) : null,
    tiles: rows.length > 0 ? [`${TILE_PATH}?v=${version}`] : [],
    labels: `${LABELS_PATH}?v=${version}`,
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    bounds: rows.length > 0 ? boundsOf(rows) : null,
    bases: rows.map((row) => ({ id: row.id, bounds: boundsOf([row]), data_as_of: row.data_as_of })),
    ...(unopened.length > 0 && {
      unopened: unopened.map(({ id, box, message }) => ({
        id,
        bounds: box && boundsOf([{ box }]),
        message: toSentence(message),
      })),
    }),
  });
  return { status: 200, headers: [...fields, "content-type", JSON_TYPE], body };
}

/** What a base or file states, else that of the open map, each once. */
function attributionOf(rows: readonly BaseMapRow[]): string {
  return [...new Set(rows.map(({ attribution }) => attribution ?? ATTRIBUTION))].join(", ");
}

const ATTRIBUTION = "© OpenStreetMap contributors";

/** West, south, east, north: the order of TileJSON. */
function boundsOf(rows: readonly Pick<BaseMapRow, "box">[]): number[] {
  const souths = rows.map(({ box: [south] }) => south);
  const wests = rows.map(({ box: [, west] }) => west);
  const norths = rows.map(({ box: [, , north] }) => north);
  const easts = rows.map(({ box: [, , , east] }) => east);
  return [Math.min(...wests), Math.min(...souths), Math.max(...easts), Math.max(...norths)];
}

const NO_TILE = refusal(
  "not_found",
  `tiles are /tiles/{z}/{x}/{y}.mvt with zooms from 0 to ${MAX_ZOOM}`,
);
const MISSING: Readonly<Record<NonNullable<DrawnTile["lacks"]>, Problem>> = {
  unreadable: refusal(
    "provider_unavailable",
    "the part of the base that has this tile cannot be read",
  ),
  time: refusal("overloaded", "the part of the base that has this tile was not read in time"),
};
const FULL = refusal("overloaded", `more than ${WAITING_MAX} tiles are waited for`);
