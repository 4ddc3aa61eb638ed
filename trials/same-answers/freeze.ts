/**
 * Loaded before a program (`--import`), in each of its threads: stops the time that it reads, and what
 * it draws for its pauses, so that its answers depend on the requests alone. Timers run as ever.
 */
const NOW_MS = Date.UTC(2026, 2, 17, 9, 30);

const SystemDate = Date;
class FrozenDate extends SystemDate {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [NOW_MS] : args) as [number]));
  }
  static override now(): number {
    return NOW_MS;
  }
}
globalThis.Date = FrozenDate as DateConstructor;
performance.now = () => 1_000;
Math.random = () => 0.5;
