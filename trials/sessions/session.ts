/** One session of /mcp: its caller, its points and wishes, what it was given, and its stream. */
import type { Client } from "@modelcontextprotocol/client";
import { connect } from "../../test/support/mcp.ts";
import type { Dice } from "../dice.ts";
import type { Point } from "../requests/laws/geo.ts";

/** A resource that the service gave to a session, and what it must be about. */
export type Given = {
  uri: string;
  point: Point;
  kind: "answer" | "dataset";
  wishes: readonly string[];
};

// oxlint-disable-next-line typescript/no-explicit-any -- whatever came; what is missing fails the run
type Body = Record<string, any>;

const KINDS = [
  ...["bike>=1", "bike:dock", "scooter", "tram:stop", "tram", "toilet", "toilet:open", "water"],
  ...["charger", "charger:free", "parking", "locker", "metro:stop", "bus", "aed"],
];
const WISHES_MAX = 2;
/** Resources that are read again: of an account sixteen answers are kept, and several sessions have one. */
const REMEMBERED = 2;
/** Resources of one stream. */
const WATCHED_MAX = 4;

export class Session {
  readonly name: string;
  readonly key: string;
  readonly #client: Client;
  readonly #given: Given[] = [];
  #watched: ReadonlySet<string> = new Set();
  #stream: { close(): Promise<void> } | null = null;
  #foreign: string[] = [];
  #notifications = 0;
  #late = 0;

  private constructor(name: string, key: string, client: Client) {
    this.name = name;
    this.key = key;
    this.#client = client;
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      this.#notifications++;
      if (!this.#watched.has(params.uri)) this.#foreign.push(params.uri);
    });
  }

  static async open(url: string, { name, key }: { name: string; key: string }): Promise<Session> {
    return new Session(name, key, await connect(url, { revision: "2026-07-28", key, query: "" }));
  }

  /** Questions without an answer within their deadline. */
  get late(): number {
    return this.#late;
  }

  /** The newest first. */
  get given(): readonly Given[] {
    return this.#given;
  }

  /** Notifications that came, and addresses of those that this session does not watch; forgets both. */
  take(): { notifications: number; foreign: readonly string[] } {
    const taken = { notifications: this.#notifications, foreign: this.#foreign };
    this.#notifications = 0;
    this.#foreign = [];
    return taken;
  }

  /** Asks at a point of its own; null: the answer is its own. */
  async ask(point: Point, dice: Dice): Promise<string | null> {
    return dice.chance(0.5) ? this.#wish(point, dice) : this.#search(point);
  }

  async #wish(point: Point, dice: Dice): Promise<string | null> {
    const [first, ...others] = dice.shuffle(KINDS);
    const wishes = [first!, ...others.slice(0, dice.integer(0, WISHES_MAX - 1))];
    const body = await this.#call("ask_here", { ...point, wishes });
    if (body === null) return null;
    const texts = (body["answers"] as Body[]).map(({ wish }) => String(wish));
    if (!isSame(body["query_origin"], point) || texts.join() !== wishes.join())
      return `it answers ${text(body["query_origin"])} ${texts.join()}, not ${text(point)} ${wishes.join()}`;
    const { resource } = body;
    if (resource !== undefined) this.#keep({ uri: resource, point, kind: "answer", wishes });
    return null;
  }

  async #search(point: Point): Promise<string | null> {
    const body = await this.#call("search_mobility_nearby", point);
    if (body === null) return null;
    if (!isSame(body["query_origin"], point))
      return `it answers ${text(body["query_origin"])}, not ${text(point)}`;
    const { dataset } = body;
    if (dataset) this.#keep({ uri: dataset.uri, point, kind: "dataset", wishes: [] });
    return null;
  }

  /** null: it has no answer, as a busy machine has none within its deadline. */
  async #call(name: string, args: object): Promise<Body | null> {
    const called = await patiently(() => this.#client.callTool({ name, arguments: { ...args } }));
    if (called.isError && text(called.content).includes("deadline_exceeded")) {
      this.#late++;
      return null;
    }
    if (called.isError) throw new Error(text(called.content));
    return called.structuredContent as Body;
  }

  #keep(given: Given): void {
    this.#given.unshift(given);
    this.#given.length = Math.min(this.#given.length, REMEMBERED);
  }

  /** Reads a resource of its own; null: it is what it was given. */
  async read({ uri, point, kind, wishes }: Given): Promise<string | null> {
    const { contents } = await patiently(() => this.#client.readResource({ uri }));
    const body = JSON.parse((contents[0] as { text: string }).text) as Body;
    if (contents[0]!.uri !== uri) return `it reads ${contents[0]!.uri}, not ${uri}`;
    const answer = kind === "answer" ? (body["answer"] as Body) : body;
    if (!isSame(answer["query_origin"], point))
      return `${uri} answers ${text(answer["query_origin"])}, not ${text(point)}`;
    if (kind === "dataset") return null;
    const checked = (body["checks"] as Body[]).map(({ wish }) => String(wish));
    if (answer["resource"] !== uri) return `${uri} has the answer of ${answer["resource"]}`;
    return checked.every((wish) => wishes.includes(wish))
      ? null
      : `${uri} judges ${checked.join()}`;
  }

  /** Whether it is refused what was given to another account. */
  async isRefused({ uri }: Given): Promise<boolean> {
    return patiently(() => this.#client.readResource({ uri })).then(
      () => false,
      (error: unknown) =>
        /-32602|not found/i.test(`${(error as { code?: number }).code} ${String(error)}`),
    );
  }

  /** Watches what it was given last, and a foreign answer that must be left out. */
  async listen(foreign: readonly string[]): Promise<string | null> {
    await this.#stream?.close();
    const own = this.#given.filter(({ kind }) => kind === "answer").map(({ uri }) => uri);
    this.#watched = new Set(own.slice(0, WATCHED_MAX));
    const stream = await patiently(() =>
      this.#client.listen({ resourceSubscriptions: [...foreign, ...own] }),
    );
    this.#stream = stream;
    const honoured = stream.honoredFilter.resourceSubscriptions ?? [];
    const isOwn = honoured.every((uri) => this.#watched.has(uri));
    return isOwn && honoured.length === this.#watched.size
      ? null
      : `it watches ${honoured.join()}, not ${[...this.#watched].join()}`;
  }

  async close(): Promise<void> {
    await this.#stream?.close();
    await this.#client.close();
  }
}

/** What the service refuses on a machine that is busy with something else, and how often one comes again. */
const BUSY = new Set([408, 503]);
const TRIES = 5;

async function patiently<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await send();
    } catch (error) {
      const { status } = (error as { data?: { status?: number } }).data ?? {};
      if (tries === TRIES || status === undefined || !BUSY.has(status)) throw error;
    }
}

function isSame(a: Partial<Point> | undefined, b: Point): boolean {
  return a?.lat === b.lat && a.lon === b.lon;
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
