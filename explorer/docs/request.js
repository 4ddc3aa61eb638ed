/** A request as the form of an operation describes it: as an address, as curl, and sent. */

/**
 * @typedef {import("./spec.js").Operation} Operation
 * @typedef {{ method: string, target: string, body: string | null, key: string | null }} Request
 * @typedef {{ status: number, ms: number, bytes: number, headers: [string, string][], text: string }} Reply
 */

const TIMEOUT_MS = 30_000;

/** @param {Operation} operation @param {Record<string, string>} values by the name of the parameter; empty ones are left out */
export function toTarget({ path, parameters }, values) {
  let target = path;
  const query = [];
  for (const { name, in: place } of parameters) {
    const value = encodeURIComponent(values[name] ?? "").replaceAll("%2C", ",");
    if (place === "path") target = target.replace(`{${name}}`, () => value);
    else if (value !== "") query.push(`${name}=${value}`);
  }
  return query.length === 0 ? target : `${target}?${query.join("&")}`;
}

/** The same request for a shell. `shown` is in place of the key. @param {Request} request @param {string} shown */
export function toCurl({ method, target, body, key }, shown) {
  const parts = [`curl ${quote(location.origin + target)}`];
  if (key !== null)
    parts.push(
      `-H ${shown.startsWith("$") ? `"Authorization: Bearer ${shown}"` : quote(`Authorization: Bearer ${shown}`)}`,
    );
  if (method !== "GET" && body === null) parts.push(`-X ${method}`);
  if (body !== null) parts.push("-H 'Content-Type: application/json'", `-d ${quote(body)}`);
  return parts.join(" \\\n  ");
}

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Sends it. A reply of any status is a reply; a string says why there was none. @param {Request} request @returns {Promise<Reply | string>} */
export async function send({ method, target, body, key }) {
  const started = performance.now();
  /** @type {Record<string, string>} */
  const headers = { accept: "application/json" };
  if (key !== null) headers["authorization"] = `Bearer ${key}`;
  if (body !== null) headers["content-type"] = "application/json";
  try {
    const response = await fetch(target, {
      method,
      headers,
      body,
      // What a cache holds would say nothing about the service.
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const ms = Math.round(performance.now() - started);
    const bytes = new TextEncoder().encode(text).length;
    return { status: response.status, ms, bytes, headers: [...response.headers], text };
  } catch (error) {
    return toReason(error);
  }
}

/** @param {unknown} error */
function toReason(error) {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `No answer within ${TIMEOUT_MS / 1000} seconds.`;
  return navigator.onLine ? "The service cannot be reached." : "This device is offline.";
}
