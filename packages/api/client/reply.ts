/** What every method of the client is given and returns. The package repeats this file word for word. */

export type ClientOptions = {
  /** Where the service answers, without a path. */
  url: string;
  api_key?: string;
  /** Milliseconds that one answer may take (default: 10 000). */
  timeout_ms?: number;
  /** Sends the requests (default: the global `fetch`). */
  fetch?: typeof fetch;
};

/** Coordinates and language of the legacy routes of weather; `language` is a code of theirs, such as `fr`. */
export type WeatherQuery = { lat: number; lon: number; language: string };

export type Reply<T> =
  | { kind: "ok"; body: T }
  /** No answer in time; `reason` is a short token such as ECONNREFUSED. */
  | { kind: "unreachable"; reason: string }
  /** The service refused, with a status and a code of its own (docs/errors.md). */
  | { kind: "refused"; status: number; code: string; message: string }
  /** Something answered that is not this service. */
  | { kind: "stranger"; status: number; content_type: string };
