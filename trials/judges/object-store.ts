/**
 * A server that speaks S3, as others have written it: it serves ranges, and knows the keys of those who
 * sign; that a signature of version 4 is right it does not look at.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needJudges } from "./install.ts";

needJudges();
const { default: S3rver } = await import("s3rver");

/** Keys that it knows. */
export const KEYS = { access_key_id: "S3RVER", secret_access_key: "S3RVER" } as const;

export type ObjectStore = AsyncDisposable & {
  /** Of the only bucket. */
  url: string;
};

/** On loopback, with its objects in a folder of its own. */
export async function startObjectStore(): Promise<ObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), "objects-"));
  const server = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory },
    configureBuckets: [{ name: "bases", configs: [] }],
  });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}/bases`,
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
