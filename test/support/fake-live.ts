/** A live layer of which a test says what happens: each stream does what it says. */
import type { LiveSnapshotValue } from "#api/live.ts";
import { LIVE_SNAPSHOT_EXAMPLE } from "#api/live-examples.ts";
import type {
  LiveScope,
  LiveStream,
  LiveStreams,
  NoStream,
  StreamRequest,
  SnapshotJson,
} from "#app/live/live-types.ts";

export class FakeStream implements LiveStream {
  readonly request: StreamRequest;
  readonly calls: string[] = [];
  /** What `write` said. */
  readonly taken: boolean[] = [];
  onResume: () => void = () => undefined;

  constructor(request: StreamRequest) {
    this.request = request;
  }

  send(event: string, data: object | string = {}): boolean {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const isTaken = this.request.sink.write(`event: ${event}\ndata: ${text}\n\n`);
    this.taken.push(isTaken);
    return isTaken;
  }

  resume(): void {
    this.calls.push("resume");
    this.onResume();
  }

  leave(): void {
    this.calls.push("leave");
  }

  end(reason: Parameters<LiveStream["end"]>[0], retry_after_s = 1): void {
    this.calls.push(`end ${reason}`);
    this.send("bye", { reason, message: reason, retry_after_s });
    this.request.sink.end(reason);
  }
}

export class FakeLive implements LiveStreams {
  readonly streams: FakeStream[] = [];
  readonly reads: { scope: LiveScope; deadline_ms: number }[] = [];
  /** Says how the next streams are refused; null: they are not. */
  refuses: NoStream | null = null;
  snapshot: LiveSnapshotValue | "large" = LIVE_SNAPSHOT_EXAMPLE;
  onOpen: (stream: FakeStream) => void = () => undefined;

  open(request: StreamRequest): LiveStream | NoStream {
    if (this.refuses !== null) return this.refuses;
    const stream = new FakeStream(request);
    this.streams.push(stream);
    this.onOpen(stream);
    return stream;
  }

  read(scope: LiveScope, deadline_ms: number): Promise<SnapshotJson | "large"> {
    this.reads.push({ scope, deadline_ms });
    const { snapshot } = this;
    return Promise.resolve(snapshot === "large" ? snapshot : { json: JSON.stringify(snapshot) });
  }
}
