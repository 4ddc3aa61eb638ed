/** Alerts: what is wrong, whom it concerns, and when that is to be shown. */
import type { LiveAlert, LiveSelector, LiveText } from "../live/live-model.ts";
import {
  inside,
  readEnum,
  readIdField,
  readInt32,
  readTextField,
  readTimeField_s,
  readUint32,
  takePart,
  Unusable,
  type FieldReading,
} from "./fields.ts";
import { readTripRef } from "./trip-updates.ts";
import { lengthTag, varintTag, type Wire } from "#kit/wire.ts";

/** In the order of their numbers; null: unknown, by name or because it has none. */
const CAUSES = [
  null,
  null,
  "other_cause",
  "technical_problem",
  "strike",
  "demonstration",
  "accident",
  "holiday",
  "weather",
  "maintenance",
  "construction",
  "police_activity",
  "medical_emergency",
];
const EFFECTS = [
  null,
  "no_service",
  "reduced_service",
  "significant_delays",
  "detour",
  "additional_service",
  "modified_service",
  "other_effect",
  null,
  "stop_moved",
  "no_effect",
  "accessibility_issue",
];
const SEVERITIES = [null, null, "info", "warning", "severe"];

/** Of one text; the European Union has 24 languages. */
const MOST_TRANSLATIONS = 64;
const MOST_PERIODS = 100;
const MOST_SELECTORS = 10_000;
const HTTP = /^https?:\/\//i;

const ALERT = {
  period: lengthTag(1),
  selector: lengthTag(5),
  cause: varintTag(6),
  effect: varintTag(7),
  url: lengthTag(8),
  header: lengthTag(10),
  description: lengthTag(11),
  severity: varintTag(14),
};

export function readAlert(wire: Wire, reading: FieldReading): LiveAlert {
  const alert: LiveAlert = {
    id: reading.entity_id,
    cause: null,
    effect: null,
    severity: null,
    header: [],
    description: [],
    url: [],
    periods: [],
    selectors: [],
  };
  const textOf = (inner: Wire): LiveText[] => readTranslations(inner, reading);
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === ALERT.period) readPeriod(wire, alert, reading);
    else if (tag === ALERT.selector) addSelector(wire, alert, reading);
    else if (tag === ALERT.cause) alert.cause = readEnum(wire, CAUSES);
    else if (tag === ALERT.effect) alert.effect = readEnum(wire, EFFECTS);
    else if (tag === ALERT.severity) alert.severity = readEnum(wire, SEVERITIES);
    else if (tag === ALERT.header) alert.header = inside(wire, textOf);
    else if (tag === ALERT.description) alert.description = inside(wire, textOf);
    else if (tag === ALERT.url)
      alert.url = inside(wire, textOf).filter(({ text }) => HTTP.test(text));
    else wire.skip(tag);
  }
  if (alert.selectors.length === 0) throw new Unusable("alert_about_nothing");
  return alert;
}

const PERIOD = { start: varintTag(1), end: varintTag(2) };

/** An end that cannot be read is none: the feed would have left the alert out. */
function readPeriod(wire: Wire, { periods }: LiveAlert, reading: FieldReading): void {
  const period: LiveAlert["periods"][number] = { from_s: null, to_s: null };
  inside(wire, (inner) => {
    for (let tag = inner.next(); tag !== 0; tag = inner.next()) {
      if (tag === PERIOD.start) period.from_s = readBound(inner, reading);
      else if (tag === PERIOD.end) period.to_s = readBound(inner, reading);
      else inner.skip(tag);
    }
  });
  if (periods.length < MOST_PERIODS && takePart(reading)) periods.push(period);
}

/** Zero, and times as far off as publishers write for "always", are no bound. */
function readBound(wire: Wire, reading: FieldReading): number | null {
  const from = wire.at;
  if (wire.varint() === 0) return null;
  wire.at = from;
  return readTimeField_s(wire, reading);
}

const SELECTOR = {
  agency_id: lengthTag(1),
  route_id: lengthTag(2),
  route_type: varintTag(3),
  trip: lengthTag(4),
  stop_id: lengthTag(5),
  direction: varintTag(6),
};

function addSelector(wire: Wire, { selectors }: LiveAlert, reading: FieldReading): void {
  const selector = inside(wire, readSelector);
  if (Object.values(selector).every((value) => value === null)) return;
  if (selectors.length < MOST_SELECTORS && takePart(reading)) selectors.push(selector);
}

function readSelector(wire: Wire): LiveSelector {
  const selector: LiveSelector = {
    agency_id: null,
    route_id: null,
    route_type: null,
    stop_id: null,
    direction: null,
    trip: null,
  };
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === SELECTOR.agency_id) selector.agency_id = readIdField(wire);
    else if (tag === SELECTOR.route_id) selector.route_id = readIdField(wire);
    else if (tag === SELECTOR.route_type) selector.route_type = readInt32(wire);
    else if (tag === SELECTOR.trip) selector.trip = inside(wire, readTripRef);
    else if (tag === SELECTOR.stop_id) selector.stop_id = readIdField(wire);
    else if (tag === SELECTOR.direction) selector.direction = readUint32(wire);
    else wire.skip(tag);
  }
  return selector;
}

const TRANSLATION = lengthTag(1);

/** Those with a text, in the feed's order. */
function readTranslations(wire: Wire, reading: FieldReading): LiveText[] {
  const texts: LiveText[] = [];
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag !== TRANSLATION || texts.length === MOST_TRANSLATIONS || !takePart(reading)) {
      wire.skip(tag);
      continue;
    }
    const text = inside(wire, readTranslation);
    if (text !== null) texts.push(text);
  }
  return texts;
}

const TEXT = lengthTag(1);
const LANGUAGE = lengthTag(2);

function readTranslation(wire: Wire): LiveText | null {
  let text: string | null = null;
  let language: string | null = null;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === TEXT) text = readTextField(wire);
    else if (tag === LANGUAGE) language = readIdField(wire);
    else wire.skip(tag);
  }
  return text === null ? null : { text, language };
}
