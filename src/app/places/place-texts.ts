/**
 * What places are in an answer, as text: JSON that is made once for each place and what is said of it
 * now, so that an answer joins texts. All but the distance, which is the question's.
 */
import type { OpenState } from "#hours/hours.ts";
import type { OpenItem, ServiceItem } from "#core/places/place-results.ts";
import type { OpenStates } from "./open-states.ts";

/** Texts that are remembered: at most twice as many, of some 600 bytes. */
const MOST_TEXTS = 10_000;

type Attributes = OpenItem["attributes"];

/** The texts around the distance (`toBinary`), and all that they depend on besides the attributes. */
type Written = {
  item: OpenItem;
  state: OpenState;
  /** Null: no time of the place is in it. */
  time_zone: string | null;
  before: string;
  after: string;
};

export class PlaceTexts {
  /** By the attributes of a place, which go when the page goes that it lies in. */
  #made = new WeakMap<Attributes, Written>();
  #before = new WeakMap<Attributes, Written>();
  #count = 0;

  /** The item as `states.show` has it, in JSON; null: its text is not made yet. */
  find(item: OpenItem, states: OpenStates): string | null {
    const { attributes } = item;
    let entry = this.#made.get(attributes);
    if (entry === undefined) {
      entry = this.#before.get(attributes);
      if (entry === undefined) return null;
      this.#keep(attributes, entry);
    }
    if (!isSame(entry, item, states)) return null;
    return `${entry.before}${item.distance_meters}${entry.after}`;
  }

  /** Makes the text of an item. */
  write(item: OpenItem, states: OpenStates): string {
    const state = states.of(item);
    const [before, after] = split(states.show(item));
    const entry = { item, state, time_zone: zoneOf(item, state, states), before, after };
    this.#keep(item.attributes, entry);
    return `${before}${item.distance_meters}${after}`;
  }

  #keep(attributes: Attributes, entry: Written): void {
    if (this.#count >= MOST_TEXTS) {
      this.#before = this.#made;
      this.#made = new WeakMap();
      this.#count = 0;
    }
    this.#made.set(attributes, entry);
    this.#count++;
  }
}

/** Whether the text of one item is that of another one but for the distance. */
function isSame({ item: made, state, time_zone }: Written, item: OpenItem, states: OpenStates) {
  return (
    made.id === item.id &&
    made.name === item.name &&
    made.service_type === item.service_type &&
    made.provider === item.provider &&
    made.location.lat === item.location.lat &&
    made.location.lon === item.location.lon &&
    isSameState(state, states.of(item)) &&
    time_zone === zoneOf(item, state, states)
  );
}

function isSameState(a: OpenState, b: OpenState): boolean {
  if (a === b) return true;
  return (
    a.state === b.state &&
    a.until_ms === b.until_ms &&
    a.rule === b.rule &&
    a.holidays_known === b.holidays_known
  );
}

/** The zone of the times in an item; null: there are none. */
function zoneOf(
  { opening, attributes, location }: OpenItem,
  { until_ms }: OpenState,
  states: OpenStates,
): string | null {
  if (until_ms === null && !("availability" in attributes)) return null;
  return opening?.time_zone ?? states.zoneAt(location.lat, location.lon);
}

const DISTANCE = "distance_meters";

/** The text of an item before its distance, and after it. */
function split(shown: ServiceItem): readonly [before: string, after: string] {
  const members = Object.entries(shown);
  const at = members.findIndex(([name]) => name === DISTANCE);
  const before = JSON.stringify(Object.fromEntries(members.slice(0, at))).slice(0, -1);
  const after = JSON.stringify(Object.fromEntries(members.slice(at + 1))).slice(1);
  return [toBinary(`${before},"${DISTANCE}":`), toBinary(`,${after}`)];
}

const ASCII = /^[\x20-\x7e]*$/;

/** A character for each byte of the text in UTF-8: what is made once is not encoded with every answer. */
export function toBinary(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text).toString("latin1");
}
