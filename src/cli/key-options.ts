/** The options of keys, read and checked: what is wrong with one is one line. */
import { UsageError, textOption } from "#cli/command.ts";
import type { Context, Parsed } from "#cli/command.ts";
import { readName } from "#cli/store.ts";
import { DEFAULT_OVERLAP_MS, MAX_OVERLAP_MS } from "#core/keys/issue.ts";
import { readDuration_ms, readMoment_ms } from "#core/keys/moment.ts";
import { DEFAULT_SCOPES, readScopes, SCOPES } from "#core/keys/scopes.ts";

/** DEFAULT_SCOPES when nothing is said. */
export function scopesOption(parsed: Parsed): readonly (typeof SCOPES)[number][] {
  const text = textOption(parsed, "scopes");
  const scopes = text === undefined ? DEFAULT_SCOPES : readScopes(text);
  if (scopes !== null) return scopes;
  throw new UsageError(
    `--scopes: expected some of ${SCOPES.join(",")}, got ${JSON.stringify(text)}`,
  );
}

/** null: nameless. */
export function nameOption(parsed: Parsed): string | null {
  const text = textOption(parsed, "name");
  return text === undefined ? null : readName(text, "--name");
}

/** Epoch milliseconds, to come; undefined when it is not given. */
export function expiresOption(parsed: Parsed, { io }: Context): number | undefined {
  const text = textOption(parsed, "expires");
  if (text === undefined) return undefined;
  const at_ms = readMoment_ms(text, io.now());
  if (at_ms !== null && at_ms > io.now()) return at_ms;
  const expected =
    at_ms === null ? "a date, an RFC 3339 time or a duration such as 30d" : "a time to come";
  throw new UsageError(`--expires: expected ${expected}, got ${JSON.stringify(text)}`);
}

/** Milliseconds; DEFAULT_OVERLAP_MS when nothing is said. */
export function overlapOption(parsed: Parsed): number {
  const text = textOption(parsed, "overlap");
  const overlap_ms = text === undefined ? DEFAULT_OVERLAP_MS : readDuration_ms(text);
  if (overlap_ms !== null && overlap_ms <= MAX_OVERLAP_MS) return overlap_ms;
  throw new UsageError(
    `--overlap: expected a duration such as 24h, at most 30d, got ${JSON.stringify(text)}`,
  );
}
