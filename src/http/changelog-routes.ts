/** GET /changelog.json (§4.13): 404 until the deployment publishes it. */
import type { ChangelogDocument } from "#api/changelog.ts";
import { findOperation } from "#api/operations.ts";
import { createDocument } from "./document.ts";
import { refusal, sendProblem } from "./error-replies.ts";
import type { Handler } from "./handler.ts";

const CHANGELOG = findOperation("getChangelog");
const UNPUBLISHED = refusal("not_found", "the changelog is not published");

/** null: not published. */
export function createChangelogHandler(changelog: ChangelogDocument | null): Handler {
  if (changelog === null) return (exchange) => sendProblem(exchange, CHANGELOG, UNPUBLISHED);
  const last_modified_ms = Date.parse(changelog.updated_at);
  return createDocument(`${JSON.stringify(changelog, null, 2)}\n`, { last_modified_ms });
}
