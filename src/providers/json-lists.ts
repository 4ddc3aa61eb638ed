/**
 * The list of an answer, in whatever envelope a server puts it. That its rows are of the protocol is
 * judged by the reader of the source: a list of other rows is no answer (place-rows.ts, transit-lookup.ts).
 */
import { toRow } from "#kit/coerce.ts";

/** Members under which proxies and other releases put a list. */
const ENVELOPES = ["data", "items", "results"] as const;

/**
 * Finds the list of a document; null: it has none. `own`: the member that the protocol names, null
 * where it is the whole document. An empty list is an answer only in the protocol's own shape:
 * elsewhere it is unknown what it is empty of.
 */
export function listIn(json: unknown, own: string | null): readonly unknown[] | null {
  if (Array.isArray(json)) return own === null || json.length > 0 ? json : null;
  const document = toRow(json);
  if (!document) return null;
  if (own !== null && own in document) return toArray(document[own]);
  const lists = ENVELOPES.map((name) => toArray(document[name]));
  return lists.find((list) => list !== null && list.length > 0) ?? null;
}

function toArray(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null;
}
