/** Bases in an object store, as the service reads them, for tests. */
import type { TestContext } from "node:test";
import { pino } from "pino";
import type { BaseFile, BaseStore } from "#ports/bases.ts";
import { withObjects } from "#upstream/bases/object-bases.ts";
import type { ObjectPlace } from "#upstream/bases/object-ranges.ts";
import { BaseShelf } from "#upstream/bases/shelf.ts";
import { openNetwork } from "#upstream/network.ts";
import { createManualClock } from "./manual-clock.ts";

/** A store of files without any. */
const NO_FILES: BaseStore = {
  list: () => Promise.resolve<BaseFile[]>([]),
  open: () => Promise.resolve(null),
  read: () => Promise.resolve(null),
  begin: () => Promise.reject(new Error("nothing is written")),
  put: () => Promise.reject(new Error("nothing is written")),
  remove: () => Promise.resolve(false),
};

type LogLine = { level: number; base?: string; msg: string; problem?: string };

/** Reads objects over real sockets; `now_ms` is what requests are signed for. */
export function openObjects(
  t: TestContext,
  { url, ...keys }: Pick<ObjectPlace, "url"> & Partial<ObjectPlace>,
  now_ms = Date.now(),
) {
  const clock = createManualClock(now_ms);
  const lines: LogLine[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) });
  const network = openNetwork({
    config: { contact: null, egress: { allow_private: true, allow_hosts: [] } },
    version: "0.0.0",
    clock,
    onFault: (_, error) => lines.push({ level: 50, msg: String(error) }),
  });
  const places = [
    { url, region: "us-east-1", access_key_id: null, secret_access_key: null, ...keys },
  ];
  const store = withObjects(NO_FILES, places, { run: network.runFeeds, clock, log });
  const bases = new BaseShelf({ store, clock, log, memory_bytes: 1e9 });
  t.after(async () => {
    bases.close();
    await network.close();
  });
  return { store, bases, clock, lines };
}
