/**
 * A session with the inspector of a running process: what it holds after a forced collection, without
 * anything of it in the product. The process was started with `--inspect` on a free port.
 */
export type Inspector = {
  collect(): Promise<void>;
  /** The value of an expression in the main thread, which JSON can hold. */
  evaluate<T>(expression: string): Promise<T>;
  close(): void;
};

/** For NODE_OPTIONS. */
export const INSPECTABLE = "--inspect=127.0.0.1:0";

type Reply = {
  id?: number;
  result?: { result?: { value?: unknown } };
  error?: { message: string };
};

/** `output`: what the process has written, the address of its inspector among it. */
export async function openInspector(output: string): Promise<Inspector> {
  const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1];
  if (address === undefined) throw new Error("the process cannot be inspected");
  const socket = new WebSocket(address);
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error("no inspector")), { once: true });
  });
  let request_count = 0;
  const call = async (method: string, params: object = {}): Promise<Reply> => {
    const id = ++request_count;
    const reply = await new Promise<Reply>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
    return reply;
  };
  return {
    async collect() {
      await call("HeapProfiler.collectGarbage");
    },
    async evaluate<T>(expression: string) {
      const { result } = await call("Runtime.evaluate", { expression, returnByValue: true });
      return result?.result?.value as T;
    },
    close: () => socket.close(),
  };
}
