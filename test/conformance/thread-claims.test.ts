/** Claims of threads: what every Claims holds. */
import { claimsOver, ThreadClaims } from "#storage/threads/thread-claims.ts";
import { claimsSuite } from "./claims.ts";

claimsSuite("threads", () => {
  let now_ms = 0;
  const all = new ThreadClaims({ now: () => now_ms });
  const over = () =>
    claimsOver({
      claim: (key, life_ms) => Promise.resolve(all.claim(key, life_ms)),
      endClaim: (key, token) => Promise.resolve(all.endClaim(key, token)),
    });
  return {
    replicas: [over(), over()],
    pass(ms) {
      now_ms += ms;
      return Promise.resolve();
    },
  };
});
