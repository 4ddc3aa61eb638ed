/** How a presented credential is refused (decisions, Errors and Authentication): no key exists. */
import type { Verdict } from "./judge.ts";

const BAD: Verdict = { status: 401, code: "invalid_api_key" };
const CONFLICT: Verdict = { status: 400, code: "conflicting_credentials" };
const TWICE: Verdict = { status: 400, code: "invalid_request", names: ["token"] };

/** Empty: nobody presented one. Several verdicts where the choice is open (decisions, Errors). */
export function judgeCredential(
  headers: readonly string[],
  tokens: readonly (string | undefined)[] | undefined,
): Verdict[] {
  if (headers.length === 0 && tokens === undefined) return [];
  if (tokens === undefined) return [BAD];
  if (tokens.length > 1) return headers.length === 0 ? [TWICE] : [TWICE, BAD, CONFLICT];
  const [token] = tokens;
  // Broken or empty: malformed in itself, whatever the header says.
  if (token === undefined || token === "") return [BAD];
  const [header] = headers;
  if (header === undefined) return [BAD];
  const bearer = bearerOf(header);
  if (bearer === null) return [BAD, CONFLICT];
  return [bearer === token ? BAD : CONFLICT];
}

function bearerOf(header: string): string | null {
  const [scheme, ...rest] = header.split(" ").filter((part) => part !== "");
  if (scheme?.toLowerCase() !== "bearer" || rest.length !== 1) return null;
  return /^[!-~]+$/.test(rest[0]!) ? rest[0]! : null;
}
