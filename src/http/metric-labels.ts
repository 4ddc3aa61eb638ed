/**
 * Labels of a request in the metrics. Callers choose methods, and there are three dozen that Node's
 * parser takes; with each status of each route they would be thousands of series.
 */

/** Statuses of answers, each by itself; a refusal counts by its class. */
export const ERROR_FREE = ["200", "202", "204", "304"] as const;

/**
 * Labels a method: HEAD is a GET without its body; others not served are `_OTHER` (OpenTelemetry).
 */
export function toMethodLabel(method: string): "GET" | "POST" | "OPTIONS" | "_OTHER" {
  if (method === "GET" || method === "HEAD") return "GET";
  return method === "POST" || method === "OPTIONS" ? method : "_OTHER";
}

export function toStatusLabel(status: number): string {
  if (status >= 500) return "5xx";
  return status >= 400 ? "4xx" : String(status);
}
