/** A reading of live messages against a timetable, in a thread (main/workers/live.ts). */
import { openFeed } from "#transit/schedule/feed-pack.ts";
import { type FeedIndex, indexFeed } from "#transit/live/feed-index.ts";
import { buildLive } from "#transit/live/build-live.ts";
import type { LiveInput } from "#transit/live/collect.ts";
import { readLiveMessage } from "#transit/gtfs-rt/message.ts";

export type LiveJob = {
  /** In shared memory. */
  pack: { feed_id: string; version: number; bytes: Uint8Array };
  messages: readonly LiveBody[];
};

/** A file of live data as it came. */
export type LiveBody = { bytes: Uint8Array; fetched_ms: number };

export type LiveResult =
  /**
   * `made_ms`: when each message was made, by its own header; null: it does not say. `cost_ms`: processor
   * time of the thread that it took.
   */
  | { ok: true; bytes: Uint8Array; made_ms: (number | null)[]; cost_ms: number }
  | { ok: false; problem: string };

/** Reads jobs one after the other; opened timetables are kept, one of each feed. */
export function createLiveReader(
  used_ms: () => number = usedByThread_ms,
): (job: LiveJob) => LiveResult {
  const opened = new Map<string, { version: number; index: FeedIndex | null }>();

  function open({ feed_id, version, bytes }: LiveJob["pack"]): FeedIndex | null {
    const entry = opened.get(feed_id);
    if (entry?.version === version) return entry.index;
    const feed = openFeed(bytes);
    const index = feed && indexFeed(feed);
    opened.set(feed_id, { version, index });
    return index;
  }

  return ({ pack, messages }) => {
    const begun_ms = used_ms();
    const index = open(pack);
    if (index === null) return { ok: false, problem: "the timetable has no departures" };
    const inputs: LiveInput[] = [];
    for (const { bytes, fetched_ms } of messages) {
      const read = readLiveMessage(bytes);
      if (!read.ok) return read;
      inputs.push({ message: read.message, fetched_ms });
    }
    const made_ms = inputs.map(({ message: { timestamp_s } }) =>
      timestamp_s === null ? null : timestamp_s * 1_000,
    );
    const bytes = buildLive(index, inputs);
    return { ok: true, bytes, made_ms, cost_ms: used_ms() - begun_ms };
  };
}

function usedByThread_ms(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
