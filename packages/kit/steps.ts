/** Runs work that is written in steps (generators that yield between them) to its end, without a pause. */
export function toEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
