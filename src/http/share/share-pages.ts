/**
 * What a link to the map shows where it is shared: a head with the name and the counts of its thing, and
 * a picture. Both say when the counts were reported, are kept for a short time, and cost the caller the
 * time that they take (docs/explorer.md, Links).
 */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
import type { FindShared, SharedThing } from "#app/share/shared-thing.ts";
import { canWrite } from "#core/picture/lettering.ts";
import { type CardTile, drawCard, tilesAround, TILE_ZOOM } from "#core/picture/share-card.ts";
import type { Location } from "#kit/geo.ts";
import { guard } from "#kit/guard.ts";
import { compress } from "../compression.ts";
import { isNotModified } from "../conditional.ts";
import { type Problem, refusal } from "../error-replies.ts";
import type { Incoming, Response } from "../http-exchange.ts";
import { pickEncoding } from "../negotiate.ts";
import { ownOrigin } from "../own-origin.ts";
import type { ServingThread } from "../serving.ts";
import type { TilePages } from "../pages/tile-pages.ts";
import { Turns } from "../pages/page-turns.ts";
import { toPng } from "../pages/png.ts";
import { HEAD_MARK, type SharePage, toHead } from "./share-head.ts";
import { languageOf, type ShareLanguage, type ShareWords, toShareWords } from "./share-texts.ts";

export const PICTURE_PATH = "/share.png";
export type ShareDeps = {
  find: FindShared;
  tiles: Pick<TilePages, "read" | "attribution">;
  now(): number;
  /** Runs steps to their end, in slices between which others have the thread. */
  run<T>(steps: Generator<void, T>): Promise<T>;
  /** The request for which a picture is drawn pays for it; absent: none does. */
  serving?: Pick<ServingThread, "resume">;
  onFault: (error: unknown) => void;
};

type Link = { at: Location; id: string | null; language: ShareLanguage };

/** How long a report is waited for that is on its way: by a reader, and by who fetches a picture. */
const WAIT_MS = { head: 150, picture: 1_000 } as const;
/** Of what is known of a thing, and of a picture. */
const KEPT_MS = { thing: 20_000, picture: 60_000 } as const;
const THINGS_MAX = 1_000;
const PICTURES_BYTES = 16 * 1024 * 1024;
/** Pictures that wait for their turn; they read no key. */
const WAITING = { most: 32, keyed_share: 0 };
const QUERY_MAX = 2_000;

export class SharePages {
  readonly #deps: ShareDeps;
  readonly #turns: Turns;
  readonly #things: LRUCache<string, Promise<SharedThing | null>>;
  readonly #pictures: LRUCache<string, Buffer>;
  readonly #drawing = new Map<string, Promise<Buffer | null>>();

  constructor(deps: ShareDeps) {
    this.#deps = deps;
    this.#turns = new Turns(WAITING, deps.onFault);
    const perf = { now: deps.now };
    this.#things = new LRUCache({ max: THINGS_MAX, ttl: KEPT_MS.thing, perf });
    this.#pictures = new LRUCache({
      ...{ maxSize: PICTURES_BYTES, ttl: KEPT_MS.picture, perf },
      sizeCalculation: ({ length }: Buffer) => length,
    });
  }

  /** Answers with the map page under the head of its link; null: the address names no point. */
  async answerPage({ raw, query }: Incoming, page: SharePage): Promise<Response | null> {
    const link = readLink(query);
    if (link === null) return null;
    const words = toWords(link, await this.#find(link, WAIT_MS.head));
    const origin = ownOrigin(raw);
    const addresses = origin && {
      url: `${origin}/?${query}`,
      image: `${origin}${PICTURE_PATH}?${query}`,
    };
    const html = Buffer.from(page.html.replace(HEAD_MARK, () => toHead(words, addresses || null)));
    return await toResponse(html, raw.headers, page.policy);
  }

  /** Answers with the picture of a link; `block`: of the caller's address. */
  async answerPicture({ query }: Incoming, block: string): Promise<Response | Problem> {
    const link = readLink(query);
    if (link === null) return NO_POINT;
    const thing = await this.#find(link, WAIT_MS.picture);
    const at = thing?.location ?? link.at;
    const own = toWords(link, thing);
    const english = toWords({ ...link, language: "en" }, thing);
    // The font has no letters of some languages.
    const { counts } = own.counts.every(canWrite) ? own : english;
    const card = { names: [own.name, nameOf(at)], counts, time: toTime(thing) };
    const key = JSON.stringify([at, card]);
    const picture = this.#pictures.get(key) ?? (await this.#draw(key, { at, ...card }, block));
    if (picture === null) return BUSY;
    return { status: 200, headers: [...PICTURE_HEADERS], body: picture };
  }

  /** What is known of the thing of a link. A fault of ours leaves the link without a name. */
  #find({ id, at }: Link, wait_ms: number): Promise<SharedThing | null> {
    if (id === null) return Promise.resolve(null);
    // What a reader did not wait for, a picture still may.
    const key = JSON.stringify([id, at, wait_ms]);
    const stored = this.#things.get(key);
    if (stored !== undefined) return stored;
    const thing = guard(
      () => this.#deps.find({ id, at }, wait_ms),
      (error) => {
        this.#deps.onFault(error);
        return null;
      },
    );
    this.#things.set(key, thing);
    return thing;
  }

  /** One at a time, and one for all who want the same. null: too many wait. */
  #draw(key: string, card: Card, block: string): Promise<Buffer | null> {
    const begun = this.#drawing.get(key);
    if (begun !== undefined) return begun;
    const drawn = this.#drawOnce(key, card, block).finally(() => this.#drawing.delete(key));
    this.#drawing.set(key, drawn);
    return drawn;
  }

  async #drawOnce(key: string, { at, ...texts }: Card, block: string): Promise<Buffer | null> {
    const tiles = await this.#readTiles(at, block);
    const names = texts.names.filter((name) => name !== null);
    const attribution = tiles.length > 0 ? this.#deps.tiles.attribution() : null;
    const draw = (of: readonly CardTile[]) =>
      this.#deps.run(
        this.#paidFor(
          drawCard({ ...texts, names, attribution: of.length > 0 ? attribution : null }, of),
        ),
      );
    const raster = await this.#turns.take(
      // A tile of a file that is not as it should be: without the map.
      () =>
        guard(
          () => draw(tiles),
          (error) => (this.#deps.onFault(error), draw([])),
        ),
      block,
    );
    if (raster === "full") return null;
    const png = await toPng(raster);
    this.#pictures.set(key, png);
    return png;
  }

  /** The steps, each of them work for the request that wants the picture. */
  *#paidFor<T>(steps: Generator<void, T>): Generator<void, T> {
    for (;;) {
      this.#deps.serving?.resume();
      const step = steps.next();
      if (step.done === true) return step.value;
      yield;
    }
  }

  async #readTiles({ lat, lon }: Location, block: string): Promise<CardTile[]> {
    const tiles: CardTile[] = [];
    for (const { x, y, corner } of tilesAround(lat, lon)) {
      const bytes = await this.#deps.tiles.read([TILE_ZOOM, x, y], block);
      if (bytes !== null) tiles.push({ bytes, corner });
    }
    return tiles;
  }
}

