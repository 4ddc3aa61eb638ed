/** Kinds of text in the configuration: what each is called in a message and how it is checked. */
import { parseIp } from "#core/ip.ts";

export type FormatName =
  | "http-url"
  | "cidr"
  | "instant"
  | "country"
  | "one-line"
  | "station-ref"
  | "base-path"
  | "url-path";

type Format = {
  expected: string;
  test: (text: string) => boolean;
  /** For editors, in vicinity.schema.json: loose, since `${NAME}` may replace any part. */
  pattern?: string;
};

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  "http-url": {
    expected: "an http(s) URL",
    test: (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
    pattern: "^(https?://|\\$\\{)",
  },
  cidr: { expected: "an address block such as 10.0.0.0/8", test: isCidr },
  instant: {
    expected: "a date or an RFC 3339 time",
    test: (text) =>
      /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(text) &&
      !Number.isNaN(Date.parse(text)),
  },
  country: {
    expected: "an ISO 3166-1 alpha-2 code such as FR",
    test: (text) => /^[A-Z]{2}$/.test(text),
  },
  "station-ref": {
    expected: "a feed and a station key such as gbfs:velib/123",
    test: (text) => /^[^/\p{Cc}]+\/[^\p{Cc}]+$/u.test(text),
  },
  "base-path": {
    expected: "a path to ID.vbase",
    test: (text) =>
      /(?:^|[/\\])[a-z0-9][a-z0-9_-]{0,39}\.vbase$/.test(text) && !/\p{Cc}/u.test(text),
  },
  "url-path": {
    expected: "a path such as /photon, / or nothing",
    test: (text) => /^(?:|\/|(?:\/[A-Za-z0-9._~-]+)+)$/.test(text),
  },
  "one-line": {
    expected: "text on one line",
    test: (text) => text.trim() !== "" && !/\p{Cc}/u.test(text),
  },
};

function isCidr(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  if (parseIp(address) === null || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(":") ? 128 : 32);
}
