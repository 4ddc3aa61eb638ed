/**
 * The protocol's inspector, fetched by npm at a pinned version into a folder of its own: it is a
 * judge of ours and no part of us. It runs as a program, over sockets, like any host.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Service } from "../../src/main/service.ts";
import { execute, type Ran } from "./execute.ts";
import { startSandboxService } from "./service.ts";

const SPEC = "@modelcontextprotocol/inspector@2.12.0";

export type Judge = {
  spec: string;
  run(args: readonly string[], env?: Record<string, string>): Promise<Ran>;
};

/** The inspector and a sandbox service it may ask; both are gone afterwards. */
export async function withInspector(
  judge: (judge: Judge, service: Service) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-mcp-"));
  const service = await startSandboxService(folder);
  const run: Judge["run"] = (args, env = {}) =>
    execute("npx", ["--yes", `--package=${SPEC}`, "mcp-inspector", ...args], { cwd: folder, env });
  await judge({ spec: SPEC, run }, service);
  await service.close({ delay_ms: 0 });
  await rm(folder, { recursive: true, force: true });
}
