/**
 * The token of the admin API (operation.md, ADMIN_TOKEN): stated, or as the text of a file, which is
 * how container platforms hand out secrets. It is never part of a message.
 */
import { readFileSync } from "node:fs";
import { failed, loaded } from "#config/result.ts";
import type { Loaded } from "#config/result.ts";

/** Longer than this, it would not fit into a header beside the others. */
const LENGTHS = { min: 16, max: 1024 } as const;

export const TOKEN_RULE = `${LENGTHS.min} to ${LENGTHS.max} printable ASCII characters without blanks`;

export function isToken(text: string): boolean {
  return text.length >= LENGTHS.min && text.length <= LENGTHS.max && /^[!-~]+$/.test(text);
}

/** null: there is none, and no admin API. */
export function readAdminToken(stated: {
  token: string | undefined;
  file: string | undefined;
}): Loaded<string | null> {
  const { token, file } = stated;
  if (file === undefined) return loaded(token ?? null);
  if (token !== undefined) {
    return failed("ADMIN_TOKEN_FILE: expected to stand alone, ADMIN_TOKEN is set as well");
  }
  const read = readText(file);
  if (!read.ok) return read;
  const text = read.value.trim();
  if (text === "") return failed(`ADMIN_TOKEN_FILE: ${file} is empty`);
  if (isToken(text)) return loaded(text);
  return failed(`ADMIN_TOKEN_FILE: expected ${file} to hold ${TOKEN_RULE}, got something else`);
}

function readText(file: string): Loaded<string> {
  try {
    return loaded(readFileSync(file, "utf8"));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return failed(
      `ADMIN_TOKEN_FILE: cannot read ${file} (${code === "ENOENT" ? "no such file" : code})`,
    );
  }
}
