/**
 * A secret as the text of a file, which is how container platforms hand them out (reliability 4.12):
 * each secret variable has a `_FILE` form. No secret is ever part of a message.
 */
import { readFileSync } from "node:fs";
import { pathProblem } from "#kit/path-problem.ts";
import { failed, type Loaded, loaded } from "#config/config-result.ts";
import type { Rule } from "#kit/rule.ts";

/** `name`: of the variable that names the file. Blanks around the text are none of it. */
export function readSecretFile<T>(
  name: string,
  file: string,
  { words, read: parse }: Rule<T>,
): Loaded<T> {
  const read = readText(name, file);
  if (!read.ok) return read;
  const text = read.value.trim();
  if (text === "") return failed(`${name}: ${file} is empty`);
  const value = parse(text);
  if (value !== undefined) return loaded(value);
  return failed(`${name}: expected ${file} to hold ${words}, got something else`);
}

function readText(name: string, file: string): Loaded<string> {
  try {
    return loaded(readFileSync(file, "utf8"));
  } catch (error) {
    const place = { name, path: file };
    return failed(pathProblem(error, place, "read") ?? `${name}: ${file} cannot be read`);
  }
}
