/** Processes started by a process do not outlive it, however it ends. */

const tasks = new Set<() => void>();

/** Runs the task when this process exits; returns how to take it back. One listener for all. */
export function atExit(task: () => void): () => void {
  if (tasks.size === 0) process.on("exit", runAll);
  tasks.add(task);
  return () => {
    tasks.delete(task);
    if (tasks.size === 0) process.off("exit", runAll);
  };
}

function runAll(): void {
  for (const task of tasks) task();
}
