/**
 * Notifies a portal of a release (contract §9): a separate step that reads what was committed and
 * writes nothing, so that a portal that is down invalidates nothing and can be notified again.
 */
import { createHash } from "node:crypto";
import { RELEASE_FILES, releasedFiles } from "#cli/releases.ts";
import { git } from "./git.ts";

export type Portal = {
  /** The address under which `releases/<api_version>` is put. */
  url: string;
  token: string | null;
  timeout_ms: number;
};

export type Announced =
  | { ok: true; api_version: string; key: string }
  | { ok: false; problem: string };

/** Sends the release; the same one gives the same request under the same `Idempotency-Key`. */
export async function announce(root: string, portal: Portal): Promise<Announced> {
  const api_version = readVersion(git(root, "show", `HEAD:${RELEASE_FILES.description}`));
  const files = releasedFiles(api_version);
  const [description, changelog] = [files.description, files.changelog].map(
    (path) => JSON.parse(git(root, "show", `HEAD:${path}`)) as unknown,
  );
  const body = JSON.stringify({ api_version, description, changelog });
  const key = createHash("sha256").update(body).digest("hex");
  const address = new URL(`${portal.url.replace(/\/$/, "")}/releases/${api_version}`);
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const authorization = portal.token === null ? {} : { authorization: `Bearer ${portal.token}` };
  try {
    const reply = await fetch(address, {
      method: "PUT",
      body,
      headers: { ...headers, ...authorization },
      redirect: "error",
      signal: AbortSignal.timeout(portal.timeout_ms),
    });
    await reply.body?.cancel();
    if (reply.ok) return { ok: true, api_version, key };
    return { ok: false, problem: `the portal answered ${reply.status}` };
  } catch (error) {
    return { ok: false, problem: `the portal cannot be reached: ${(error as Error).message}` };
  }
}

function readVersion(text: string): string {
  return (JSON.parse(text) as { info: { version: string } }).info.version;
}
