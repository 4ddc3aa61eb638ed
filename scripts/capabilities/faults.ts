/** What makes a body invalid, member by member: values that decisions, Capabilities does not allow. */
import type { Form } from "./grammar.ts";
import { Members, Raw, type Path, type Tree } from "./tree.ts";

export type Code =
  | "invalid_request"
  | "invalid_json"
  | "unexpected_member"
  | "unsupported_contract_version"
  | "unknown_capability"
  | "unsupported_media_type"
  | "body_too_large";

export type MemberFault = { path: Path; code: Code; values: readonly Tree[]; form?: Form };

const NONE = new Members([]);
const ENDLESS = [new Raw("1e999"), new Raw("-1e999")];
/** Deep enough for whoever reads it by recursion. */
const DEEP = new Raw("[".repeat(20_000) + "]".repeat(20_000));
const NO_TEXT: readonly Tree[] = [5, 0, true, false, [], ["a"], NONE, DEEP];
const NO_ID: readonly Tree[] = [
  ...["", "a".repeat(129), "😀".repeat(129), "a".repeat(60_000)],
  ...["a\u0000", "\n", "\u007f", "a\u0085b", "\u009f"],
  ...NO_TEXT,
];
const NO_NUMBER: readonly Tree[] = ["1", "", true, [], [1], NONE, DEEP, ...ENDLESS];
const NO_OBJECT: readonly Tree[] = [null, "", "{}", 5, false, [], [NONE], DEEP];
const SURROGATE = new Raw('"a\\ud83d"');

const noList = (own: string): readonly Tree[] => [
  ...["", " ", ",", `${own},`, `,${own}`, `${own},,${own}`, `${own};${own}`, own.toUpperCase()],
  ...["other", `${own} ${own}`],
  ...[[], [""], [own, ""], [` ${own}`], [own, 5], [own, null], [[own]], [`${own},${own}`]],
  ...[[own, "other"], [new Members([[own, true]])]],
  ...[5, true, NONE, DEEP],
];

const correlation = (name: string, values: readonly Tree[]): MemberFault => ({
  path: ["correlation", name],
  code: "invalid_request",
  values,
});
const search = (name: string, values: readonly Tree[]): MemberFault => ({
  path: ["request", "args", name],
  code: "invalid_request",
  form: "search_mobility",
  values,
});

export const MEMBER_FAULTS: readonly MemberFault[] = [
  {
    path: ["contract_version"],
    code: "unsupported_contract_version",
    values: ["", "1", "1.0", "1.0.1", "2.0.0", " 1.0.0", "1.0.0 ", "v1.0.0"],
  },
  { path: ["correlation"], code: "invalid_request", values: NO_OBJECT },
  { path: ["request"], code: "invalid_request", values: NO_OBJECT },
  { path: ["request", "args"], code: "invalid_request", values: NO_OBJECT },
  { path: ["request", "capability"], code: "invalid_request", values: [null, ...NO_TEXT] },
  {
    path: ["request", "capability"],
    code: "unknown_capability",
    values: [
      ...["", "search", "Search_mobility", " search_mobility", "read_dataset\u0000"],
      ...["toString", "__proto__", "constructor", "search_mobility,read_dataset"],
    ],
  },
  {
    path: ["freshness_policy"],
    code: "invalid_request",
    values: ["", "null", "accept", "Revalidate", "revalidate ", ...NO_TEXT],
  },
  correlation("conversation_id", [null, SURROGATE, ...NO_ID]),
  correlation("interaction_id", [null, SURROGATE, ...NO_ID]),
  correlation("request_id", [null, SURROGATE, ...NO_ID]),
  correlation("parent_request_id", [SURROGATE, ...NO_ID]),
  correlation("turn_id", [
    ...[SURROGATE, ...NO_ID.filter((value) => typeof value !== "number")],
    ...[1.5, -0.1, new Raw("9007199254740992"), new Raw("-9007199254740993"), new Raw("1e300")],
    ...ENDLESS,
  ]),
  search("lat", [null, 90.000_001, -91, 1e9, ...NO_NUMBER]),
  search("lon", [null, 180.000_001, -181, 1e300, ...NO_NUMBER]),
  search("radius", [0, new Raw("-0"), 0.999, -1, -400, ...NO_NUMBER]),
  search("limit", [0, new Raw("-0"), -1, 1.5, 0.9, new Raw("1e-1"), ...NO_NUMBER]),
  search("modes", noList("bicycle")),
  search("include", noList("stations")),
  search("intent", ["", "Pickup", "pickup ", "pickup,park", "other", ...NO_TEXT]),
  search("language", [
    ...["", "f", "abcd", "fr_FR", "fr-", "-fr", "fr-a", "fr-abcdefghi", "fr-FR-a1-b2-c3", "é"],
    ...["fr ", "f1", ...NO_TEXT],
  ]),
  ...["id", "version"].map((name) => ({
    path: ["request", "args", name],
    code: "invalid_request" as const,
    form: "read_dataset" as const,
    values: [null, ...NO_TEXT],
  })),
];

