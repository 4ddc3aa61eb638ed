/** Options of trials and benchmarks, by the values that they have where none is stated. */
import { parseArgs } from "node:util";

/** null: a text that is undefined where it is left out. */
type Usual = number | string | boolean | null;
type Stated<U extends Usual> = U extends number
  ? number
  : U extends boolean
    ? boolean
    : U extends string
      ? string
      : string | undefined;

/** Throws on an option that is none of them, and on one that is to be a number and is none. */
export function readArguments<O extends Readonly<Record<string, Usual>>>(
  args: readonly string[],
  usual: O,
): { [N in keyof O]: Stated<O[N]> } {
  const options = Object.fromEntries(
    Object.entries(usual).map(([name, value]) => [
      name,
      { type: typeof value === "boolean" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const { values } = parseArgs({ args: [...args], options });
  const entries = Object.entries(usual).map(([name, value]) => {
    const stated = values[name];
    if (stated === undefined) return [name, value ?? undefined];
    if (typeof value !== "number") return [name, stated];
    if (stated === "" || Number.isNaN(Number(stated)))
      throw new Error(`--${name}: expected a number`);
    return [name, Number(stated)];
  });
  return Object.fromEntries(entries) as { [N in keyof O]: Stated<O[N]> };
}
