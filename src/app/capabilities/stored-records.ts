/**
 * The records of a dataset: the answer of /v1/nearby as it is kept (decisions, Capabilities). Mostly
 * byte for byte; actions of another intent are left out, and of what may not be kept ids alone stay.
 */
import type { Audit } from "#app/audit.ts";
import type { SourceTerms, TermsOf } from "./search-observation.ts";

/** A station or a service has an id, a vehicle a source id. */
type Item = { id?: string; source_id?: string };
type Body = {
  results: { places: Item[]; stations: Item[]; vehicles: Item[] };
  available_actions: { intent: string }[];
};

/** Turns `body`, the rendered answer, into records; the bytes differ only where something must change. */
export function toRecords(
  body: Uint8Array,
  audit: Audit,
  { intent, termsOf }: { intent: string | null; termsOf: TermsOf },
): { bytes: Uint8Array; content: unknown } {
  const content = JSON.parse(Buffer.from(body).toString()) as Body;
  const isWhole = audit.sources.every(({ source_id }) => termsOf(source_id).store === "all");
  if (intent === null && isWhole) return { bytes: body, content };
  const keep = (items: Item[]): Item[] => items.flatMap((item) => reduce(item, audit, termsOf));
  const { places, stations, vehicles } = content.results;
  const results = { places: keep(places), stations: keep(stations), vehicles: keep(vehicles) };
  const actions = content.available_actions.filter(
    (action) => intent === null || action.intent === intent,
  );
  const stored = {
    ...content,
    results: { ...content.results, ...results },
    available_actions: actions,
  };
  return { bytes: Buffer.from(JSON.stringify(stored)), content: stored };
}

/** The strictest terms hold of those who observe it. */
function reduce(item: Item, audit: Audit, termsOf: TermsOf): Item[] {
  const { id, source_id } = item;
  const own = source_id === undefined ? [] : [source_id];
  const by = audit.observed.get(id ?? source_id ?? "") ?? own;
  const stores = new Set<SourceTerms["store"]>(by.map((source) => termsOf(source).store));
  if (stores.has("none")) return [];
  if (!stores.has("ids")) return [item];
  return [
    { ...(id === undefined ? {} : { id }), ...(source_id === undefined ? {} : { source_id }) },
  ];
}
