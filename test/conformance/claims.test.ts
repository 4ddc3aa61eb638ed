/** Claims in the memory of a test, which models use. */
import { createMemoryClaims } from "../support/memory-claims.ts";
import { claimsSuite } from "./claims.ts";

claimsSuite("memory", () => {
  let now_ms = 0;
  const claims = createMemoryClaims(() => now_ms);
  const pass = async (ms: number): Promise<void> => void (now_ms += ms);
  return { replicas: [claims, claims], pass };
});
