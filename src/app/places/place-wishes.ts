/** The filters of a search for places (docs/design/places.md, "Usable now"), as wishes for what it finds. */
import { type Decoded, defaultsOf } from "#api/primitives.ts";
import { CHARGING_FILTERS, USABLE_PARAMETERS } from "#api/usable.ts";
import type { OpenItem } from "#core/places/place-results.ts";
import {
  type ConnectorWish,
  type CountedFact,
  hasConnector,
  isForWheelchairs,
  isFree,
  isPublic,
  listPlugDoubts,
  type Wish,
} from "#core/places/usable-filter.ts";
import type { OpenStates } from "./open-states.ts";

type WishQuestion = Decoded<typeof USABLE_PARAMETERS & typeof CHARGING_FILTERS>;

const UNSET = Object.entries(defaultsOf({ ...USABLE_PARAMETERS, ...CHARGING_FILTERS }));

/** Whether any filter of places is set; `strict` is none by itself. */
export function isFiltered(question: WishQuestion): boolean {
  const values: Readonly<Record<string, unknown>> = question;
  return UNSET.some(([name, unset]) => name !== "strict" && values[name] !== unset);
}

/** The filters that are set. */
export function listWishes(question: WishQuestion, states: OpenStates): Wish<OpenItem>[] {
  const { usable, wheelchair, fee, access, connector = null, min_kw } = question;
  const isOpen = (item: OpenItem): boolean | null => {
    const { state } = states.of(item);
    return state === "unknown" ? null : state === "open";
  };
  return [
    ...(usable === "any" ? [] : [{ count: "hours", filter: "usable", fits: isOpen } as const]),
    ...(wheelchair === "any" ? [] : [by("wheelchair", "wheelchair", isForWheelchairs)]),
    ...(fee === "any" ? [] : [by("fee", "free", isFree)]),
    ...(access === "any" ? [] : [by("access", "public", isPublic)]),
    ...(connector === null && min_kw === 0
      ? []
      : [byConnector({ types: connector, min_kw, free: usable === "now" })]),
  ];
}

/** Of chargers alone: anything else that is asked for fits. */
function byConnector(wish: ConnectorWish): Wish<OpenItem> {
  return {
    count: "connector",
    filter: "connector",
    kind: "charging",
    fits: ({ service_type, attributes }) =>
      service_type !== "charging" || hasConnector(attributes, wish),
    doubts: ({ attributes }) => listPlugDoubts(attributes, wish),
  };
}

function by(
  count: "wheelchair" | "fee" | "access",
  fact: CountedFact,
  fits: (attributes: OpenItem["attributes"]) => boolean | null,
): Wish<OpenItem> {
  return { count, filter: count, fact, fits: ({ attributes }) => fits(attributes) };
}
