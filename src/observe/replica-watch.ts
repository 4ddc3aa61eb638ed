/**
 * Compares this replica with the others of its fleet (docs/fleet.md, Replicas that differ): callers
 * of a fleet reach any of them, so that another configuration, plan or import on one of them shows as
 * answers that alternate. Each change is one line of the log, and a series per kind says how many
 * replicas differ.
 */
import { hash } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import { guard, type NoteFault } from "#kit/guard.ts";
import { parseJson } from "#kit/json.ts";
import { isObject } from "#core/members/member-rules.ts";
import type { Metrics } from "#http/metrics.ts";
import type { Clock } from "#ports.ts";
import type { ReplicaTexts } from "#ports/replica-texts.ts";
import type { Storage } from "#storage/open-storage.ts";
import type { Shared } from "#storage/valkey/open-valkey.ts";
import type { Bases } from "#upstream/bases/shelf.ts";
import type { NodeFacts } from "./node-facts.ts";

/** Kinds of things that replicas are to have in common. */
const SHARED_KINDS = ["version", "config", "plans", "bases", "timetables"] as const;
type Kind = (typeof SHARED_KINDS)[number];

/** A short text for each kind; equal where the replicas are alike. */
export type ReplicaState = Readonly<Record<Kind, string>>;

const REPORT_MS = 10_000;
const DIGEST_CHARS = 12;

/** Shortens a list of what a replica has, whatever its order. */
export function digestList(names: readonly string[]): string {
  if (names.length === 0) return "none";
  return hash("sha256", [...names].sort().join("\n"), "hex").slice(0, DIGEST_CHARS);
}

type Deps = {
  facts: ReplicaTexts;
  /** By which people know this replica. */
  name: string;
  state: () => ReplicaState;
  clock: Clock;
  log: Pick<Logger, "warn" | "info">;
  metrics: Pick<Metrics, "watch">;
  onFault: NoteFault;
};

type Other = { name: string; value: string };

export class ReplicaWatch {
  readonly #deps: Deps;
  readonly #differing = new Map<Kind, readonly Other[]>();
  /** Of each kind what was found last, and what was reported: a change is when it is found twice. */
  readonly #found = new Map<Kind, string>();
  readonly #reported = new Map<Kind, string>();
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.metrics.watch("svc_replicas_differ", () =>
      SHARED_KINDS.map((kind) => ({
        labels: { what: kind },
        value: this.#differing.get(kind)?.length ?? 0,
      })),
    );
    this.#wait(0);
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #wait(after_ms: number): void {
    const { clock, onFault } = this.#deps;
    this.#cancel = clock.schedule(clock.now() + after_ms, async () => {
      await guard(
        () => this.#compare(),
        (error) => onFault("replicas", error),
      );
      if (!this.#closed) this.#wait(REPORT_MS);
    });
  }

  async #compare(): Promise<void> {
    const { facts, name, state } = this.#deps;
    const own = state();
    const reported = await facts.report(JSON.stringify({ name, ...own }));
    // Unknown is no agreement: what was found last holds until the store answers.
    if (reported === null || this.#closed) return;
    const others = [...reported.values()].map(readMembers);
    for (const kind of SHARED_KINDS) {
      const different = others.flatMap((other) => {
        const value = other[kind];
        if (typeof value !== "string" || value === own[kind]) return [];
        return [{ name: String(other["name"]), value }];
      });
      this.#differing.set(kind, different);
      this.#report(kind, own[kind], different);
    }
  }

  #report(kind: Kind, here: string, others: readonly Other[]): void {
    const { log } = this.#deps;
    const values = [...new Set(others.map(({ value }) => value))].sort();
    const now = values.length === 0 ? "" : [here, ...values].join(" ");
    const isLasting = this.#found.get(kind) === now;
    this.#found.set(kind, now);
    if (!isLasting || now === (this.#reported.get(kind) ?? "")) return;
    this.#reported.set(kind, now);
    if (now === "") log.info({ what: kind, here }, "replicas agree again");
    else log.warn({ what: kind, here, others }, DIFFER);
  }
}

const DIFFER =
  "replicas differ, so answers depend on which one is asked (docs/fleet.md, Replicas that differ)";

/** What another version does not report is unknown, and differs from nothing. */
function readMembers(text: string): Readonly<Record<string, unknown>> {
  const reported = parseJson(text);
  return isObject(reported) ? reported : {};
}

type Replica = Pick<Deps, "clock" | "log" | "metrics" | "onFault"> & {
  /** Where it listens. */
  port: number;
  /** Timetables of the configuration, which come by themselves, on each replica in its time. */
  configured: readonly { id: string }[];
  facts: Pick<NodeFacts, "describe">;
  shared: Pick<Shared, "facts"> | null;
  storage: Pick<Storage, "fleet" | "transit">;
  bases: Pick<Bases, "list">;
};

/** Compares this replica with the others; null: there are none. */
export function watchReplicas(replica: Replica): ReplicaWatch | null {
  const { shared, storage, port, clock, log, metrics, onFault } = replica;
  const facts = shared?.facts ?? storage.fleet?.facts;
  if (facts === undefined) return null;
  const state = (): ReplicaState => toState(replica);
  return new ReplicaWatch({
    ...{ facts, clock, log, metrics, onFault, state },
    name: `${hostname()}:${port}`,
  });
}

function toState({ facts, bases, storage, configured }: Replica): ReplicaState {
  const { version, commit, config, plans } = facts.describe();
  const stored = bases
    .list()
    .map((each) => [each.id, each.statement.data_at, each.bytes].join(" "));
  const own_ids = new Set(configured.map(({ id }) => id));
  const imported = storage.transit.listFeeds().map(({ feed_id }) => feed_id);
  return {
    version: `${version} ${commit}`,
    config,
    plans,
    bases: digestList(stored),
    timetables: digestList(imported.filter((id) => !own_ids.has(id))),
  };
}
