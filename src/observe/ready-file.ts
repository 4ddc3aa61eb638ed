/** The file by which a supervisor learns that the service is ready (operation, VICINITY_READY_FILE). */
import { rename, writeFile } from "node:fs/promises";
import { guard } from "#kit/guard.ts";
import { pathProblem } from "#kit/path-problem.ts";

/** Writes it in one step, so that a waiting process reads it whole or not at all. A problem is one line. */
export async function writeReadyFile(
  path: string | null,
  where: { url: string; admin_url: string; sandbox_url: string | null },
): Promise<{ problem: string } | null> {
  if (path === null) return null;
  const { url, sandbox_url, admin_url } = where;
  const { pid } = process;
  const draft = `${path}.${pid}`;
  const write = async (): Promise<null> => {
    await writeFile(draft, `${JSON.stringify({ url, sandbox_url, admin_url, pid })}\n`);
    await rename(draft, path);
    return null;
  };
  return await guard(write, (error): { problem: string } => {
    const problem = pathProblem(error, { name: "VICINITY_READY_FILE", path }, "write");
    if (problem === null) throw error;
    return { problem };
  });
}
