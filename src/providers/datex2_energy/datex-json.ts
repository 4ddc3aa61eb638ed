/**
 * DATEX II written as JSON, as the elements that the same publication has in XML, so that one reader
 * serves both. In JSON a value is `{"value": x}`, a type is a member around its object
 * (`{"aegiElectricChargingPoint": {…}}` for `xsi:type`), and attributes end in G (`idG`).
 */
import { type Row, toRow, toText } from "#kit/coerce.ts";
import type { XmlElement } from "#providers/xml-elements.ts";

const MAX_DEPTH = 64;
/** Of one site. */
const MAX_ELEMENTS = 100_000;
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["idG", "id"],
  ["versionG", "version"],
  ["extendedValueG", "extendedValue"],
  ["lang", "lang"],
]);
/** The namespace, and the type behind it. */
const TYPED = /^(?:aegi|afac|com|loc)([A-Z][A-Za-z]{0,99})$/;

type Budget = { left: number };

/** Null: it has more parts than one element may have, or is nested too deeply. */
export function toElement(name: string, wire: unknown): XmlElement | null {
  const budget = { left: MAX_ELEMENTS };
  const element = convert(name, wire, { budget, depth: 0 });
  return budget.left < 0 ? null : element;
}

function convert(
  name: string,
  wire: unknown,
  { budget, depth }: { budget: Budget; depth: number },
): XmlElement {
  const attributes = new Map<string, string>();
  const children: XmlElement[] = [];
  budget.left -= depth > MAX_DEPTH ? MAX_ELEMENTS : 1;
  const outer = toRow(wire);
  if (!outer || budget.left < 0)
    return { name, attributes, children, text: budget.left < 0 ? "" : textOfScalar(wire) };
  const row = inside(outer, attributes);
  let text = "";
  for (const key in row) {
    const attribute = ATTRIBUTES.get(key);
    if (attribute !== undefined) attributes.set(attribute, textOfScalar(row[key]));
    else if (key === "value" && !toRow(row[key]) && !Array.isArray(row[key]))
      text = textOfScalar(row[key]);
    else
      for (const value of Array.isArray(row[key]) ? row[key] : [row[key]])
        if (value !== null) children.push(convert(key, value, { budget, depth: depth + 1 }));
  }
  return { name, attributes, children, text };
}

/** What a member that is a type is around; the type goes to the attributes, as in XML. */
function inside(row: Row, attributes: Map<string, string>): Row {
  const keys = Object.keys(row);
  const type = keys.length === 1 ? TYPED.exec(keys[0]!)?.[1] : undefined;
  if (type === undefined) return row;
  attributes.set("type", type);
  return toRow(row[keys[0]!]) ?? {};
}

function textOfScalar(wire: unknown): string {
  return typeof wire === "boolean" ? String(wire) : (toText(wire) ?? "");
}
