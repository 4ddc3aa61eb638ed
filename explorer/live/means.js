/** How streams are opened and waited for in a real browser. */
import { currentKey } from "../docs/key.js";

/** @type {import("./run.js").Means} */
export const MEANS = {
  open(target, headers, signal) {
    const key = currentKey();
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
    const accept = "text/event-stream";
    return fetch(target, { headers: { accept, ...authorization, ...headers }, signal });
  },
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
    }),
};
