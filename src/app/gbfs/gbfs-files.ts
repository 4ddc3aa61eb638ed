/**
 * GBFS that this service publishes (docs/gbfs.md): rendered from memory when it is requested, one file at a
 * time and in steps, and kept while what it was made from is the same. All callers of a file share one
 * rendering; what throws in it ends that file for them, and no other.
 */
import { BoundedCache } from "#app/kept.ts";
import { waitFor } from "#app/gather.ts";
import { Generations } from "#app/live/tiles/tile-systems.ts";
import { isSame } from "#app/live/tiles/system-counts.ts";
import type { TileTurns } from "#app/live/tiles/live-tiles.ts";
import type { FindTimezone } from "#app/timezone.ts";
import { createTurn, type Turn } from "#kit/run/turn.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import {
  envelopeEnd,
  envelopeStart,
  findFile,
  type OutFile,
  type OutVersion,
} from "#stations/gbfs-out/out-envelope.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Clock, Feeds } from "#ports.ts";
import { OutReader, sourcesOf } from "#world/gbfs/out-reader.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { World } from "#world/world.ts";
import { dataOf, hasFile, type Made, manifestText, ORIGIN } from "./out-data.ts";
import { type FindTerms, isRead, type ReadSystem, timezoneOf, whyNot } from "./out-systems.ts";
import type { GbfsFiles, NoFile, OutRequest, PublishedFile } from "./out-types.ts";

export type GbfsFilesDeps = {
  world: World;
  feeds: Feeds;
  clock: Clock;
  terms: FindTerms;
  turns: TileTurns;
  /** Of bytes that come a piece at a time: another text where they are others. */
  hash: () => {
    update(bytes: Uint8Array | string): unknown;
    digest(encoding: "base64url"): string;
  };
  timezones: () => Promise<FindTimezone>;
  /** Address of who runs this service, of e-mail or of a page; null: none is known. */
  contact: string | null;
};

/** Of rendered files, the ones used least lately go first. */
const FILES_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 512;
/** 132 bits. */
const TAG_LETTERS = 22;
/** No address (RFC 2606): the format demands one of e-mail, and the operator of this service has named none. */
const NO_CONTACT = "unstated@contact.invalid";
/** States of things change with the time alone: a file is rendered again after this, whatever is published. */
const FILE_MS = 15_000;

type Rendered = {
  /** Of all but the time. */
  content: string;
  last_updated_s: number;
  bytes: Uint8Array;
  max_age_s: number | null;
  generation: readonly unknown[];
  /** Epoch ms. */
  until_ms: number;
};

/** A file that is to be rendered. `system` null: the manifest, which is of no zone. */
type Wanted = { key: string; version: OutVersion; file: OutFile } & (
  | { system: ReadSystem; timezone: string }
  | { system: null; timezone: null }
);

export class PublishedGbfs implements GbfsFiles {
  readonly #deps: GbfsFilesDeps;
  readonly #reader = new OutReader();
  readonly #generations = new Generations();
  readonly #rendered = new BoundedCache<Rendered>(FILES_BYTES);
  readonly #rendering = new Map<string, Promise<Rendered | "full">>();

  constructor(deps: GbfsFilesDeps) {
    this.#deps = deps;
  }

  async read(request: OutRequest): Promise<PublishedFile | NoFile> {
    const wanted = await this.#find(request);
    if ("kind" in wanted) return wanted;
    const rendered = this.#retained(wanted) ?? (await this.#share(wanted, request.block));
    if (rendered === "full") return { kind: "full" };
    return this.#addressed(rendered, NAMES_ORIGIN.has(wanted.file), request.origin);
  }

