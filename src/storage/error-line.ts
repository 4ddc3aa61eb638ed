/** The message of an error in one line. Of several addresses, none of which answers: of the first. */
export function toLine(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const message = first instanceof Error ? first.message : String(first);
  return message.replaceAll(/\s+/g, " ");
}
