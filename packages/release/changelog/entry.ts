/** The rules of one entry (§4.13); those between entries are in check.ts. */
import { API_VERSION_PATTERN, CHANGE_ID, CHANGE_TYPES } from "#api/changelog.ts";
import { CONTROL_OR_BIDI } from "#kit/uris.ts";
import { parseInstant } from "./dates.ts";
import { type ReleaseFinding, type FindingCode, toFinding } from "./changelog-finding.ts";
import { findLinkFault } from "./changelog-links.ts";

export type EntryMembers = Readonly<Record<string, unknown>>;

/** What a member must be: a fault in words, or null. */
type Rule = { code: FindingCode; fault: (value: unknown, context: Context) => string | null };
type Context = { entry: EntryMembers; now_ms: number };

const ID = new RegExp(CHANGE_ID);
const API_VERSION = new RegExp(API_VERSION_PATTERN);

const ENTRY_RULES: Readonly<Record<string, readonly Rule[]>> = {
  id: [rule("invalid_id", (value) => matches(value, ID, "lowercase words joined by hyphens"))],
  published_at: [
    rule("invalid_date", findDateFault),
    rule("future_date", (value, { now_ms }) => findFutureFault(value, now_ms)),
  ],
  api_version: [
    rule("invalid_api_version", (value) => matches(value, API_VERSION, "a version such as 1.1.0")),
  ],
  type: [rule("unsupported_type", findTypeFault)],
  title: [rule("invalid_text", findTextFault)],
  description: [rule("invalid_text", findTextFault)],
  breaking: [
    rule("wrong_type", (value) =>
      typeof value === "boolean" ? null : "must be true or false: every change is assessed",
    ),
    rule("inconsistent_breaking", (value, { entry }) =>
      entry["type"] === "breaking" && value === false
        ? "must be true where the type is breaking"
        : null,
    ),
  ],
  links: [rule("wrong_type", (value) => (Array.isArray(value) ? null : "must be a list"))],
};

const LINK_RULES: Readonly<Record<string, readonly Rule[]>> = {
  label: [rule("invalid_text", findTextFault)],
  url: [
    rule("unsafe_link", (value) =>
      typeof value === "string" ? findLinkFault(value) : "must be text",
    ),
  ],
};

const DOCUMENT_RULES: Readonly<Record<string, readonly Rule[]>> = {
  version: [rule("invalid_text", findTextFault)],
  updated_at: [
    rule("invalid_date", findDateFault),
    rule("future_date", (value, { now_ms }) => findFutureFault(value, now_ms)),
  ],
  entries: [rule("wrong_type", (value) => (Array.isArray(value) ? null : "must be a list"))],
};

/** Returns every fault of the members other than the entries. */
export function checkHead(document: EntryMembers, now_ms: number): ReleaseFinding[] {
  return checkMembers(document, DOCUMENT_RULES, { name: null, prefix: "", now_ms });
}

/** Returns every fault of one entry; `name`: its name in messages. */
export function checkEntry(entry: unknown, name: string, now_ms: number): ReleaseFinding[] {
  if (!isMembers(entry)) return [toFinding("wrong_type", name, "an entry must be an object")];
  const links = Array.isArray(entry["links"]) ? (entry["links"] as unknown[]) : [];
  return [
    ...checkMembers(entry, ENTRY_RULES, { name, prefix: "", now_ms }),
    ...links.flatMap((link, at) => checkLink(link, { name, prefix: `links[${at}].`, now_ms })),
  ];
}

type Place = { name: string | null; prefix: string; now_ms: number };

function checkLink(link: unknown, place: Place): ReleaseFinding[] {
  if (isMembers(link)) return checkMembers(link, LINK_RULES, place);
  return [toFinding("wrong_type", place.name, `${place.prefix.slice(0, -1)} must be an object`)];
}

function checkMembers(
  members: EntryMembers,
  rules: Readonly<Record<string, readonly Rule[]>>,
  { name, prefix, now_ms }: Place,
): ReleaseFinding[] {
  const unknown = Object.keys(members)
    .filter((member) => !Object.hasOwn(rules, member))
    .map((member) => toFinding("unknown_member", name, `${prefix}${member} is no member`));
  const faults = Object.entries(rules).flatMap(([member, each]) => {
    if (!Object.hasOwn(members, member))
      return [toFinding("missing_member", name, `${prefix}${member} is missing`)];
    for (const { code, fault } of each) {
      const words = fault(members[member], { entry: members, now_ms });
      if (words !== null) return [toFinding(code, name, `${prefix}${member}: ${words}`)];
    }
    return [];
  });
  return [...unknown, ...faults];
}

export function isMembers(value: unknown): value is EntryMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rule(code: FindingCode, fault: Rule["fault"]): Rule {
  return { code, fault };
}

function matches(value: unknown, pattern: RegExp, words: string): string | null {
  return typeof value === "string" && pattern.test(value) ? null : `must be ${words}`;
}

function findTextFault(value: unknown): string | null {
  if (typeof value !== "string" || value.trim() === "") return "must be text, and not empty";
  return CONTROL_OR_BIDI.test(value) ? "must not hold control characters" : null;
}

function findDateFault(value: unknown): string | null {
  const valid = typeof value === "string" && parseInstant(value) !== null;
  return valid ? null : "must be a time such as 2026-11-21T10:00:00Z, on a day of the calendar";
}

function findFutureFault(value: unknown, now_ms: number): string | null {
  const ms = parseInstant(value as string);
  return ms !== null && ms > now_ms ? "lies in the future; only released changes are listed" : null;
}

function findTypeFault(value: unknown): string | null {
  const isKnown = (CHANGE_TYPES as readonly unknown[]).includes(value);
  return isKnown ? null : `must be one of ${CHANGE_TYPES.join(", ")}`;
}
