/**
 * A catalogue: one document that says which sources there are, read daily. The last good one is kept
 * in the store, so that a start while it cannot be reached knows what it named.
 */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { DocumentStore, KeptDocuments } from "#core/kept-documents.ts";
import { DEFECT, type Failure } from "#kit/outcome.ts";
import type { Trail } from "#kit/trail.ts";
import type { Clock, MaybePromise } from "#ports.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { guard, type NoteFault } from "#kit/guard.ts";
import type { RunRequest } from "#upstream/run.ts";

export type CatalogueSpec<T> = {
  /** The name of what is kept of it, too. */
  id: string;
  /** An address, or a file of the operator's. */
  from: SourceRequest | { path: string };
  /** Its terms let it be kept. */
  keep: boolean;
  /** null: it is of another shape. */
  parse(body: Uint8Array): MaybePromise<Read<T> | null>;
};

export type CatalogueHealth = {
  /** Of the last attempt. */
  status: "ok" | Failure["status"];
  reason: string | null;
  /** When what is in use was last what the source has, epoch ms; null: nothing is in use. */
  last_success_at_ms: number | null;
  /** How many sources it names. */
  count: number | null;
};

/** Event for the log: an attempt, or what was kept; `where` is the host or the file. */
export type CatalogueEvent = CatalogueHealth & {
  catalogue: string;
  where: string;
  kept: boolean;
  dropped: Trail["dropped"];
};

export type CatalogueDeps = {
  run: RunRequest;
  clock: Clock;
  documents: DocumentStore;
  onEvent(event: CatalogueEvent): void;
  /** Receives what reading or using it throws: it is tried again at its next turn. */
  onFault: NoteFault;
};

/** It is asked for again after this long when it could not be read, and daily. */
const RETRY_MS = 60_000;
const MAX_RETRY_MS = 600_000;
const RENEW_MS = 24 * 3_600_000;

type Read<T> = { value: T; count: number; trail: Trail };
type Got =
  | { kind: "same" }
  | { kind: "failed"; failure: Failure }
  | { kind: "new"; documents: KeptDocuments };

