/**
 * A host of MCP Apps for the map of agents: a page whose sandboxed frame has the view under the
 * policy that the protocol gives to a view which declares nothing (SEP-1865, Content Requirements).
 */
import type { BrowserContext, Frame, Page } from "playwright-core";

const HOST = "http://host.example/";
const VIEW = "http://view.example/";
const POLICY = [
  ...[
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
  ],
  ...["img-src 'self' data:", "media-src 'self' data:", "connect-src 'none'"],
].join("; ");

export type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
};

export type HostWish = {
  html: string;
  /** Of the frame, in pixels. */
  width: number;
  capabilities?: object;
  context?: object;
  /** Answers resources/read; absent: never. */
  read?: (uri: string) => Promise<unknown>;
};

export type AgentHost = {
  frame: Frame;
  /** Messages of the view, in their order. */
  received: Message[];
  /** Addresses that anything asked for, apart from the page and the view. */
  strange: string[];
  send(message: object): Promise<void>;
  /** The first message of a method, or the reply to a request of the host; waited for. */
  until(match: string | number): Promise<Message>;
};

/** Opens the view in a host that answers its handshake. */
export async function openHost(page: Page, context: BrowserContext, wish: HostWish) {
  const { html, width, capabilities = {}, context: hostContext = {}, read } = wish;
  const received: Message[] = [];
  const strange: string[] = [];
  const waiting: { named: string | number; resolve: (message: Message) => void }[] = [];
  await context.route("**/*", (route) => {
    const url = route.request().url();
    if (url === HOST)
      return route.fulfill({ contentType: "text/html", body: toPage(width, hostContext) });
    if (url === VIEW)
      return route.fulfill({
        headers: { "content-type": "text/html", "content-security-policy": POLICY },
        body: html,
      });
    strange.push(url);
    return route.abort();
  });
  const send = (message: object): Promise<void> =>
    page.evaluate(
      (text) => {
        document.querySelector("iframe")?.contentWindow?.postMessage(JSON.parse(text), "*");
      },
      JSON.stringify({ jsonrpc: "2.0", ...message }),
    );
  await page.exposeFunction("receive", async (message: Message) => {
    received.push(message);
    for (const { named, resolve } of waiting) if (nameOf(message) === named) resolve(message);
    const { id, method } = message;
    if (method === "ui/initialize") {
      const hostInfo = { name: "tests", version: "1" };
      const protocolVersion = "2026-01-26";
      await send({
        id,
        result: { protocolVersion, hostCapabilities: capabilities, hostInfo, hostContext },
      });
    }
    if (method === "ui/open-link") await send({ id, result: {} });
    if (method === "resources/read" && read) {
      const answered = await read(String(message.params?.["uri"]));
      await send(
        answered instanceof Error
          ? { id, error: { code: -32_000, message: answered.message } }
          : { id, result: answered },
      );
    }
  });
  await page.goto(HOST);
  const until = async (named: string | number): Promise<Message> => {
    const entry = received.find((message) => nameOf(message) === named);
    return entry ?? new Promise((resolve) => void waiting.push({ named, resolve }));
  };
  await until("ui/notifications/initialized");
  const frame = page.frames().find((each) => each.url() === VIEW) as Frame;
  return { frame, received, strange, send, until } satisfies AgentHost;
}

function nameOf({ method, id }: Message): string | number | undefined {
  return method ?? id;
}

/** The frame has the height that its view states. */
function toPage(width: number, context: { theme?: string }): string {
  const ground = context.theme === "dark" ? "#262624" : "#faf9f5";
  return `<!doctype html><html lang="en"><title>A host</title>
<body style="margin:0;background:${ground}"><main>
<iframe title="Map" sandbox="allow-scripts" style="border:0;display:block;width:${width}px;height:100px"></iframe>
</main><script>
const frame = document.querySelector("iframe");
addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  if (data.method === "ui/notifications/size-changed") frame.style.height = data.params.height + "px";
  receive(data);
});
frame.src = ${JSON.stringify(VIEW)};
</script></body></html>`;
}
