/** The options of keys, read and checked: what is wrong with one is one line. */
import { optionBy, textOption } from "#cli/command.ts";
import type { CommandContext, Parsed } from "#cli/command.ts";
import { readName } from "#cli/store.ts";
import { DEFAULT_OVERLAP_MS, MAX_OVERLAP_MS } from "#core/keys/issue.ts";
import { endRules, readDuration_ms } from "#core/keys/moment.ts";
import { DEFAULT_SCOPES, SCOPE_LIST, type SCOPES } from "#core/keys/scopes.ts";
import { fromText, numberRule } from "#kit/rule.ts";

/** DEFAULT_SCOPES when nothing is said. */
export function scopesOption(parsed: Parsed): readonly (typeof SCOPES)[number][] {
  return optionBy(parsed, "scopes", SCOPE_LIST) ?? DEFAULT_SCOPES;
}

/** null: nameless. */
export function nameOption(parsed: Parsed): string | null {
  const text = textOption(parsed, "name");
  return text === undefined ? null : readName(text, "--name");
}

/** Epoch milliseconds, to come; undefined when it is not given. */
export function expiresOption(parsed: Parsed, { io }: CommandContext): number | undefined {
  return optionBy(parsed, "expires", ...endRules(io.now()));
}

const OVERLAP = fromText(
  numberRule("a duration such as 24h, at most 30d", { maximum: MAX_OVERLAP_MS }),
  readDuration_ms,
);

/** Milliseconds; DEFAULT_OVERLAP_MS when nothing is said. */
export function overlapOption(parsed: Parsed): number {
  return optionBy(parsed, "overlap", OVERLAP) ?? DEFAULT_OVERLAP_MS;
}
