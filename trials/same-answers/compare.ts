/** Two recordings of the same requests, and where they differ. */
import type { ApiRequest } from "../requests/requests.ts";

export type Answer = { status: number; headers: Readonly<Record<string, string>>; text: string };
export type Recorded = { request: ApiRequest; answer: Answer };
export type Difference = { request: ApiRequest; what: string; before: string; after: string };

const DATASET_ID = /\b(nearby|mobility|search)_[a-z2-7]{30,}\b/g;
const VERSION = /\b1-[a-z2-7]{26}\b/g;
const REQUEST_ID = /"request_id":"[0-9a-z-]{20,40}"/g;
/** Random by design: ids of requests and of datasets. */
const RANDOM_HEADERS = new Set(["x-request-id", "traceparent", "date", "content-length", "etag"]);
const AROUND = 60;

export function compare(before: readonly Recorded[], after: readonly Recorded[]): Difference[] {
  return before.flatMap(({ request, answer }, i) => {
    const found = differ(answer, after[i]!.answer);
    return found === null ? [] : [{ request, ...found }];
  });
}

function differ(a: Answer, b: Answer): Omit<Difference, "request"> | null {
  if (a.status !== b.status) return { what: "status", before: startOf(a), after: startOf(b) };
  const headers = [headerText(a), headerText(b)] as const;
  if (headers[0] !== headers[1]) return { what: "headers", ...excerpt(headers[0], headers[1]) };
  const texts = [withoutIds(a.text), withoutIds(b.text)] as const;
  return texts[0] === texts[1] ? null : { what: "body", ...excerpt(texts[0], texts[1]) };
}

function startOf({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 3 * AROUND)}`;
}

/** The entity tag of a body that holds no random id counts like any header. */
function headerText({ headers, text }: Answer): string {
  const isStable = withoutIds(text) === text;
  return Object.entries(headers)
    .filter(([name]) => !RANDOM_HEADERS.has(name) || (isStable && name === "etag"))
    .map(([name, value]) => `${name}: ${withoutIds(value)}`)
    .toSorted()
    .join("\n");
}

function withoutIds(text: string): string {
  return text
    .replace(DATASET_ID, "$1_ID")
    .replace(VERSION, "VERSION")
    .replace(REQUEST_ID, '"request_id":"ID"');
}

function excerpt(before: string, after: string): { before: string; after: string } {
  let at = 0;
  while (before[at] === after[at]) at++;
  const from = Math.max(0, at - AROUND);
  return { before: before.slice(from, at + AROUND), after: after.slice(from, at + AROUND) };
}
