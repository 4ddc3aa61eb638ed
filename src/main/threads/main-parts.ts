/**
 * The parts of a service whose requests are answered by several threads (docs/workers.md): the main one reads
 * feeds, catalogues and archives, holds the stores, has the listener of operators, and reports to the others.
 */
import { describeSandbox } from "../../../sandbox/main.ts";
import type { SourceHistory } from "#app/source-history.ts";
import type { SourceQuality } from "#app/source-quality.ts";
import { Publication } from "#app/threads/publication.ts";
import { bind } from "#http/bind.ts";
import { sumMetrics } from "#http/summed-metrics.ts";
import { detach } from "#kit/guard.ts";
import { type Part, type StartProblem, withRows, wrapped } from "#process/parts.ts";
import { ThreadGroup } from "#process/thread-group.ts";
import { createSharedTables, type SharedTables, takeBack } from "#storage/threads/shared-tables.ts";
import { ThreadClaims } from "#storage/threads/thread-claims.ts";
import { openAdmin } from "../access/open-admin.ts";
import { SERVED, type Served } from "../listen.ts";
import type { Listeners } from "../listeners.ts";
import type { Inputs, Made, ServiceOptions } from "../parts/given.ts";
import { part } from "../parts/parts.ts";
import {
  type MainCalls,
  type ServingTask,
  THREAD_CALLS,
  type ThreadCalls,
  type Notice,
} from "./serving-task.ts";

type Threads = ThreadGroup<Notice, ThreadCalls>;

/** `table`: the parts of a service with one thread. */
export function listMainParts(
  table: readonly Part[],
  input: Inputs,
  workers: NonNullable<ServiceOptions["workers"]>,
): Part[] {
  /** Notice to all threads, once there are some. */
  const notifier = new ThreadNotifier();
  const rows = withRows(table, [
    part(
      "listeners",
      [...SERVED, "sandbox", "keys"],
      (parts) => listen(input, parts, { ...workers, notifier }),
      {
        label: "threads that serve",
        close: (listeners) => listeners.close(),
      },
    ),
    // By the threads that answer from them.
    part("registers_read", [], () => undefined),
  ]);
  const with_history = wrapped(rows, "history", (history: SourceHistory) => ({
    ...history,
    note(...note: Parameters<SourceHistory["note"]>) {
      history.note(...note);
      notifier.notify({ kind: "noted", note });
    },
  }));
  return wrapped(with_history, "quality", (quality: SourceQuality) => ({
    ...quality,
    note(...note: Parameters<SourceQuality["note"]>) {
      quality.note(...note);
      notifier.notify({ kind: "read", note });
    },
  }));
}

class ThreadNotifier {
  #threads: Pick<Threads, "notify"> | null = null;

  begin(threads: Pick<Threads, "notify">): void {
    this.#threads = threads;
  }

  notify(message: Notice): void {
    this.#threads?.notify(message);
  }
}

type Parts = Served & Pick<Made, "sandbox" | "keys">;

async function listen(
  input: Inputs,
  parts: Parts,
  {
    count,
    worker_url,
    notifier,
  }: NonNullable<ServiceOptions["workers"]> & { notifier: ThreadNotifier },
): Promise<Listeners | StartProblem> {
  const { options, log, onFault, clock } = input;
  const { env } = options;
  const publication = new Publication({
    ...{ ...parts, clock, onFault, defer: setImmediate },
    notify: (shown) => threads.notify(shown),
  });
  const tables = createSharedTables(count);
  const claims = new ThreadClaims({ now: () => performance.now() });
  const functions = toFunctions({ ...parts, claims }, publication);
  const threads: Threads = new ThreadGroup<Notice, ThreadCalls>({
    ...{ count, worker_url, names: THREAD_CALLS, clock, log, onFault },
    makeTask: (thread, url) => toTask(input, { parts, tables, thread, url }),
    makeFirst: () => publication.all(),
    functions: () => functions,
    onDied: (thread) => takeBack(tables, thread),
  });
  notifier.begin(threads);
  const started = await threads.start();
  if ("problem" in started) {
    await threads.close();
    return started;
  }
  publication.begin();
  const admin = openAdmin({ ...input, ...parts, ...toAdminParts(parts, threads) });
  const bound = await bind([{ listener: admin, host: env.admin_host, port: env.admin_port }]);
  if ("problem" in bound) {
    await threads.close();
    return bound;
  }
  return {
    url: started.url,
    admin_url: bound.urls[0]!,
    threads: {
      state: () => threads.state,
      kill: (thread) => threads.kill(thread),
      replacePlans: (plans) =>
        detach(
          threads.ask((each) => each.replacePlans(plans)),
          (error) => onFault("plans", error),
        ),
      reopenLog: () =>
        detach(
          threads.ask((each) => each.reopenLog()),
          (error) => onFault("log", error),
        ),
      advance: async (ms) => void (await threads.ask((each) => each.advance(ms))),
      flush: () => publication.flush(),
    },
    async drain(delay_ms) {
      parts.drain.phase = "draining";
      await threads.ask((each) => each.drain(delay_ms));
      parts.drain.phase = "closed";
    },
    async close() {
      publication.close();
      await Promise.all([threads.close(), admin.close()]);
    },
  };
}

type TaskOf = { parts: Parts; tables: SharedTables; thread: number; url: string | null };

function toTask({ options, clock }: Inputs, { parts, tables, thread, url }: TaskOf): ServingTask {
  const { config, env, version, commit = null } = options;
  const { sandbox, keys, storage } = parts;
  return {
    ...{ thread, config, version, commit, tables },
    env: url === null ? env : { ...env, port: Number(new URL(url).port) },
    secret: storage.datasets.secret,
    sandbox: sandbox && describeSandbox(sandbox),
    keys: keys.keys,
    ahead_ms: clock.now() - Date.now(),
  };
}

function toFunctions(
  { feeds: { feeds }, storage, history, quality, claims }: Parts & { claims: ThreadClaims },
  publication: Publication,
): MainCalls {
  return {
    wake: (source_ids) => source_ids.forEach(feeds.wake),
    prioritise: feeds.prioritise,
    async refresh(...query) {
      const result = await feeds.refresh(...query);
      // Before the answer, which is for a thread that has what came of it.
      publication.flush();
      return result;
    },
    noteSource: history.note,
    noteReading: quality.note,
    countEvents: (events) => storage.ledger!.apply(events, () => undefined),
    putDataset: storage.datasets.put,
    keepDatasetOn: storage.datasets.keepOn,
    addSpend: storage.spend.add,
    claim: claims.claim,
    endClaim: claims.endClaim,
  };
}

/** What operators see is of all threads. */
function toAdminParts({ metrics, readiness, storage }: Parts, threads: Threads) {
  metrics.watch("svc_workers", () => threads.state.serving);
  metrics.watch("svc_workers_ended_total", () => threads.state.ended);
  return {
    metrics: {
      watch: metrics.watch,
      text: async () =>
        sumMetrics([metrics.text(), ...(await threads.ask((thread) => thread.metrics()))]),
    },
    readiness: {
      get ready() {
        return readiness.ready && threads.isReady;
      },
    },
    storage: {
      accounts: storage.accounts,
      usage: {
        ...storage.usage,
        async listUsage(filter: Parameters<typeof storage.usage.listUsage>[0]) {
          await threads.ask((thread) => thread.moveUsage());
          return await storage.usage.listUsage(filter);
        },
      },
    },
  };
}
