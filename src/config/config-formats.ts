/** Kinds of text in the configuration: what each is called in a message and how it is checked. */
import { parseIp } from "#core/ip.ts";
import { matching, type Rule, textThat } from "#kit/rule.ts";
import { hasControls } from "#kit/text/controls.ts";

export type FormatName =
  | "http-url"
  | "web-origin"
  | "cidr"
  | "instant"
  | "country"
  | "one-line"
  | "station-ref"
  | "base-path"
  | "base-url"
  | "url-path"
  | "source-id";

/** `pattern`: for editors, in vicinity.schema.json: loose, since `${NAME}` may replace any part. */
type Format = Rule<string> & { pattern?: string };

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  "http-url": {
    ...textThat(isHttpUrl, "an http(s) URL"),
    pattern: "^(https?://|\\$\\{)",
  },
  "web-origin": {
    ...matching(
      /^https?:\/\/(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d{1,5})?$/,
      "an origin such as https://example.org, without a path",
    ),
    pattern: "^(https?://|\\$\\{)",
  },
  cidr: textThat(isCidr, "an address block such as 10.0.0.0/8"),
  instant: textThat(
    (text) => INSTANT.test(text) && !Number.isNaN(Date.parse(text)),
    "a date or an RFC 3339 time",
  ),
  country: matching(/^[A-Z]{2}$/, "an ISO 3166-1 alpha-2 code such as FR"),
  "station-ref": matching(
    /^[^/\p{Cc}]+\/[^\p{Cc}]+$/u,
    "a feed and a station key such as gbfs:velib/123",
  ),
  "base-path": matching(
    /^(?:[^\p{Cc}]*[/\\])?[a-z0-9][a-z0-9_-]{0,39}\.vbase$/u,
    "a path to ID.vbase",
  ),
  "base-url": {
    ...textThat(
      (text) => isHttpUrl(text) && BASE_URL.test(new URL(text).pathname),
      "an http(s) URL that ends in ID.vbase",
    ),
    pattern: "^(https?://|\\$\\{)",
  },
  "url-path": matching(/^(?:|\/|(?:\/[A-Za-z0-9._~-]+)+)$/, "a path such as /photon, / or nothing"),
  "source-id": matching(/^[a-z][a-z0-9_]{1,31}$/, "2 to 32 characters of a-z, 0-9 and _"),
  "one-line": textThat((text) => text.trim() !== "" && !hasControls(text), "text on one line"),
};

const BASE_URL = /\/[a-z0-9][a-z0-9_-]{0,39}\.vbase$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function isCidr(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  if (parseIp(address) === null || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(":") ? 128 : 32);
}
