/**
 * Tariffs of OCPI 2.1.1 to 2.3 as prices. A number is taken only where one element without restrictions
 * states it; of anything else the operator's words and link are kept. Reference: ocpi/ocpi 2.2.1,
 * mod_tariffs.
 */
import { LIMITS } from "#api/limits.ts";
import type { PriceValue } from "#api/prices.ts";
import { type Row, toId, toList, toLocalised, toNumber, toRow, toText } from "#kit/coerce.ts";
import { cutText } from "#kit/text/cut.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { cleanDeepLink } from "#kit/uris.ts";
import type { Companions } from "#providers/lookup.ts";
import { isGone, listEvses } from "#providers/ocpi/evses.ts";
import { openJsonList } from "#providers/json-list.ts";
import { type RowNotes, toDecimal, toUtcTime_s } from "#providers/place-rows.ts";

/** By id, and by `CC/PARTY/id`; null: two parties have one of this id. */
export type Tariffs = ReadonlyMap<string, PriceValue | null>;

const MAX_TARIFFS = 10_000;
const MAX_ELEMENTS = 100;
const MAX_COMPONENTS = 20;
const TEXT_MAX = 500;

/** Reads the tariffs of documents, whose list is under `names`, or is all of it. */
export function openTariffs(
  companions: Companions,
  names: readonly string[],
  trail: TrailRecorder,
): Tariffs {
  const made = companions.made as Tariffs | undefined;
  const tariffs = made ?? readTariffs(rowsOf(companions.bodies, names), trail);
  companions.made = tariffs;
  return tariffs;
}

function* rowsOf(bodies: Companions["bodies"], names: readonly string[]): Generator<unknown, void> {
  for (const body of bodies) yield* openJsonList(body, names)?.rows() ?? [];
}

function readTariffs(wires: Iterable<unknown>, trail: TrailRecorder): Tariffs {
  const tariffs = new Map<string, PriceValue | null>();
  let count = 0;
  for (const wire of wires) {
    if (count++ === MAX_TARIFFS) {
      trail.repair("too_many_tariffs", "tariffs");
      break;
    }
    const row = toRow(wire);
    const id = toId(row?.["id"]);
    if (!row || id === null) {
      trail.repair("tariff_unusable", id ?? `#${count - 1}`);
      continue;
    }
    const price = toPrice(row, { trail, id });
    const key = partyKey(row, id);
    // One that each connector has in it is the same.
    tariffs.set(id, tariffs.has(id) && !tariffs.has(key) ? null : price);
    tariffs.set(key, price);
  }
  return tariffs;
}

/** Prices of a location by the tariffs that its connectors name or have in them; null: none is known. */
export function pricesOf(
  location: Row,
  { tariffs, trail }: { tariffs: readonly Tariffs[]; trail: TrailRecorder },
): PriceValue[] | null {
  const listed = listEvses(location)
    .map(toRow)
    .filter((one) => one !== null);
  const evses = listed.filter((evse) => !isGone(evse));
  const connectors = evses.flatMap((evse) => toList(evse["connectors"])).map(toRow);
  const holders = [location, ...evses, ...connectors].filter((one) => one !== null);
  const key = (id: string): string => partyKey(location, id);
  const wires = holders.flatMap((one) => toList(one["tariffs"])).slice(0, MAX_TARIFFS);
  const own = readTariffs(wires.filter(toRow), trail);
  const ids = holders.flatMap((one) => [...toList(one["tariff_ids"]), one["tariff_id"]]);
  const named = [...new Set(ids.map(toId))].filter((id) => id !== null);
  const prices = [...named, ...own.keys()].flatMap(
    (id) =>
      [own, ...tariffs].map((of) => of.get(key(id)) ?? of.get(id)).find((price) => price) ?? [],
  );
  const once = new Map(prices.map((price) => [JSON.stringify(price), price]));
  return once.size === 0 ? null : [...once.values()].slice(0, LIMITS.prices.tariffs_max);
}

function partyKey(row: Row, id: string): string {
  const of = (name: string): string => toText(row[name])?.toUpperCase() ?? "";
  return `${of("country_code")}/${of("party_id")}/${id}`;
}

type Component = { type: string; price: number | null; step: number | null; vat: number | null };
type Element = { is_restricted: boolean; components: Component[] };

