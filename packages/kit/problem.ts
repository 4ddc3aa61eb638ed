/** Error in a file that is imported, with a message for people: one line that names what is wrong. */

type Problem = Error & { code: "IMPORT_PROBLEM" };

/** Thrown while a file is read; the import makes a value of it. */
export function problem(message: string): Problem {
  return Object.assign(new Error(message), { code: "IMPORT_PROBLEM" as const });
}
