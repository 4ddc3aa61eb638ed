/**
 * One document of a register, read in a thread of its own: places arrive in batches, each when the
 * one before has been taken, so that the service is never held up for long.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import type { Place } from "#core/places/place.ts";
import { DEFECT } from "#kit/outcome.ts";
import { receive } from "#kit/receive.ts";
import { createTrail, type Trail } from "#kit/trail.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { findRegister } from "#providers/registers.ts";
import {
  ownedBuffer,
  runInThread,
  type ThreadLimits,
  type ThreadMessage,
  type ThreadReply,
} from "#kit/run/thread.ts";

/** Result of a document; `reason` null: it was read to its end. */
export type DocumentRead = { reason: string | null; trail: Trail };

type RegisterDocument = { id: string; settings: LookupSettings; body: Uint8Array };

export type ReadInThread = (
  document: RegisterDocument,
  options: { take: (places: readonly Place[]) => Promise<void>; signal: AbortSignal },
) => Promise<DocumentRead>;

const DEFAULTS = { max_heap_mb: 768, timeout_ms: 120_000 } as const;
const BATCH = 256;
const NOTHING: Trail = { dropped: [], repaired: [] };

/** Makes a reader in a thread; `worker_url` calls `serveDocument`. */
export function threadReader(
  given: Pick<ThreadLimits, "worker_url" | "onFault"> & Partial<ThreadLimits>,
): ReadInThread {
  return async (document, { take, signal }) => {
    const result = await runInThread<DocumentRead, Place[]>(
      document,
      { ...DEFAULTS, ...given },
      { onNote: take, signal, transfer: ownedBuffer(document.body) },
    );
    if (result.ok) return result.value;
    // Whatever ended it by itself was no document's doing.
    const reason = result.reason === "failed" ? DEFECT.reason : result.reason;
    return { reason, trail: NOTHING };
  };
}

/** Reads a document in the thread. */
export async function serveDocument(): Promise<void> {
  if (isMainThread || parentPort === null) return;
  const port = parentPort;
  const { id, settings, body } = workerData as RegisterDocument;
  const post = (message: ThreadMessage<DocumentRead, Place[]>): void => port.postMessage(message);
  const trail = createTrail();
  const end = (reason: string | null): void =>
    post({ kind: "value", value: { reason, trail: trail.toTrail() } });
  const places = findRegister(id)?.open(body, { settings, trail }) ?? null;
  if (places === null) return end("wrong_shape");
  let batch: Place[] = [];
  const hand = async (): Promise<void> => {
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    const listen = receive<ThreadReply>({ taken: () => resolve() });
    port.on("message", listen);
    post({ kind: "note", note: batch });
    await taken;
    port.off("message", listen);
    batch = [];
  };
  for (const place of places) {
    if (place !== null) batch.push(place);
    if (batch.length === BATCH) await hand();
  }
  await hand();
  end(null);
}