function toPrice(row: Row, notes: RowNotes): PriceValue {
  const stated = toText(row["currency"])?.toUpperCase() ?? "";
  const currency = /^[A-Z]{3}$/.test(stated) ? stated : null;
  const listed = toList(row["elements"]);
  // Of too many, and of what may have ended, nothing is certain.
  const isCertain = currency !== null && listed.length <= MAX_ELEMENTS && isInForce(row);
  const elements = listed.slice(0, MAX_ELEMENTS).map((wire) => toElement(wire, notes));
  const only = (type: string): Component | null => (isCertain ? onlyOf(elements, type) : null);
  const [energy, flat, time] = [only("ENERGY"), only("FLAT"), only("TIME")];
  const text = toLocalised(row["tariff_alt_text"], ["en"]);
  const vats = [energy, flat, time].flatMap((one) => one?.vat ?? []);
  return {
    plan_id: notes.id,
    currency,
    unlock: flat?.price ?? null,
    ...perMinute(time),
    per_kwh: energy?.price ?? null,
    ...toTax(row, vats),
    ...(hasMore(row, elements, [energy, flat, time]) && { has_fees: true as const }),
    text: text === null ? null : cutText(text, TEXT_MAX),
    url: toLink(row["tariff_alt_url"]),
  };
}

function toLink(wire: unknown): string | null {
  const link = cleanDeepLink("web", wire);
  return link?.startsWith("https://") === true ? link : null;
}

/** Without a clock it is not known whether an end has passed; a start after its last change is ahead. */
function isInForce(row: Row): boolean {
  const [from, updated] = [row["start_date_time"], row["last_updated"]].map(toUtcTime_s);
  return row["end_date_time"] == null && (from ?? 0) <= (updated ?? Infinity);
}

function toElement(wire: unknown, notes: RowNotes): Element {
  const row = toRow(wire);
  const { restrictions = null } = row ?? {};
  const conditions = Object.values(toRow(restrictions) ?? {});
  const components = toList(row?.["price_components"]).slice(0, MAX_COMPONENTS);
  return {
    // What is no object is a condition that cannot be read.
    is_restricted:
      conditions.some((one) => one !== null) || (restrictions !== null && !toRow(restrictions)),
    components: components.map((one) => toComponent(toRow(one) ?? {}, notes)),
  };
}

function toComponent(row: Row, notes: RowNotes): Component {
  const price = toDecimal(row["price"], notes);
  return {
    type: toText(row["type"])?.toUpperCase() ?? "",
    price: price !== null && price >= 0 ? price : null,
    step: toNumber(row["step_size"]),
    vat: toNumber(row["vat"]),
  };
}

/** null: no element states it, or several, or one under conditions. */
function onlyOf(elements: readonly Element[], type: string): Component | null {
  const having = elements.flatMap(({ is_restricted, components }) =>
    components.filter((one) => one.type === type).map((one) => (is_restricted ? null : one)),
  );
  return having.length === 1 ? having[0]! : null;
}

const MINUTE_S = 60;
const HOUR_MIN = 60;

/** The price is that of an hour, charged in steps of seconds. */
function perMinute(time: Component | null): Pick<PriceValue, "per_minute" | "minute_steps"> {
  if (time === null || time.price === null) return { per_minute: null };
  const rate = round(time.price / HOUR_MIN);
  const step_min = (time.step ?? 1) / MINUTE_S;
  if (step_min <= 1) return { per_minute: rate };
  const of_step = round((time.price / HOUR_MIN) * step_min);
  return {
    per_minute: null,
    minute_steps: [{ start: 0, rate: of_step, interval: step_min, end: null }],
  };
}

const round = (amount: number): number => Number(amount.toFixed(6));

/** Prices are without tax (2.1.1 to 2.2.1), unless 2.3 says otherwise. */
function toTax(row: Row, vats: readonly number[]): Pick<PriceValue, "is_taxable"> {
  const included = toText(row["tax_included"])?.toUpperCase();
  if (included === "YES" || included === "N/A") return { is_taxable: false };
  if (included === "NO" || vats.some((vat) => vat > 0)) return { is_taxable: true };
  return {};
}

/** Something is charged that none of the numbers says. */
function hasMore(
  row: Row,
  elements: readonly Element[],
  said: readonly (Component | null)[],
): boolean {
  const priced = elements
    .flatMap(({ components }) => components)
    .filter(({ price }) => price !== 0);
  const min = row["min_price"] != null;
  return min || priced.some((one) => !said.includes(one) || one.price === null);
}
