/** Compressed datasets are kept: each caller still gets its own, and the same bytes are packed once. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { ReadDataset } from "#app/capabilities/dataset-read.ts";
import { call } from "../support/call.ts";
import { NOW_MS, stubServer } from "../support/server.ts";

/** Of some kilobytes, with the id in every line. */
function contentOf(id: string): Buffer {
  return Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, i) => `${id} ${i * 7919}`)));
}

const read: ReadDataset = ({ id, version }) =>
  Promise.resolve({
    kind: "ok",
    bytes: new Uint8Array(contentOf(id)),
    row: {
      ...{ id, version, owner: "public" },
      ...{ created_at_ms: NOW_MS, expires_at_ms: NOW_MS + 60_000 },
    },
    is_short: false,
  });

describe("GET of a dataset that many ask for at once, in every coding", () => {
  const { app } = stubServer({
    quiet: true,
    capabilities: {
      read,
      execute: () => Promise.resolve({ kind: "refused", code: "store_unavailable", message: "" }),
      begin: () => Promise.resolve({ free: false, turn: null, end: () => undefined }),
    },
  });

  test("each answer is that of its own dataset", async () => {
    const codings = ["br", "gzip", "identity"] as const;
    const requests = Array.from({ length: 240 }, (_, i) => ({
      id: `nearby_${i % 8}`,
      coding: codings[i % codings.length]!,
    }));
    // It listens before many ask.
    await call(app, { url: "/health" });
    const replies = await Promise.all(
      requests.map(({ id, coding }) =>
        call(app, { url: `/v1/datasets/${id}/1-x`, headers: { "accept-encoding": coding } }),
      ),
    );
    for (const [i, { id, coding }] of requests.entries()) {
      const { statusCode, headers, rawPayload } = replies[i]!;
      assert.equal(statusCode, 200);
      assert.equal(headers["content-encoding"], coding === "identity" ? undefined : coding);
      const plain =
        coding === "br"
          ? brotliDecompressSync(rawPayload)
          : coding === "gzip"
            ? gunzipSync(rawPayload)
            : rawPayload;
      assert.deepEqual(plain, contentOf(id), `${id} ${coding}`);
    }
  });
});
