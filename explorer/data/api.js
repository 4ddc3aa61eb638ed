/** The calls of the page. Whatever comes, comes as a value, and every call can be looked at. */
import { language, t } from "../page/texts.js";

/**
 * @typedef {Record<string, string | number | boolean>} Query
 * @typedef {{ id: string, title: string, path: string, query: Query }} Ask
 * @typedef {{ status: number | null, ms: number, body: any, cache: string | null, request_id: string | null }} Reply
 * @typedef {Ask & Reply & { problem: string | null, retry_s: number | null }} Call
 */

const TIMEOUT_MS = 12_000;

/** Returns a path with its query. @param {{ path: string, query: Query }} ask */
export function toTarget({ path, query }) {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`)
    .join("&");
  return text === "" ? path : `${path}?${text}`;
}

/** @param {Ask} ask @param {AbortSignal} [signal] @returns {Promise<Call>} */
export async function call(ask, signal) {
  const started = performance.now();
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  /** @type {Reply} */
  const none = { status: null, ms: 0, body: null, cache: null, request_id: null };
  try {
    const response = await fetch(toTarget(ask), {
      headers: { accept: "application/json" },
      // Always from the service: an answer that a cache still holds would hide that it is gone.
      cache: "no-cache",
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const body = parse(await response.text());
    const ms = Math.round(performance.now() - started);
    const { headers, status } = response;
    const reply = {
      status,
      ms,
      body,
      cache: headers.get("cache-control"),
      request_id: headers.get("x-request-id"),
    };
    const retry = Number(headers.get("retry-after"));
    return {
      ...ask,
      ...reply,
      problem: toProblem(status, body),
      retry_s: retry > 0 ? retry : null,
    };
  } catch (error) {
    const ms = Math.round(performance.now() - started);
    return { ...ask, ...none, ms, problem: toReason(error), retry_s: null };
  }
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {number} status @param {any} body @returns {string | null} */
function toProblem(status, body) {
  if (status >= 200 && status < 300 && body !== null) return null;
  const { message, code } = body?.error ?? {};
  const key = CAUSES[code];
  if (typeof message === "string" && language() === "en") return message;
  return key === undefined ? t("call.status", { status: String(status) }) : t(key);
}

/** Errors whose cause the pages have words for; the messages of the service are English. @type {Readonly<Record<string, string>>} */
const CAUSES = {
  provider_bad_response: "problem.answers_with_errors",
  provider_timeout: "problem.too_slow",
  provider_unavailable: "problem.unreachable",
};

/** @param {unknown} error */
function toReason(error) {
  if (error instanceof DOMException && error.name === "AbortError") return "aborted";
  if (error instanceof DOMException && error.name === "TimeoutError")
    return t("call.timeout", { seconds: TIMEOUT_MS / 1000 });
  return t(navigator.onLine ? "call.unreachable" : "call.offline");
}

export const ABORTED = "aborted";

/** Brings a file into the cache of the browser. @param {string} url */
export async function fetchWhole(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(t("call.status", { status: String(response.status) }));
  await response.arrayBuffer();
}

/** @param {number} ms @returns {Promise<void>} */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
