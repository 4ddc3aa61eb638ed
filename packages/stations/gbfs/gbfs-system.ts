/** system_information: who runs a system, under which licence (mobility.md 1.4). */
import type { SystemInfo } from "../entities.ts";
import { appSchemeOf } from "#kit/uris.ts";
import {
  toId,
  toLocalised,
  toLocalisedName,
  toNames,
  toRow,
  toText,
  toTexts,
} from "#kit/coerce.ts";
import type { Row } from "#kit/coerce.ts";
import { readEnvelope } from "./envelope.ts";
import { member } from "./gbfs-rows.ts";

/**
 * A name of the time zone database by its form (violation 13): the runtime's own list leaves out
 * many valid names ("Europe/Kyiv", "US/Central"), and asking for a zone throws.
 */
const ZONE =
  /^(?:UTC|GMT|CET|EET|MET|WET|EST|MST|HST|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)(?:\/[A-Za-z][A-Za-z0-9_+-]{0,31}){1,2})$/;
const REQUIRED = ["system_id", "name", "timezone"];

/** Reads the system; null: the file has another shape, or says nothing about a system at all. */
export function readSystem(wire: unknown): SystemInfo | null {
  const data = readEnvelope(wire)?.data;
  if (!data || member(data, REQUIRED) === undefined) return null;
  const languages = readLanguages(data);
  const local = (...names: string[]) => toLocalisedName(member(data, names), languages);
  return {
    system_id: toId(data["system_id"]),
    name: local("name"),
    short_name: local("short_name"),
    operator: local("operator"),
    url: readUrl(data, "url"),
    timezone: readZone(data["timezone"]),
    languages,
    license_id: toText(data["license_id"]),
    license_url: readUrl(data, "license_url"),
    attribution: local("attribution_organization_name"),
    attribution_url: readUrl(data, "attribution_url"),
    brand: local("brand", "brand_name"),
    names: NAMES.flatMap((name) => toNames(data[name]))
      .filter(isFirst)
      .slice(0, MOST_NAMES),
    opening_hours: readHours(data["opening_hours"]),
    terms_url: readUrl(data, "terms_url"),
    app_schemes: readAppSchemes(data),
    ...readColor(data),
  };
}

/** 3.0 demands a text: who does not know the hours says so in the words of its format. */
function readHours(value: unknown): string | null {
  const text = toText(value);
  return text === "unknown" ? null : text;
}

/** Members that hold a name under which the public may know the system. */
const NAMES = ["name", "short_name", "brand", "brand_name", "operator"];
const MOST_NAMES = 64;

function isFirst(name: string, at: number, names: readonly string[]): boolean {
  return names.indexOf(name) === at;
}

/** `languages` of 3.0 or the single `language` before it. */
function readLanguages(data: Row): string[] {
  const listed = toTexts(data["languages"]);
  const single = toText(data["language"]);
  return [...new Set(listed.length === 0 && single !== null ? [single] : listed)];
}

/** Pages, not deep links: http still occurs for them. Localised in 3.0 (terms_url). */
function readUrl(data: Row, name: string): string | null {
  const url = URL.parse(toLocalised(data[name], readLanguages(data)) ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : null;
}

/** `brand_assets.color` (GBFS 2.3 and later), where it is a colour. */
function readColor(data: Row): { color: string } | undefined {
  const color = toText(toRow(data["brand_assets"])?.["color"]);
  return color !== null && COLOR.test(color) ? { color: color.toLowerCase() } : undefined;
}

const COLOR = /^#[0-9a-f]{6}$/i;

/** Schemes under which a system's apps are opened: the only ones its deep links may have. */
function readAppSchemes(data: Row): string[] {
  const apps = toRow(data["rental_apps"]);
  const schemes = (["android", "ios"] as const).flatMap((platform) => {
    const scheme = appSchemeOf(toText(toRow(apps?.[platform])?.["discovery_uri"]));
    return scheme ?? [];
  });
  return [...new Set(schemes)];
}

function readZone(value: unknown): string | null {
  const zone = toText(value);
  return zone !== null && ZONE.test(zone) ? zone : null;
}
