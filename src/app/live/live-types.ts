/** What the faces ask of the live layer (docs/live-map.md), and what they get. No types of HTTP here. */
import type { ByeReason, TileLayer } from "#api/live.ts";
import type { Box } from "#kit/geo.ts";
import type { StreamOwner } from "#core/limits/stream-owner.ts";

/** Stations and vehicles that one stream may have; a larger scope is refused. */
export const SCOPE_ITEMS_MAX = 20_000;

/** Which things a subscriber sees. */
export type LiveScope = {
  box: Box;
  /** Mask of modes (packages/stations/shard/bits). */
  modes: number;
  stations: boolean;
  vehicles: boolean;
};

/** Where the events of one subscriber go: frames of server-sent events, whole. */
export type EventSink = {
  /**
   * Takes a frame. false: the caller has not taken what was sent before, so that nothing more is sent
   * until `LiveStream.resume`.
   */
  write(frame: string): boolean;
  /** Called once, after the last frame: the stream is over. */
  end(reason: ByeReason): void;
};

export type StreamRequest = {
  scope: LiveScope;
  owner: StreamOwner;
  /** `Last-Event-ID` as the caller sent it; null: none. */
  last_event_id: string | null;
  sink: EventSink;
};

/** One subscriber, for the face that opened it. */
export type LiveStream = {
  /** The caller has taken what was sent: what has happened meanwhile follows, as one event. */
  resume(): void;
  /** The caller has left; nothing is sent any more. */
  leave(): void;
  /** Ends it with its reason, as the last event; `retry_after_s`: absent, as the reason has it. */
  end(reason: ByeReason, retry_after_s?: number): void;
};

export type NoStream = "full" | "busy" | "closed" | "large";

/** A `LiveSnapshot` (packages/api/live.ts) as text, which may have megabytes. */
export type SnapshotJson = { json: string };

export type LiveStreams = {
  /**
   * Begins a stream, whose first event follows after this call. `full`: a bound of the caller is
   * reached; `busy`: one of all callers; `closed`: the service is shutting down; `large`: the box holds more than a stream
   * may (`SCOPE_ITEMS_MAX`). Where that is known only later, the stream ends with that reason.
   */
  open(request: StreamRequest): LiveStream | NoStream;
  /**
   * Reads the snapshot that a subscriber of this moment would get first; systems that have not been
   * read are waited for until `deadline_ms` (epoch ms). `large`: the box holds more than a stream may.
   */
  read(scope: LiveScope, deadline_ms: number): Promise<SnapshotJson | "large">;
};

export type TileRequest = {
  z: number;
  x: number;
  y: number;
  layers: readonly TileLayer[];
  /** Of the address of a caller without a key; null: with a key. */
  block: string | null;
  /** Epoch ms. */
  now_ms: number;
  deadline_ms: number;
};

export type LiveTile = {
  /** Of what the tile is made of: another one where anything of it is. Without quotes. */
  version: string;
  /** Empty: there is nothing in it. */
  bytes: Uint8Array;
  /** Things in it, or cells with counts; what it says of its sources is none. */
  objects: number;
  /** Seconds it may be kept; null: a source of it failed or has not been read, so not at all. */
  max_age_s: number | null;
};

export type LiveTiles = {
  /** `full`: too many tiles wait for their turn. */
  draw(request: TileRequest): Promise<LiveTile | "full">;
};