type Card = {
  at: Location;
  names: readonly (string | null)[];
  counts: readonly string[];
  time: string | null;
};

const PNG_TYPE = "image/png";
/** Messengers show it in pages of theirs. */
const PICTURE_HEADERS: readonly string[] = [
  ...["content-type", PNG_TYPE, "cache-control", "public, max-age=60"],
  ...["cross-origin-resource-policy", "cross-origin"],
];
const NO_POINT = refusal("invalid_request", "at must be a latitude and a longitude with a comma");
const BUSY = refusal("overloaded", `more than ${WAITING.most} pictures are waited for`);

const POINT = /^(-?\d{1,2}(?:\.\d{1,15})?)[,;](-?\d{1,3}(?:\.\d{1,15})?)$/;
/** Of a thing that is known without asking a source for it. */
const ID = /^svc_(?:station|place)_[0-9a-z]{1,64}$/;

/** null: no point is named. */
function readLink(query: string): Link | null {
  if (query.length > QUERY_MAX) return null;
  const values = new URLSearchParams(query);
  const [, lat, lon] = (POINT.exec(values.get("at")?.trim() ?? "") ?? []).map(Number);
  if (lat === undefined || lon === undefined || Math.abs(lat) > 90 || Math.abs(lon) > 180)
    return null;
  const id = values.get("sel");
  return {
    at: { lat, lon },
    id: id !== null && ID.test(id) ? id : null,
    language: languageOf(values.get("lang")),
  };
}

function toWords(link: Link, thing: SharedThing | null): ShareWords {
  return toShareWords(thing, nameOf(link.at), link.language);
}

function nameOf({ lat, lon }: Location): string {
  return `${lat.toFixed(4)}, ${lon.toFixed(4)}`;
}

/** `2026-11-28 14:05 (UTC+01:00)`. */
function toTime(thing: SharedThing | null): string | null {
  const { time = null } = thing ?? {};
  return time === null ? null : `${time.slice(0, 16).replace("T", " ")} (UTC${time.slice(19)})`;
}

/** Of one caller: it has the address by which they reached the service. */
const PRIVATE = "private, max-age=60";

async function toResponse(
  html: Buffer,
  headers: IncomingHttpHeaders,
  policy: readonly string[],
): Promise<Response> {
  const encoding = pickEncoding(headers["accept-encoding"]);
  const hash = createHash("sha256").update(html).digest("base64url").slice(0, 22);
  const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
  const fields = ["etag", etag, "cache-control", PRIVATE, "vary", "Accept-Encoding", ...policy];
  if (isNotModified(headers, { etag, last_modified_ms: null }))
    return { status: 304, headers: fields, body: null };
  fields.push("content-type", "text/html; charset=utf-8");
  if (encoding === null) return { status: 200, headers: fields, body: html };
  fields.push("content-encoding", encoding);
  return { status: 200, headers: fields, body: await compress(html, encoding) };
}
