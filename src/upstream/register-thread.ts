/**
 * One document of a register, read in a thread of its own: rows arrive in batches, each when the
 * one before has been taken, so that the service is never held up for long.
 */
import { DEFECT } from "#kit/outcome.ts";
import { createTrail, type Trail } from "#kit/trail.ts";
import type { Companions, LookupSettings } from "#providers/lookup.ts";
import { findOpener, type ReaderKey } from "#providers/register-protocol.ts";
import { ownedBuffer, runInThread, serveJobs, type ThreadLimits } from "#kit/run/thread.ts";

/** Result of a document; `reason` null: it was read to its end; `next`: the next page, where its body names one. */
export type DocumentRead = { reason: string | null; trail: Trail; next: string | null };

type RegisterDocument = ReaderKey & {
  settings: LookupSettings;
  body: Uint8Array;
  companions: Companions;
};

export type ReadInThread = (
  document: RegisterDocument,
  options: { take: (rows: readonly object[]) => Promise<void>; signal: AbortSignal },
) => Promise<DocumentRead>;

const DEFAULTS = { max_heap_mb: 768, job_timeout_ms: 120_000 } as const;
const BATCH = 256;
const NOTHING: Trail = { dropped: [], repaired: [] };

/** Makes a reader in a thread; `worker_url` calls `serveDocuments`. */
export function threadReader(limits: ThreadLimits): ReadInThread {
  return async (document, { take, signal }) => {
    const result = await runInThread<DocumentRead, object[]>(
      document,
      { ...DEFAULTS, ...limits },
      { onNote: take, signal, transfer: ownedBuffer(document.body) },
    );
    if (result.ok) return result.value;
    // Whatever ended it by itself was no document's doing.
    const reason = result.reason === "failed" ? DEFECT.reason : result.reason;
    return { reason, trail: NOTHING, next: null };
  };
}

/** Reads documents in the thread. */
export function serveDocuments(): void {
  serveJobs<RegisterDocument, DocumentRead, object[]>(
    async ({ body, settings, companions, ...key }, hand) => {
      const trail = createTrail();
      const opener = findOpener(key);
      const rows = opener?.open(body, { settings: settings as never, trail, companions }) ?? null;
      if (rows === null) return { reason: "wrong_shape", trail: trail.toTrail(), next: null };
      let batch: object[] = [];
      for (const row of rows) {
        if (row !== null) batch.push(row);
        if (batch.length < BATCH) continue;
        await hand(batch);
        batch = [];
      }
      await hand(batch);
      return { reason: null, trail: trail.toTrail(), next: opener?.nextPage?.(body) ?? null };
    },
  );
}
