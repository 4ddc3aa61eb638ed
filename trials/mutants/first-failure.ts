/** A reporter that ends the process at the first test that fails: the others are of no use any more. */
import type { TestEvent } from "node:test/reporters";

export default async function* endAtFailure(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.todo === undefined) process.exit(1);
    yield "";
  }
}
