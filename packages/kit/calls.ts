/**
 * Calls between two threads, each by name, with the answer as a promise. What the other side throws comes as an
 * error with its message and code; calls to a thread that has ended fail.
 */
import { guard } from "./guard.ts";

export type Call = { kind: "call"; id: number; name: string; args: readonly unknown[] };
export type Reply = { kind: "reply"; id: number } & (
  | { ok: true; value: unknown }
  | { ok: false; message: string; code: string | null }
);

export type Functions = Record<string, (...args: never[]) => unknown>;
type Awaitable<F> = F extends (...args: infer A) => infer R
  ? (...args: A) => Promise<Awaited<R>>
  : never;
/** Functions of another thread. */
export type Remote<T extends Functions> = { [K in keyof T]: Awaitable<T[K]> };

/** What the other thread has thrown. */
class RemoteError extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

export class Caller {
  readonly #post: (call: Call) => void;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #next_id = 0;
  #ended = false;

  constructor(post: (call: Call) => void) {
    this.#post = post;
  }

  /** Makes the functions of the other thread by their names. */
  functions<T extends Functions>(names: readonly (keyof T & string)[]): Remote<T> {
    const made = names.map((name) => [name, (...args: unknown[]) => this.call(name, args)]);
    return Object.fromEntries(made) as Remote<T>;
  }

  async call(name: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#ended) throw new RemoteError("the thread has ended", "thread_ended");
    const answer = Promise.withResolvers<unknown>();
    const id = this.#next_id++;
    this.#open.set(id, answer);
    try {
      this.#post({ kind: "call", id, name, args });
      return await answer.promise;
    } finally {
      this.#open.delete(id);
    }
  }

  take(reply: Reply): void {
    const answer = this.#open.get(reply.id);
    if (reply.ok) answer?.resolve(reply.value);
    else answer?.reject(new RemoteError(reply.message, reply.code));
  }

  /** The other thread has ended: all that is open fails. */
  end(): void {
    this.#ended = true;
    for (const { reject } of this.#open.values())
      reject(new RemoteError("the thread has ended", "thread_ended"));
  }
}

/** Answers a call by the function of its name; never rejects. */
export async function answerCall(
  functions: Readonly<Record<string, (...args: never[]) => unknown>>,
  { id, name, args }: Call,
): Promise<Reply> {
  const work = async (): Promise<Reply> => {
    if (!Object.hasOwn(functions, name)) throw new Error(`no function ${name}`);
    const value: unknown = await functions[name]!(...(args as never[]));
    return { kind: "reply", id, ok: true, value };
  };
  return await guard(work, (error): Reply => {
    const { message, code } = error as { message?: unknown; code?: unknown };
    const text = typeof message === "string" ? message : String(error);
    return { kind: "reply", id, ok: false, message: text, code: toCode(code) };
  });
}

function toCode(code: unknown): string | null {
  return typeof code === "string" ? code : null;
}
