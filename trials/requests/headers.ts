/** Headers that must change nothing, or exactly one thing: ids, codings, conditions, credentials. */
import type { Dice } from "../dice.ts";

type Headers = Record<string, string>;

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

const ODD: Readonly<Record<string, readonly string[]>> = {
  "accept-encoding": [
    ...[
      "gzip, deflate, br",
      "br;q=1.0, gzip;q=0.8, *;q=0.1",
      "GZIP",
      "x-gzip",
      "identity;q=0",
      "*",
    ],
    ...[
      "*;q=0",
      "gzip;q=0",
      "br;q=0, gzip",
      "deflate",
      "",
      ",",
      "gzip;q=abc",
      "br ; q = 0.3",
      ";;;",
    ],
  ],
  "x-request-id": [
    ...["a", "abc-123_X.y", "x".repeat(64), "0", "", " ", "x".repeat(65), "a b", "a,b", "<script>"],
    ...["\xfcmlaut", "../../etc", "a%0d%0ab"],
  ],
  traceparent: [
    ...[
      `00-${TRACE}-${SPAN}-01`,
      `cc-${TRACE}-${SPAN}-01-what-the-future`,
      `cc-${TRACE}-${SPAN}-01`,
    ],
    ...[`ff-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01-extra`, `00-${TRACE}-${SPAN}-0`],
    ...[`00-${TRACE.toUpperCase()}-${SPAN}-01`, `00-${"0".repeat(32)}-${SPAN}-01`, "garbage", ""],
    ...[`00-${TRACE}-${"0".repeat(16)}-01`, `00-${TRACE.slice(1)}-${SPAN}-01`, `00 ${TRACE}`],
  ],
  "if-none-match": ["*", '"abc"', "ETAG", "W/ETAG", '"x", ETAG', "", "abc", '"', ",,,", '"a""b"'],
};

export function oddHeaders(headers: Headers, dice: Dice): void {
  const name = dice.pick(Object.keys(ODD));
  headers[name] = dice.pick(ODD[name]!);
  // The id of a request comes before that of a trace.
  if (dice.chance(0.3)) headers["traceparent"] = dice.pick(ODD["traceparent"]!);
}

/** Never reflected, never acted upon (reliability 4.8). */
export const OTHER_HEADERS: readonly Headers[] = [
  { "accept-language": "xx-invalid-\xff, de;q=nan" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "gopher" },
  { "x-forwarded-for": "1.2.3.4, garbage" },
  { "x-http-method-override": "DELETE" },
  { range: "bytes=0-10" },
  { "if-modified-since": "Sat, 29 Oct 1994 19:43:31 GMT", "if-match": '"nothing"' },
  { cookie: "a=b; token=x" },
  { te: "trailers", "cache-control": "no-cache" },
  { "user-agent": "\xe2\x80\xae", "x-long": "y".repeat(4_000) },
];

const BAD_KEY = "svc_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG000000";
const OTHER_KEY = "svc_test_x";
const BAD_HEADERS: readonly string[] = [
  ...["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", BAD_KEY, `Bearer ${BAD_KEY} ${BAD_KEY}`],
  ...["Bearer a,b c", "Bearer \xe4", `Token ${BAD_KEY}`, "Digest username=x"],
];

/** A good key, none, or a bad credential; says what is bad about it. /mcp knows no `token`. */
export function addCredential(
  headers: Headers,
  query: [string, string][],
  context: { keys: readonly string[]; dice: Dice; takesToken: boolean; bad: boolean },
): string | null {
  const { keys, dice, takesToken, bad } = context;
  const bearer = (key: string): void => {
    headers["authorization"] = `${dice.pick(["Bearer", "bearer", "BEARER"])} ${key}`;
  };
  const token = (raw: string): void => void query.push(["token", raw]);
  if (!bad) {
    if (keys.length === 0 || !dice.chance(0.4)) return null;
    const key = dice.pick(keys);
    if (!takesToken || dice.chance(0.8)) bearer(key);
    if (takesToken && (headers["authorization"] === undefined || dice.chance(0.05))) token(key);
    return null;
  }
  const good = keys.length > 0 ? dice.pick(keys) : BAD_KEY;
  const forms: Readonly<Record<string, () => void>> = {
    bearer: () => bearer(BAD_KEY),
    "bad header": () => (headers["authorization"] = dice.pick(BAD_HEADERS)),
    token: () => token(dice.pick([BAD_KEY, "x", "%e2%80%ae", "+"])),
    "empty token": () => token(""),
    "broken token": () => token(dice.pick(["%", "%ff", "%zz"])),
    agreeing: () => (bearer(BAD_KEY), token(BAD_KEY)),
    conflicting: () => (bearer(good), token(OTHER_KEY)),
    "repeated token": () => (token(good), token(dice.pick([good, OTHER_KEY, ""]))),
    "bad header and token": () => {
      headers["authorization"] = dice.pick(BAD_HEADERS);
      token(dice.pick([good, ""]));
    },
  };
  const entries = Object.keys(forms);
  const form = dice.pick(takesToken ? entries : entries.slice(0, 2));
  forms[form]!();
  return `credential: ${form}`;
}
