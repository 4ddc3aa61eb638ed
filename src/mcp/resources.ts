/** Datasets as resources: what a resource link points to can be read here as well as over HTTP. */
import type { Passage } from "#app/access/caller.ts";
import type { ReadDataset } from "#app/capabilities/read.ts";
import { errorRow } from "#contract/errors.ts";
import { findOperation } from "#contract/operations.ts";
import type { Clock } from "#ports.ts";
import type { Failure } from "./tool.ts";

type ResourceReply =
  | {
      kind: "answered";
      text: string;
      expires_at_ms: number;
      scope: "public" | "private";
      now_ms: number;
    }
  | { kind: "unknown" }
  | ({ kind: "refused" } & Failure);

export type ReadResource = (uri: string, passage: Passage) => Promise<ResourceReply>;

/** By its resource, or by the address of GET /v1/datasets on whatever host. */
const DATASET = /^(?:vicinity:\/\/|https?:\/\/[^/?#]+)\/v1\/datasets\/([^/?#]+)\/([^/?#]+)$/;

const OPERATION = findOperation("readDataset");

export function createReadResource({
  read,
  clock,
}: {
  read: ReadDataset;
  clock: Pick<Clock, "now">;
}): ReadResource {
  return async (uri, passage) => {
    const [, id, version] = DATASET.exec(uri) ?? [];
    if (id === undefined || version === undefined) return { kind: "unknown" };
    const refusal = passage.permit(OPERATION, true);
    if (refusal) return { kind: "refused", ...refusal };
    const now_ms = clock.now();
    const reply = await read({ id, version }, "body", { caller: passage.caller, now_ms });
    if (reply.kind === "ok") {
      const scope = passage.caller.kind === "anonymous" ? "public" : "private";
      const { expires_at_ms } = reply.row;
      return {
        kind: "answered",
        text: Buffer.from(reply.bytes).toString(),
        expires_at_ms,
        scope,
        now_ms,
      };
    }
    const { code } = reply;
    if (code === "dataset_not_found") return { kind: "unknown" };
    return { kind: "refused", code, message: errorRow(code).example };
  };
}
