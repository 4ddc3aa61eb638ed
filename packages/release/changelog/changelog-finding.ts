/** What keeps a changelog or a release back: a code for programs, a sentence for people. */

export type FindingCode =
  | "invalid_document"
  | "missing_member"
  | "unknown_member"
  | "wrong_type"
  | "invalid_text"
  | "invalid_id"
  | "duplicate_id"
  | "removed_entry"
  | "invalid_date"
  | "future_date"
  | "stale_update"
  | "invalid_order"
  | "invalid_api_version"
  | "unreleased_version"
  | "unsupported_type"
  | "inconsistent_breaking"
  | "unsafe_link";

export type ReleaseFinding = {
  code: FindingCode;
  /** The entry's id, or its place (`entries[3]`) where it has none; null: the document itself. */
  entry: string | null;
  /** Names the entry and the rule. */
  message: string;
};

export function toFinding(code: FindingCode, entry: string | null, rule: string): ReleaseFinding {
  return { code, entry, message: `${entry ?? "the changelog"}: ${rule}` };
}
