/**
 * The host that shows this view, as the protocol of MCP Apps has it (SEP-1865): JSON-RPC by
 * messages between this window and its parent, and with no other window.
 */

/** @typedef {(params: any) => void} Listen */
/** @typedef {{ answers: Record<string, (params: any) => object>, notices: Record<string, Listen> }} Handlers */

const METHOD_NOT_FOUND = -32_601;

/** @param {Handlers} handlers answers to requests of the host, and what its notifications do */
export function createHost({ answers, notices }) {
  /** @type {Map<unknown, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let last = 0;
  const send = (/** @type {object} */ message) =>
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

  const settle = (/** @type {any} */ { id, result, error }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result ?? {});
    else asked?.reject(new Error(String(error?.message ?? "refused")));
  };
  const answer = (/** @type {any} */ { id, method, params }) => {
    const own = Object.hasOwn(answers, method) ? answers[method] : undefined;
    if (own) send({ id, result: own(params ?? {}) });
    else send({ id, error: { code: METHOD_NOT_FOUND, message: "unknown method" } });
  };
  const receive = (/** @type {MessageEvent} */ { source, data }) => {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return;
    if (typeof data.method !== "string") return settle(data);
    if (data.id !== undefined) return answer(data);
    if (Object.hasOwn(notices, data.method)) notices[data.method]?.(data.params ?? {});
  };
  window.addEventListener("message", receive);
  return {
    /** Resolves with the result; rejects with the words of an error. @param {string} method @param {object} params @returns {Promise<any>} */
    request(method, params) {
      last += 1;
      const id = last;
      send({ id, method, params });
      return new Promise((resolve, reject) => void waiting.set(id, { resolve, reject }));
    },
    /** @param {string} method @param {object} [params] */
    notify(method, params = {}) {
      send({ method, params });
    },
    end() {
      window.removeEventListener("message", receive);
    },
  };
}
