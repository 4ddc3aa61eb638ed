/**
 * Whether the store answers. After a failure no caller waits for it any more: a separate probe asks
 * now and then, and no question has to. Until the first one it is in doubt, since a single answer may
 * be late because this process was not scheduled for a moment.
 */
import { detach } from "#kit/guard.ts";

export type Circuit = {
  isOpen(): boolean;
  /** Whether it is open, and not probed since. */
  isDoubtful(): boolean;
  /** Changes with every opening: what was begun before it says nothing of what came after. */
  era(): number;
  /** Something that was begun in this era failed. */
  fail(era: number, reason: string): void;
  /** Probes now: the connection has just been made. */
  probeNow(): void;
  close(): void;
};

export type CircuitEvent = { state: "away"; reason: string } | { state: "back" };

const PROBE_EVERY_MS = 500;

/**
 * Creates a circuit that begins open, which is no event. `probe` resolves within a short bound;
 * `onFault`: receives what it throws.
 */
export function createCircuit(
  probe: () => Promise<boolean>,
  onEvent: (event: CircuitEvent) => void,
  onFault: (error: unknown) => void,
): Circuit {
  let open = true;
  let doubtful = false;
  let era = 0;
  let probing = false;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const arm = (): void => {
    clearTimeout(timer);
    if (open && !over) timer = setTimeout(probeNow, PROBE_EVERY_MS).unref();
  };
  const probeNow = (): void => detach(attempt(), onFault);
  async function attempt(): Promise<void> {
    if (!open || probing || over) return;
    probing = true;
    try {
      // A probe that throws is no answer, and another one follows.
      const answered = await probe();
      if (answered && !over) open = false;
    } finally {
      probing = false;
      doubtful = false;
      arm();
    }
    if (!open) onEvent({ state: "back" });
  }
  arm();
  return {
    isOpen: () => open,
    isDoubtful: () => doubtful,
    era: () => era,
    fail(begun, reason) {
      if (begun !== era || open) return;
      open = true;
      doubtful = true;
      era++;
      onEvent({ state: "away", reason });
      arm();
    },
    probeNow,
    close() {
      over = true;
      open = true;
      doubtful = false;
      clearTimeout(timer);
    },
  };
}