export class Catalogue<T> {
  readonly #spec: CatalogueSpec<T>;
  readonly #deps: CatalogueDeps;
  /** Takes what is new. */
  readonly #use: (value: T) => Promise<void>;
  readonly #where: string;
  readonly #closing = new AbortController();
  #health: CatalogueHealth = {
    status: "unavailable",
    reason: "not_loaded",
    last_success_at_ms: null,
    count: null,
  };
  #validators: Pick<KeptDocuments, "etag" | "last_modified"> = { etag: null, last_modified: null };
  #failures = 0;
  #cancel = (): void => undefined;
  /** The attempt under way. */
  #pass: Promise<void> = Promise.resolve();

  readonly #onFault = (error: unknown): void =>
    this.#deps.onFault(`catalogue ${this.#spec.id}`, error);

  constructor(spec: CatalogueSpec<T>, deps: CatalogueDeps, use: (value: T) => Promise<void>) {
    this.#use = use;
    this.#spec = spec;
    this.#deps = deps;
    this.#where = "path" in spec.from ? spec.from.path : spec.from.url;
  }

  /** Hands over what was kept; no more than a file is read for it. */
  async recall(): Promise<void> {
    await guard(() => this.#recall(), this.#onFault);
  }

  async #recall(): Promise<void> {
    const stored = this.#spec.keep ? await this.#deps.documents.read(this.#spec.id) : null;
    const body = stored?.origin === toOrigin(this.#where) ? stored.bodies[0] : undefined;
    const read = body === undefined ? null : await this.#spec.parse(body);
    if (!stored || !read) return;
    this.#validators = stored;
    this.#health = {
      status: "ok",
      reason: null,
      last_success_at_ms: stored.read_at_ms,
      count: read.count,
    };
    this.#report(null, { kept: true, dropped: [] });
    await this.#use(read.value);
  }

  /** Reads it, now and daily. Resolves when something is in use or the source was tried once. */
  async start(): Promise<void> {
    this.#pass = this.#renew();
    if (this.#health.last_success_at_ms === null) await this.#pass;
  }

  health(): CatalogueHealth {
    return this.#health;
  }

  /** Resolves when what has been read is kept. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancel();
    await this.#pass;
  }

  /** One reading, and the next one in its time, whatever the first throws. */
  async #renew(): Promise<void> {
    const failure = await guard(
      () => this.#read(),
      (error) => {
        this.#onFault(error);
        this.#failures++;
        this.#fail(DEFECT);
        return DEFECT;
      },
    );
    if (this.#closing.signal.aborted) return;
    const { clock } = this.#deps;
    const retry_ms = Math.min(RETRY_MS * 2 ** Math.min(this.#failures - 1, 10), MAX_RETRY_MS);
    const at_ms = Math.max(
      clock.now() + (failure ? retry_ms : RENEW_MS),
      failure?.retry_at_ms ?? 0,
    );
    this.#cancel = clock.schedule(at_ms, () => (this.#pass = this.#renew()));
  }

  /** null: it is in use. */
  async #read(): Promise<Failure | null> {
    const got = await this.#fetch();
    if (this.#closing.signal.aborted) return null;
    const read = got.kind === "new" ? await this.#spec.parse(got.documents.bodies[0]!) : null;
    const failure =
      got.kind === "failed" ? got.failure : got.kind === "new" && !read ? OTHER : null;
    this.#failures = failure ? this.#failures + 1 : 0;
    if (failure) this.#fail(failure);
    else await this.#succeed(got, read);
    return failure;
  }

  #fail({ status, reason }: Failure): void {
    this.#health = { ...this.#health, status, reason };
    this.#report(reason, { kept: false, dropped: [] });
  }

  async #succeed(got: Got, read: Read<T> | null): Promise<void> {
    const now_ms = this.#deps.clock.now();
    const count = read?.count ?? this.#health.count;
    this.#health = { status: "ok", reason: null, last_success_at_ms: now_ms, count };
    const dropped = read?.trail.dropped ?? [];
    this.#report(got.kind === "same" ? "not_modified" : null, { kept: false, dropped });
    if (got.kind === "new") this.#validators = got.documents;
    if (read) await this.#use(read.value);
    if (!this.#spec.keep) return;
    const { documents } = this.#deps;
    await (got.kind === "new"
      ? documents.write(this.#spec.id, got.documents)
      : documents.confirm(this.#spec.id, now_ms));
  }

  async #fetch(): Promise<Got> {
    const { from } = this.#spec;
    const { run, clock } = this.#deps;
    if ("path" in from) return readLocal(from.path, clock.now());
    const request = { ...from, ...this.#asking() };
    const outcome = await run(request, { signal: this.#closing.signal });
    if (outcome.status !== "ok") return { kind: "failed", failure: outcome };
    const { value } = outcome;
    if (value.kind === "not_modified") return { kind: "same" };
    if (value.kind === "refused") return { kind: "failed", failure: value.failure };
    const { etag, last_modified, body } = value;
    const read_at_ms = outcome.fetched_at_ms;
    const origin = toOrigin(from.url);
    const documents = { origin, read_at_ms, etag, last_modified, bodies: [body] };
    return { kind: "new", documents };
  }

  #asking(): Pick<SourceRequest, "etag" | "last_modified"> {
    const { etag, last_modified } = this.#validators;
    return { etag, last_modified };
  }

  #report(reason: string | null, details: Pick<CatalogueEvent, "kept" | "dropped">): void {
    const where = URL.parse(this.#where)?.host ?? this.#where;
    this.#deps.onEvent({ catalogue: this.#spec.id, where, ...this.#health, reason, ...details });
  }
}

const OTHER: Failure = { status: "error", reason: "wrong_shape" };

/** An address may have a key in it, which is no matter of the store. */
export function toOrigin(where: string): string {
  return hash("sha256", where);
}

async function readLocal(path: string, now_ms: number): Promise<Got> {
  const body = await guard(
    () => readFile(path),
    (error) => {
      const { code } = error as NodeJS.ErrnoException;
      const reason = code === "ENOENT" ? "not_found" : "unreadable";
      return { status: "error" as const, reason };
    },
  );
  if ("status" in body) return { kind: "failed", failure: body };
  const labels = { origin: toOrigin(path), read_at_ms: now_ms, etag: null, last_modified: null };
  return { kind: "new", documents: { ...labels, bodies: [body] } };
}
