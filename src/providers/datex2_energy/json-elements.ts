/**
 * Reads the JSON encoding of DATEX II 3 as the elements that its XML encoding would be, so that one
 * reader does for both. JSON names a type by a member with a prefix of its own (`aegiElectricChargingPoint`),
 * ends the names of attributes and extensions in G, and puts words of a vocabulary into `{value}`.
 */
import { type Row, toRow } from "#kit/coerce.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { XmlElement } from "#providers/xml-elements.ts";

const PREFIX = /^(?:aegi|egi|afac|fac|com|loc|eu)(?=[A-Z])/;
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["idG", "id"],
  ["versionG", "version"],
  ["extendedValueG", "_extendedValue"],
  ["lang", "lang"],
]);
/** Of the way to what is wanted, and of one wanted element. */
const MAX_WAY = 10;
const MAX_DEPTH = 64;
const MAX_DESCENDANTS = 100_000;

/** Finds members by name without its prefix, at any depth; not those inside one that was found. */
export function* findMembers(
  wire: unknown,
  isWanted: (name: string) => boolean,
  way = 0,
): Generator<[name: string, value: unknown], void> {
  if (typeof wire !== "object" || wire === null || way > MAX_WAY) return;
  // Plain values first: the time of a publication counts for all that is in it, wherever it is.
  const members = Object.entries(wire).sort(
    (a, b) => Number(isObject(a[1])) - Number(isObject(b[1])),
  );
  for (const [key, value] of members) {
    const name = key.replace(PREFIX, "");
    if (!Array.isArray(wire) && isWanted(name)) yield [name, value];
    else yield* findMembers(value, isWanted, way + 1);
  }
}

/** Gives the wanted elements as `readElements` does; null: one above the bounds, with its reason. */
export function* readJsonElements(
  wire: unknown,
  wanted: ReadonlySet<string>,
  trail: TrailRecorder,
): Generator<XmlElement | null, void> {
  for (const [name, value] of findMembers(wire, (each) => wanted.has(each)))
    for (const one of listOf(value)) {
      const budget = { left: MAX_DESCENDANTS };
      const elements = toElements(name, one, { budget, depth: 0 });
      if (budget.left <= 0) trail.drop("json_element_too_large", "");
      if (budget.left <= 0) yield null;
      else yield* elements;
    }
}

type Bounds = { budget: { left: number }; depth: number };

/** Several where the member that names the type has a list. Nothing, once a bound was exceeded. */
function toElements(name: string, wire: unknown, { budget, depth }: Bounds): XmlElement[] {
  budget.left -= depth > MAX_DEPTH ? MAX_DESCENDANTS : 1;
  if (wire === null || budget.left <= 0) return [];
  const row = toRow(wire);
  if (!row) return isObject(wire) ? [] : [element(name, { text: scalarOf(wire) })];
  const [type, typed] = typeIn(row);
  const inside = { budget, depth: depth + 1 };
  return typed === null
    ? [toElement(name, row, inside)]
    : listOf(typed).flatMap((one) => {
        const own = toRow(one);
        if (!own) return [];
        const { attributes, ...rest } = toElement(name, own, inside);
        return [{ ...rest, attributes: new Map([...attributes, ["type", type]]) }];
      });
}

function toElement(name: string, row: Row, bounds: Bounds): XmlElement {
  // A text in several languages is a list of rows in JSON, and elements of one name in XML.
  if (name === "values") return element(name, { children: toElements("value", row, bounds) });
  const attributes = new Map<string, string>();
  const children: XmlElement[] = [];
  let text = "";
  for (const [key, value] of Object.entries(row)) {
    const attribute = ATTRIBUTES.get(key);
    if (attribute !== undefined) attributes.set(attribute, scalarOf(value));
    else if (key === "value" && !isObject(value)) text = scalarOf(value);
    else
      for (const one of listOf(value)) {
        if (bounds.budget.left <= 0) break;
        children.push(...toElements(key.replace(PREFIX, ""), one, bounds));
      }
  }
  return element(name, { attributes, children, text });
}

/** The member that names the type of the object it is alone in. */
function typeIn(row: Row): [type: string, value: unknown] | [type: "", value: null] {
  const [key = "", ...others] = Object.keys(row);
  const isType = others.length === 0 && PREFIX.test(key) && !key.endsWith("G");
  return isType && isObject(row[key]) ? [key.replace(PREFIX, ""), row[key]] : ["", null];
}

function element(name: string, of: Partial<XmlElement>): XmlElement {
  return { name, attributes: new Map(), children: [], text: "", ...of };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function scalarOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
