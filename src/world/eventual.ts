/** Value that is there at once, or later: in the service from a thread, in a pure test from a call. */
export type Eventual<T> = T | Promise<T>;

/** Goes on with the value: at once where it is there, so that nothing comes between. */
export function continueWith<T, U>(
  value: Eventual<T>,
  step: (value: T) => Eventual<U>,
): Eventual<U> {
  return value instanceof Promise ? value.then((come) => step(come)) : step(value);
}