/** Members that must be there. */
export const REQUIRED: readonly { path: Path; form?: Form }[] = [
  ...["contract_version", "correlation", "request", "freshness_policy"].map((name) => ({
    path: [name],
  })),
  ...["conversation_id", "interaction_id", "request_id", "parent_request_id", "turn_id"].map(
    (name) => ({ path: ["correlation", name] }),
  ),
  { path: ["request", "capability"] },
  { path: ["request", "args"] },
  ...["lat", "lon"].map((name) => ({
    ...{ path: ["request", "args", name], form: "search_mobility" as const },
  })),
  ...["id", "version"].map((name) => ({
    ...{ path: ["request", "args", name], form: "read_dataset" as const },
  })),
];

/** Objects that take no member but their own. */
export const OBJECTS: readonly Path[] = [[], ["correlation"], ["request"], ["request", "args"]];
export const STRANGERS = [
  ...["extra", "lng", "offset", "debug", "format", "token", "__proto__", "constructor", "toString"],
  ...["Lat", "request_ids", "é", "a b", "", "turnId", "0", "x".repeat(70)],
];

/** Behind or in front of a good body, or in place of it: no JSON. */
export const NO_JSON: Readonly<Record<string, (text: string) => string>> = {
  "byte order mark": (text) => `\ufeff${text}`,
  "trailing text": (text) => `${text}x`,
  "a second value": (text) => `${text} {}`,
  "trailing comma": (text) => `${text},`,
  "trailing NUL": (text) => `${text}\u0000`,
  "a comment": (text) => `${text}//`,
  "cut off": (text) => text.slice(0, -1),
  "single quotes": (text) => text.replaceAll('"', "'"),
  NaN: (text) => text.replace('"1.0.0"', "NaN"),
  Infinity: (text) => text.replace('"1.0.0"', "-Infinity"),
  "a plus": (text) => text.replace('"1.0.0"', "+1"),
  "a leading zero": (text) => text.replace('"1.0.0"', "01"),
  "no digits": (text) => text.replace('"1.0.0"', "1."),
  hexadecimal: (text) => text.replace('"1.0.0"', "0x1"),
  undefined: (text) => text.replace('"1.0.0"', "undefined"),
  "a comma too many": (text) => text.replace(/\}$/, ",}"),
  "a raw line end": (text) => text.replace('"1.0.0"', '"1.0.0\n"'),
  "a wrong escape": (text) => text.replace('"1.0.0"', String.raw`"\x41"`),
  "next line for a blank": (text) => `\u00a0${text}`,
  nothing: () => "",
  blank: () => " \n",
};

/** In place of the text of a version: no UTF-8. */
export const NO_UTF8 = ["ff", "c328", "c0af", "eda080", "f0808080", "f4908080", "e282", "80"];

export const WRONG_TYPES = [
  ...[null, "", "text/plain", "text/json", "application/jsonx", "application/json+x"],
  ...[
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/problem",
  ],
  ...["application/json; charset=latin1", "application/json; charset=utf-16", "*/*", "json"],
  ...["application/json, text/plain", "xapplication/json"],
];
export const WRONG_CODINGS = ["gzip", "br", "deflate", "zstd", "gzip, identity", "x"];
