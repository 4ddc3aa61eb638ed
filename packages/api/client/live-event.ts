/** What `client.stream` is given and yields. The package repeats this file word for word. */
import type {
  LiveByeValue as LiveBye,
  LiveDeltaValue as LiveDelta,
  LiveSnapshotValue as LiveSnapshot,
  LiveStatusValue as LiveStatus,
} from "../live.ts";

export type StreamOptions = {
  /** Ends the stream where it is aborted. */
  signal?: AbortSignal;
  /** `id` of the last event of an earlier stream over the same box: it goes on there, within 60 s. */
  last_event_id?: string;
};

/** `refused`, `unreachable` and `stranger` are the last of a stream; after each other one it goes on. */
export type LiveEvent =
  /** All that is in the box: the first event, and whenever nothing can be built on. */
  | { kind: "snapshot"; id: string; body: LiveSnapshot }
  /** What has changed since the event before. */
  | { kind: "delta"; id: string; body: LiveDelta }
  /** Sources whose age has changed. */
  | { kind: "status"; body: LiveStatus }
  /** The service ends this connection; another one follows by itself. */
  | { kind: "bye"; body: LiveBye }
  /**
   * The connection was lost, or was not to be had; another one follows after `retry_after_ms`.
   * `reason` is a short token such as ECONNREFUSED, or a code of the service (docs/errors.md);
   * `status` of its answer is null where there was none.
   */
  | { kind: "interrupted"; reason: string; status: number | null; retry_after_ms: number }
  /** The service refused, with a status and a code of its own (docs/errors.md). */
  | { kind: "refused"; status: number; code: string; message: string }
  /** The url of the client is none. */
  | { kind: "unreachable"; reason: string }
  /** Something answered that is not this service. */
  | { kind: "stranger"; status: number; content_type: string };
