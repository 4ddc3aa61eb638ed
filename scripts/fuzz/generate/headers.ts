/** Headers that must change nothing, or exactly one thing: ids, codings, conditions, credentials. */
import type { Dice } from "../../../trials/dice.ts";
import type { Header, Pair } from "../request.ts";

const HEX32 = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

const CODINGS: readonly string[] = [
  ...["gzip", "br", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", "GZIP", "x-gzip"],
  ...["identity", "identity;q=0", "*", "*;q=0", "gzip;q=0", "br;q=0, gzip", "deflate", "zstd"],
  ...[
    "",
    ",",
    "gzip;q=abc",
    "gzip;q=1.5",
    "br;q=0.5, gzip;q=0.9",
    "br ; q = 0.3",
    ";;;",
    "gzip\x01",
  ],
];
const REQUEST_IDS: readonly string[] = [
  ...["a", "abc-123_X.y", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "x".repeat(64), "0"],
  ...["", " ", "x".repeat(65), "a b", "a,b", "ümlaut", "<script>", "a\tb", "../../etc", "a%0d%0ab"],
];
const TRACE_PARENTS: readonly string[] = [
  `00-${HEX32}-${SPAN}-01`,
  `00-${HEX32}-${SPAN}-00`,
  `cc-${HEX32}-${SPAN}-01-what-the-future-will-be-like`,
  `cc-${HEX32}-${SPAN}-01`,
  `ff-${HEX32}-${SPAN}-01`,
  `00-${HEX32}-${SPAN}-01-extra`,
  `00-${HEX32}-${SPAN}-0`,
  `00-${HEX32}-${SPAN}-012`,
  `00-${HEX32.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${HEX32}-${"0".repeat(16)}-01`,
  `00-${HEX32.slice(1)}-${SPAN}-01`,
  ...["", "00", "garbage", `00 ${HEX32} ${SPAN} 01`],
];
const CONDITIONS: readonly string[] = [
  ...["*", '"abc"', 'W/"abc"', "ETAG", "W/ETAG", '"x", ETAG', 'ETAG, W/"y"', " ETAG "],
  ...["", "abc", '"', "W/", '"abc', ",,,", '"a""b"'],
];
/** Never reflected, never obeyed (reliability 4.8). */
const OTHERS: readonly Header[] = [
  ["accept", "text/html"],
  ["accept", "application/geo+json;q=0.9, */*;q=0.1"],
  ["accept-language", "xx-invalid-\xff, de;q=nan"],
  ["origin", "https://evil.example"],
  ["x-forwarded-host", "evil.example"],
  ["x-forwarded-for", "1.2.3.4, garbage"],
  ["x-forwarded-proto", "gopher"],
  ["x-http-method-override", "DELETE"],
  ["range", "bytes=0-10"],
  ["if-modified-since", "Sat, 29 Oct 1994 19:43:31 GMT"],
  ["if-match", '"nothing"'],
  ["content-type", "application/json"],
  ["content-type", "\xff/\xfe; charset="],
  ["cookie", "a=b; token=x"],
  ["upgrade", "websocket"],
  ["te", "trailers"],
  ["cache-control", "no-cache"],
  ["expect", "200-ok"],
  ["user-agent", "\xe2\x80\xae"],
  ["x-long", "y".repeat(4000)],
];

export function makeHeaders(dice: Dice): Header[] {
  const headers: Header[] = [];
  const add = (name: string, probability: number, values: readonly string[]): void => {
    if (dice.chance(probability)) headers.push([anyCase(name, dice), dice.pick(values)]);
  };
  add("accept-encoding", 0.3, CODINGS.slice(0, -1));
  add("x-request-id", 0.2, REQUEST_IDS);
  add("traceparent", 0.2, TRACE_PARENTS);
  add("if-none-match", 0.08, CONDITIONS);
  if (dice.chance(0.02)) headers.push(["x-request-id", dice.pick(REQUEST_IDS)]);
  if (dice.chance(0.25)) headers.push(dice.pick(OTHERS));
  return headers;
}

export function anyCase(name: string, dice: Dice): string {
  return dice.pick([name, name, name.toUpperCase(), name[0]!.toUpperCase() + name.slice(1)]);
}

const KEY = "svc_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG000000";
const OTHER_KEY = "svc_test_x";
const BAD_HEADERS: readonly string[] = [
  ...["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", KEY, `Bearer ${KEY} ${KEY}`, "Bearer a,b c"],
  ...["Bearer \xe4", `Token ${KEY}`, "bearer\tx", "Digest username=x"],
];

/** No key exists, so that every credential is refused; the question is how. */
export function addCredential(headers: Header[], pairs: Pair[], dice: Dice): string {
  const bearer = (key: string): void => {
    headers.push(["authorization", `${dice.pick(["Bearer", "bearer", "BEARER"])} ${key}`]);
  };
  const token = (text: string, raw?: string): void => {
    pairs.push({ name: "token", text, ...(raw === undefined ? {} : { raw }) });
  };
  const forms: Readonly<Record<string, () => void>> = {
    bearer: () => bearer(KEY),
    "bad header": () => headers.push(["authorization", dice.pick(BAD_HEADERS)]),
    token: () => token(dice.pick([KEY, "x", "‮", " "])),
    "empty token": () => token(""),
    "broken token": () => token("", dice.pick(["%", "%ff", "%zz"])),
    agreeing: () => (bearer(KEY), token(KEY)),
    conflicting: () => (bearer(KEY), token(OTHER_KEY)),
    "repeated token": () => (token(KEY), token(dice.pick([KEY, OTHER_KEY, ""]))),
    "bad header and token": () => {
      headers.push(["authorization", dice.pick(BAD_HEADERS)]);
      token(dice.pick([KEY, ""]));
    },
  };
  const form = dice.pick(Object.keys(forms));
  forms[form]!();
  return `credential: ${form}`;
}

export const CREDENTIAL_LABELS: readonly string[] = [
  ...["bearer", "bad header", "token", "empty token", "broken token", "agreeing", "conflicting"],
  ...["repeated token", "bad header and token"],
].map((form) => `credential: ${form}`);
