/** Opens what says which service this is: the facts of the process, and the comparison with its fleet. */
import { join } from "node:path";
import { hostname } from "node:os";
import { attempt, detach } from "#kit/guard.ts";
import { describeSchemas } from "#storage/schema-versions.ts";
import { toLine } from "#storage/error-line.ts";
import type { CoreInput } from "./bootstrap.ts";
import type { Core } from "./engine.ts";
import type { Listeners } from "./listen.ts";
import { NodeFacts } from "./node-facts.ts";
import { digestList, ReplicaWatch, type ReplicaState } from "./replica-watch.ts";

export type NodeInput = Pick<
  CoreInput,
  "options" | "storage" | "shared" | "clock" | "log" | "onFault"
>;

export function createFacts({ options, storage }: NodeInput, { metrics }: Core): NodeFacts {
  const { config, version, commit = null } = options;
  const schema = (): string => describeSchemas(storage.schemas());
  return new NodeFacts({ build: { version, commit }, digest: config.digest, schema, metrics });
}

/** Leaves the file for `doctor`, and compares with the other replicas once all has been read. */
export function announce(
  input: NodeInput,
  {
    facts,
    core,
    http,
  }: { facts: NodeFacts; core: Core; http: Pick<Listeners, "url" | "admin_url"> },
): () => void {
  const { options, clock, log } = input;
  const folder = join(options.env.data_dir, options.config.mode);
  const { url, admin_url } = http;
  const started_at = new Date(clock.now()).toISOString();
  let closed = false;
  const write = (): void => facts.write(folder, { url, admin_url, started_at });
  // On a full disk the service runs all the same.
  const warn = (error: unknown): void => log.warn({ reason: toLine(error) }, "running.json");
  attempt(write, warn);
  const writeAgain = (): void => {
    if (!closed) attempt(write, warn);
  };
  facts.onChange(writeAgain);
  const { fleet } = input.storage;
  if (fleet) detach(fleet.joined.then(writeAgain), warn);
  let watch: ReplicaWatch | null = null;
  const begin = (): void => {
    if (!closed) watch = watchReplicas(input, facts, core);
  };
  detach(core.tried().then(begin), (error) => input.onFault("replicas", error));
  return () => {
    closed = true;
    watch?.close();
    facts.remove(folder);
  };
}

/** null: there are no others. */
function watchReplicas(input: NodeInput, facts: NodeFacts, core: Core): ReplicaWatch | null {
  const { shared, storage, options, clock, log, onFault } = input;
  const texts = shared?.facts ?? storage.fleet?.facts;
  if (texts === undefined) return null;
  const name = `${hostname()}:${options.env.port}`;
  const state = (): ReplicaState => toState(input, facts, core);
  const { metrics } = core;
  return new ReplicaWatch({ facts: texts, name, state, clock, log, metrics, onFault });
}

function toState({ options, storage }: NodeInput, facts: NodeFacts, { bases }: Core): ReplicaState {
  const { version, commit, config, plans } = facts.describe();
  const held = bases.list().map((each) => [each.id, each.statement.data_at, each.bytes].join(" "));
  // Those of the configuration come by themselves, on each replica in its time.
  const own = new Set(options.config.sources.gtfs.feeds.map(({ id }) => id));
  const imported = storage.transit.listFeeds().map(({ feed_id }) => feed_id);
  return {
    version: `${version} ${commit}`,
    config,
    plans,
    bases: digestList(held),
    timetables: digestList(imported.filter((id) => !own.has(id))),
  };
}
