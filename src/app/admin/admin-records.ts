/** All that is stored about an account as one JSON document, in pieces, since it may be long. */
import { parseJson } from "#kit/json.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { AccountRecords, StoredDataset, StoredEvent } from "#ports/people.ts";
import { orderUsage, toAccountJson, toKeyJson } from "./shapes.ts";

/** Yields the texts of which the document is made. */
export async function* writeRecords(
  { account, keys, totals, events, datasets }: AccountRecords,
  now_ms: number,
): AsyncGenerator<string> {
  const head = {
    exported_at: toTime(now_ms),
    account: account && toAccountJson(account),
    keys: keys.map((key) => toKeyJson({ key, account }, now_ms)),
    usage: orderUsage(totals),
  };
  yield JSON.stringify(head, null, 2).slice(0, -2);
  yield* writeList("events", events, (event) => JSON.stringify(toEventJson(event)));
  yield* writeList("datasets", datasets, toDatasetText);
  yield "\n}\n";
}

async function* writeList<T>(
  name: string,
  items: AsyncIterable<T> | Iterable<T>,
  toText: (item: T) => string,
): AsyncGenerator<string> {
  yield `,\n  "${name}": [`;
  let between = "\n    ";
  for await (const item of items) {
    yield between + toText(item);
    between = ",\n    ";
  }
  yield "\n  ]";
}

function toEventJson({ at_ms, ...event }: StoredEvent) {
  return { at: toTime(at_ms), ...event };
}

/** Contents as they were answered, byte for byte; null where they cannot be read. */
function toDatasetText({ observation, body, ...row }: StoredDataset): string {
  const { id, version, created_at_ms, ends_at_ms } = row;
  const times = { created_at: toTime(created_at_ms), ends_at: toTime(ends_at_ms) };
  const head = JSON.stringify({ id, version, ...times }).slice(0, -1);
  return `${head},"observation":${toJson(observation)},"body":${toJson(body)}}`;
}

function toJson(bytes: Uint8Array | null): string {
  if (bytes === null) return "null";
  const text = new TextDecoder().decode(bytes);
  return parseJson(text) === undefined ? JSON.stringify(text) : text;
}

function toTime(at_ms: number): string {
  return toRfc3339(at_ms / 1000);
}
