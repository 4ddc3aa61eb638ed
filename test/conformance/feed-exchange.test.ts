/** The exchange of feeds in memory, which other tests use for a fleet. */
import { createManualClock } from "../support/manual-clock.ts";
import { createMemoryExchange, LEASE_LIFE_MS } from "../support/memory-exchange.ts";
import { feedExchangeSuite } from "./feed-exchange.ts";
import { sized } from "../support/size.ts";

feedExchangeSuite("memory", {
  open: () => {
    const clock = createManualClock(1_795_000_000_000);
    const memory = createMemoryExchange(clock);
    return {
      join: () => memory.join(),
      outlive: () => clock.advance(LEASE_LIFE_MS),
      wipe: async () => memory.wipe(),
      async away() {
        memory.setAway(true);
        return async () => memory.setAway(false);
      },
    };
  },
  runs: sized(40, 100),
});
