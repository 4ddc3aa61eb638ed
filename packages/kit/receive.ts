/**
 * Receives the messages of a thread: those of the kinds that it takes, and no other. The runtime
 * posts messages of its own to both ends (`node --watch`: every module that a thread loads).
 */

type Kinded = { kind: string };

/** One taker per kind, so that a message of a new kind does not compile until it is taken. */
export type Takers<Message extends Kinded> = {
  [Kind in Message["kind"]]: (message: Extract<Message, { kind: Kind }>) => void;
};

/** Makes a listener that gives each message to the taker of its kind; any other is left alone. */
export function receive<Message extends Kinded>(
  takers: Takers<Message>,
): (message: unknown) => void {
  const table = new Map<unknown, (message: never) => void>(Object.entries(takers));
  return (message) => table.get(kindOf(message))?.(message as never);
}

/** Returns the kind of a message; undefined: it has none. */
function kindOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "kind" in message
    ? message.kind
    : undefined;
}
