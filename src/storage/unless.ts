/** What the file system refuses for a known reason is a value. */

/** Result of a task, or `otherwise` where it fails with that code. */
export async function unless<T, F>(code: string, task: Promise<T>, otherwise: F): Promise<T | F> {
  return await task.catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === code) return otherwise;
    throw error;
  });
}