  async #find({
    version,
    system_id,
    file: name,
    deadline_ms,
  }: OutRequest): Promise<Wanted | NoFile> {
    if (system_id === null)
      return { key: `${version} manifest`, version, file: "gbfs", system: null, timezone: null };
    const { world, terms } = this.#deps;
    const entry = world.find(system_id);
    const own = entry ? terms(system_id) : null;
    if (!entry || own === null) return { kind: "unknown_system" };
    if (own.store !== "all") return { kind: "closed" };
    const file = findFile(name, version);
    if (!file) return { kind: "unknown_file" };
    this.#wake(entry);
    if (!isRead(entry) || !isThere(entry.shard, file)) await this.#bring(entry, deadline_ms);
    if (!isRead(entry)) return { kind: "unread" };
    const findTimezone = await this.#deps.timezones();
    const timezone = timezoneOf(entry, findTimezone);
    const reason = whyNot(entry, terms(system_id) ?? own, findTimezone);
    if (reason !== null || timezone === null) return { kind: "closed" };
    if (!hasFile(entry.shard, file)) return { kind: "unknown_file" };
    return { key: `${version} ${file} ${system_id}`, version, file, system: entry, timezone };
  }

  /** A question for its files is one near it, and near those that count for its stations. */
  #wake(entry: SystemEntry): void {
    for (const source_id of sourcesOf(entry)) this.#deps.feeds.wake(source_id);
  }

  async #bring(entry: SystemEntry, deadline_ms: number): Promise<void> {
    await waitFor([entry], this.#deps, {
      begun_after_ms: 0,
      until_ms: deadline_ms - REPLY_MARGIN_MS,
    });
  }

  #retained(wanted: Wanted): Rendered | undefined {
    const now_ms = this.#deps.clock.now();
    const rendered = this.#rendered.find(wanted.key);
    if (!rendered || now_ms >= rendered.until_ms) return undefined;
    return isSame(rendered.generation, this.#generationOf(wanted, now_ms)) ? rendered : undefined;
  }

  #generationOf({ system }: Wanted, now_ms: number): readonly unknown[] {
    if (system !== null) return this.#generations.of([system], now_ms);
    const systems = this.#deps.world.list();
    const counts = { surveyed: 0, read: 0 };
    for (const { surveyed, shard } of systems) {
      if (surveyed) counts.surveyed++;
      if (shard) counts.read++;
    }
    return [systems.length, counts.surveyed, counts.read];
  }

  #share(wanted: Wanted, block: string | null): Promise<Rendered | "full"> {
    const { key } = wanted;
    const running = this.#rendering.get(key);
    if (running) return running;
    const own = this.#deps.turns
      .take(() => this.#render(wanted), block)
      .finally(() => this.#rendering.delete(key));
    this.#rendering.set(key, own);
    return own;
  }

  async #render(wanted: Wanted): Promise<Rendered> {
    const { clock, hash } = this.#deps;
    const { key, version } = wanted;
    const findTimezone = await this.#deps.timezones();
    const turn = createTurn({});
    const now_ms = clock.now();
    const generation = this.#generationOf(wanted, now_ms);
    const data = this.#dataOf(wanted, { now_ms, findTimezone });
    const pieces: Uint8Array[] = [];
    const digest = hash();
    let step = data.next();
    for (; step.done !== true; step = data.next()) {
      if (step.value !== "") {
        const bytes = Buffer.from(step.value);
        digest.update(bytes);
        pieces.push(bytes);
      }
      await turn();
    }
    const { extra, doc_s, ttl_s, lacks } = step.value;
    const end = envelopeEnd(extra);
    digest.update(`${version} ${doc_s} ${ttl_s} ${end}`);
    const content = digest.digest("base64url").slice(0, TAG_LETTERS);
    const before = this.#rendered.find(key);
    const isEqual = before?.content === content;
    const now_s = Math.floor(now_ms / 1000);
    const last_updated_s = doc_s ?? (isEqual ? before.last_updated_s : now_s);
    const ttl = Math.max(0, Math.round(ttl_s));
    const start = Buffer.from(envelopeStart(version, { last_updated_s, ttl_s: ttl }));
    const bytes = isEqual ? before.bytes : await joined([start, ...pieces, Buffer.from(end)], turn);
    const max_age_s = lacks ? null : ttl;
    const until_ms = now_ms + (lacks ? 0 : FILE_MS);
    const rendered = { content, last_updated_s, bytes, max_age_s, generation, until_ms };
    this.#rendered.keep(key, rendered, ENTRY_BYTES + bytes.length);
    return rendered;
  }

  #dataOf(
    { version, system, timezone, file }: Wanted,
    { now_ms, findTimezone }: { now_ms: number; findTimezone: FindTimezone },
  ): Generator<string, Made> {
    const { world, terms, contact: stated } = this.#deps;
    if (system === null) return manifestText(world.list(), { terms, findTimezone });
    const contact = stated?.includes("@") === true && !stated.includes("/") ? stated : NO_CONTACT;
    const context = { version, now_ms, terms, timezone, contact, reader: this.#reader };
    return dataOf({ ...system }, file, context);
  }

  /** The file as a caller gets it who reached this service at that address. */
  #addressed(rendered: Rendered, names_origin: boolean, origin: string): PublishedFile {
    const { content, last_updated_s, bytes, max_age_s } = rendered;
    const version = `${content}.${last_updated_s}`;
    const file = { kind: "file", version, bytes, max_age_s } as const;
    if (!names_origin) return file;
    const digest = this.#deps.hash();
    digest.update(origin);
    const text = Buffer.from(bytes).toString().replaceAll(ORIGIN_TEXT, `"${origin}`);
    // What names the address of one caller is for that one alone.
    return {
      ...file,
      version: `${version}.${digest.digest("base64url").slice(0, TAG_LETTERS)}`,
      bytes: Buffer.from(text),
      max_age_s: null,
    };
  }
}

/** One piece of memory, filled in steps: a national system has megabytes. */
async function joined(pieces: readonly Uint8Array[], turn: Turn): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
    await turn();
  }
  return bytes;
}

/** Files with addresses of this service; the manifest is one as well. */
const NAMES_ORIGIN: ReadonlySet<OutFile> = new Set<OutFile>([
  ...(["gbfs", "gbfs_versions", "system_information"] as const),
]);

/** As JSON has it at the beginning of a text. What a publisher writes is escaped: never the same letters. */
const ORIGIN_TEXT = JSON.stringify(ORIGIN).slice(0, -1);

/** Whether what a file is made of has been read at all, however long ago. */
function isThere({ status, vehicles, alerts }: Shard, file: OutFile): boolean {
  switch (file) {
    case "station_information":
    case "station_status":
      return status?.live !== null;
    case "vehicle_status":
      return vehicles?.live !== null;
    case "system_alerts":
      return alerts?.live !== null;
    default:
      return true;
  }
}
