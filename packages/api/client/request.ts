/** One request of the client, and what its answer is as a value. */
import type { ClientOptions, Reply } from "./reply.ts";

export type QueryMembers = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Asks and reads the whole answer. */
export async function get<T>(
  options: ClientOptions,
  path: string,
  parameters: QueryMembers = {},
): Promise<Reply<T>> {
  const headers = toHeaders(options, "application/json");
  const send = options.fetch ?? fetch;
  try {
    const url = toUrl(options, path, parameters);
    const signal = AbortSignal.timeout(options.timeout_ms ?? TIMEOUT_MS);
    const response = await send(url, { headers, signal });
    return toReply<T>(response, await response.text());
  } catch (error) {
    return { kind: "unreachable", reason: reasonOf(error) };
  }
}

/** Milliseconds that one answer may take, where the caller says nothing. */
export const TIMEOUT_MS = 10_000;

/** Throws where the address is none. */
export function toUrl(options: ClientOptions, path: string, parameters: QueryMembers): URL {
  const url = new URL(options.url.replace(/(?<!\/)\/+$/, "") + path);
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, String(value));
  }
  return url;
}

export function toHeaders({ api_key }: ClientOptions, accept: string): Record<string, string> {
  return { accept, ...(api_key === undefined ? {} : { authorization: `Bearer ${api_key}` }) };
}

export function toReply<T>(response: Response, text: string): Reply<T> {
  const body = parse(text);
  if (response.ok && body !== undefined) return { kind: "ok", body: body as T };
  const { status } = response;
  const error = body?.error;
  if (typeof error?.code === "string" && typeof error.message === "string") {
    return { kind: "refused", status, code: error.code, message: error.message };
  }
  const content_type = response.headers.get("content-type") ?? "no content type";
  return { kind: "stranger", status, content_type };
}

type Answer = { error?: { code?: unknown; message?: unknown } };

/** Undefined for anything but a JSON object. */
export function parse(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` hides the system's reason in the cause, or in the first of several causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "timeout";
  const cause = error.cause as { code?: string; errors?: { code?: string }[] } | undefined;
  return cause?.code ?? cause?.errors?.[0]?.code ?? error.message;
}
