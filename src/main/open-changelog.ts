/** The changelog of the last release, for a deployment that publishes it (§4.13). */
import { existsSync, readFileSync } from "node:fs";
import type { ChangelogDocument } from "#api/changelog.ts";
import { API_VERSION } from "#api/openapi.ts";
import { checkChangelog } from "#release/changelog/changelog-check.ts";
import { parseJson } from "#kit/json.ts";

const RELEASED = new URL(`../../releases/${API_VERSION}/changelog.json`, import.meta.url);

/**
 * null: not published. What a release has written is served, never the file that the next one is
 * prepared in; when it was released was judged then, not by the clock of this machine.
 */
export function readChangelog(
  { published }: { published: boolean },
  file: URL = RELEASED,
): { document: ChangelogDocument | null } | { problem: string } {
  if (!published) return { document: null };
  if (!existsSync(file))
    return { problem: `changelog.published: version ${API_VERSION} has no released changelog` };
  const document = parseJson(readFileSync(file, "utf8"));
  const [finding] = checkChangelog(document, { now_ms: Infinity, released: null });
  if (finding !== undefined) return { problem: `changelog.published: ${finding.message}` };
  return { document: document as ChangelogDocument };
}
