/**
 * The records of a dataset: the answer of /v1/nearby as it is kept (decisions, Capabilities). Mostly
 * byte for byte; actions of another intent are left out, and of what may not be kept ids alone stay.
 */
import type { Audit } from "#app/audit.ts";
import type { SourceTerms, TermsOf } from "./search-observation.ts";

/** A station or a service has an id, a vehicle a source id. */
type Item = {
  id?: string;
  source_id?: string;
  service_type?: string;
  provider?: { id: string };
  attributes?: { sources?: { source_id: string }[] };
};
type Body = {
  results: { places: Item[]; stations: Item[]; vehicles: Item[] };
  available_actions: { intent: string }[];
  nearest_known?: { id: string } | null;
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
  const { nearest_known: nearest = null, ...whole } = content;
  // Where a thing is may be kept only of what may be kept whole.
  const isNearestKept = nearest === null || reduce(nearest, audit, termsOf)[0] === nearest;
  const stored = {
    ...(isNearestKept ? content : whole),
    results: { ...content.results, ...results },
    available_actions: actions,
  };
  return { bytes: Buffer.from(JSON.stringify(stored)), content: stored };
}

/** The strictest terms hold of those who observe it. */
function reduce(item: Item, audit: Audit, termsOf: TermsOf): Item[] {
  const { id, source_id } = item;
  const by = audit.observed.get(id ?? source_id ?? "") ?? observersOf(item);
  const stores = new Set<SourceTerms["store"]>(by.map((source) => termsOf(source).store));
  if (stores.has("none")) return [];
  if (!stores.has("ids")) return [item];
  return [
    { ...(id === undefined ? {} : { id }), ...(source_id === undefined ? {} : { source_id }) },
  ];
}

/** Car parks and chargers have the name of the maps provider, whichever source observed them (§4.7). */
function observersOf({ source_id, service_type, provider, attributes }: Item): string[] {
  const isFacility = service_type === "parking" || service_type === "charging";
  const named = isFacility ? attributes?.sources?.map((each) => each.source_id) : undefined;
  const alone = (isFacility ? provider?.id : undefined) ?? source_id;
  return named ?? (alone === undefined ? [] : [alone]);
}
