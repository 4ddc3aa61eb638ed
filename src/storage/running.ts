/** The file in the data folder that says which service has it open (docs/operations.md, Doctor). */

export const RUNNING_FILE = "running.json";

/** One that was killed leaves its file; the lock of the folder says whether it lives. */
export type Running = {
  pid: number;
  url: string;
  admin_url: string;
  /** RFC 3339. */
  started_at: string;
  version: string;
  commit: string;
  /** Digests of its configuration and of its plans. */
  config: string;
  plans: string;
  /** Members of the configuration file that wait for a restart; absent: an earlier version wrote it. */
  restart?: readonly string[];
  schema: string;
};
