/** Settings are either good or one line says what is wrong with them: a value, not an exception. */
export type Loaded<T> = { ok: true; value: T } | { ok: false; message: string };

export function loaded<T>(value: T): Loaded<T> {
  return { ok: true, value };
}

export function failed(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
