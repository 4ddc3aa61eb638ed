/**
 * Answers what modules of the pages fetch meanwhile. Files share a process: a `fetch` that is left behind
 * would answer the others.
 */
export async function withFetch<T>(answer: () => Response, work: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.resolve(answer());
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
  }
}
