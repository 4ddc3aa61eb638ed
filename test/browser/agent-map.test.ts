/** The map of agents in a host: what it says to the host, what it draws, and that nothing leaves it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import type { Browser, Frame } from "playwright-core";
import { MAP_RESOURCE } from "#api/agent-tools.ts";
import { createFolder, removeFolder, start, type Started } from "../integration/service/support.ts";
import { connect, resultOf } from "../support/mcp.ts";
import { type AgentHost, type HostWish, openHost } from "./agent-host.ts";
import { findBarriersIn, openBrowser, openPage, skip, type Watched } from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const RESULT = "ui/notifications/tool-result";
const CONTEXT_CHANGED = "ui/notifications/host-context-changed";
const MIGHT = { serverResources: {}, openLinks: {} };
/** Every script that runs leaves this mark. */
const RUN = "globalThis.pwned=1";
const HOSTILE = [
  `<img src=x onerror="${RUN}">`,
  `<svg onload=${RUN}>`,
  `</script><script>${RUN}</script>`,
  `"><iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<style>@import'//evil.example/a.css'</style>`,
];
const LINKS = [
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  "http://evil.example/",
];

type Stored = {
  results: {
    stations: { id: string; name: string; rental_uris?: object; network: { name: string } }[];
    vehicles: { source_id: string; source: { name: string; brand: string; rental_uris: object } }[];
  };
};

describe("the map of agents", { skip }, () => {
  let started: Started;
  let browser: Browser;
  let client: Client;
  let html = "";
  /** The result of show_map, as its host passes it on. */
  let result: Awaited<ReturnType<Client["callTool"]>>;
  before(async () => {
    started = await start({ cities: "paris", data_dir: await createFolder() });
    client = await connect(started.service.url);
    const args = { ...PARIS, include: ["stations", "vehicles", "places"] };
    const name = "search_mobility_nearby";
    const { id, version } = resultOf(await client.callTool({ name, arguments: args })).dataset!;
    result = await client.callTool({ name: "show_map", arguments: { id, version } });
    const { contents } = await client.readResource({ uri: MAP_RESOURCE });
    html = (contents[0] as { text: string }).text;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await client?.close();
    await started?.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  const read = async (uri: string): Promise<{ contents: { text: string }[] }> => {
    const { contents } = await client.readResource({ uri });
    return { contents: contents as { text: string }[] };
  };
  const open = async (wish: Partial<HostWish> = {}): Promise<AgentHost & Watched> => {
    const opened = await openPage(browser);
    const whole = { html, width: 360, capabilities: MIGHT, read, ...wish };
    const host = await openHost(opened.page, opened.context, whole);
    await host.send({ method: "ui/notifications/tool-input", params: { arguments: {} } });
    return { ...opened, ...host };
  };
  const close = async ({ context, strange, assertClean, frame }: AgentHost & Watched) => {
    assert.equal(await frame.evaluate(() => "pwned" in globalThis), false);
    assert.deepEqual(strange, []);
    assertClean();
    await context.close();
  };

  test("it begins with a handshake, draws everything of the dataset and answers its host", async () => {
    const host = await open();
    const methods = host.received.map(({ method }) => method);
    assert.deepEqual(methods.slice(0, 2), ["ui/initialize", "ui/notifications/initialized"]);
    assert.equal(host.received[0]!.params!["protocolVersion"], "2026-01-26");
    await host.send({ method: RESULT, params: result });
    const { total: matching_total, dataset } = resultOf(result);
    const total = dataset!.entity_count;
    assert.ok(total > 100, String(total));
    const all = matching_total === total ? `${total}` : `The nearest ${total} of ${matching_total}`;
    await untilState(host.frame, `${all} found within 400 m.`);
    assert.equal(await countDrawn(host.frame), total);
    assert.equal((await host.until("resources/read")).params!["uri"], dataset!.uri);
    // Closer by there are more marks of the same things.
    const marks = host.frame.locator(".mark");
    const from_afar = await marks.count();
    await host.frame.locator("#map").press("+");
    await host.frame.locator("#map").press("+");
    await host.frame.locator("#map").press("ArrowLeft");
    assert.ok((await marks.count()) > from_afar);
    assert.equal(await countDrawn(host.frame), total);
    await host.frame.locator("#list summary").click();
    await host.frame
      .locator("ol li")
      .nth(total - 1)
      .waitFor();
    assert.equal(await host.frame.locator("ol li").count(), total);
    const sized = await host.until("ui/notifications/size-changed");
    assert.ok(Number(sized.params!["height"]) > 300);
    const credits = await host.frame.locator("#credits").textContent();
    for (const { attribution } of resultOf(result).attribution as { attribution?: string }[])
      if (attribution) assert.ok(credits?.includes(attribution), attribution);
    for (const [id, method] of [
      [801, "ping"],
      [802, "ui/resource-teardown"],
    ] as const) {
      await host.send({ id, method, params: {} });
      assert.deepEqual((await host.until(id)).result, {});
    }
    await close(host);
  });

  test("a host that reads nothing for it is shown what the result has, and how many there are", async () => {
    const { shown, total } = resultOf(result);
    for (const [capabilities, reason] of [
      [{}, "does not pass on"],
      [MIGHT, "cannot be read"],
    ] as const) {
      const host = await open({ capabilities, read: async () => new Error("dataset_gone") });
      // Its text alone, as some hosts have it.
      await host.send({ method: RESULT, params: { content: result.content } });
      await untilState(host.frame, reason);
      const state = await host.frame.locator("#state").textContent();
      assert.ok(state?.startsWith(`The nearest ${shown} of ${total} found`), String(state));
      assert.equal(await countDrawn(host.frame), shown);
      await close(host);
    }
    const host = await open();
    const refused = { error: { code: "dataset_not_found", message: "the dataset is unknown" } };
    const content = [{ type: "text", text: JSON.stringify(refused) }];
    await host.send({ method: RESULT, params: { isError: true, content } });
    await untilState(host.frame, "There is no map: the dataset is unknown");
    await close(host);
  });

  test("a link is opened by its host, and unknown is said to be so", async () => {
    const host = await open();
    await host.send({ method: RESULT, params: result });
    await untilState(host.frame, "found within");
    await host.frame.locator("#list summary").click();
    const row = host.frame.locator("ol li button", { hasText: "Scooter ·" }).first();
    await row.click();
    assert.equal(await row.getAttribute("aria-pressed"), "true");
    const card = await host.frame.locator("#card").textContent();
    assert.match(
      card ?? "",
      /Battery(?:unknown|\d+ %)Range(?:unknown|[\d.]+ k?m)Updated\d+ (?:s|min) ago/,
    );
    assert.match(card ?? "", /Source: \S/);
    await host.frame.locator("#card .link").click();
    const { params } = await host.until("ui/open-link");
    assert.match(String(params!["url"]), /^https:\/\/www\.paris-/);
    await host.frame.locator("#map").press("Escape");
    await host.frame.locator("#card").waitFor({ state: "hidden" });
    await close(host);
  });

  test("wheel, drag and press: closer, elsewhere, and what lies under the pointer", async () => {
    const host = await open({ width: 800 });
    await host.send({ method: RESULT, params: result });
    await untilState(host.frame, "found within");
    const { frame, page } = host;
    const { x, y } = (await frame.locator("#map").boundingBox())!;
    const at = (): Promise<string | null> => frame.locator(".rings .point").getAttribute("d");
    const scale = (): Promise<string | null> => frame.locator("#scale").textContent();
    const [first, whole] = [await at(), await scale()];
    await page.mouse.move(x + 100, y + 100);
    await page.mouse.down();
    await page.mouse.move(x + 160, y + 140);
    await page.mouse.up();
    // The whole circle stays where it is.
    assert.equal(await at(), first);
    await page.mouse.wheel(0, -800);
    await frame.waitForFunction(
      (text) => document.querySelector("#scale")?.textContent !== text,
      whole,
    );
    const closer = await at();
    await page.mouse.down();
    await page.mouse.move(x + 100, y + 130);
    await page.mouse.up();
    assert.notEqual(await at(), closer);
    assert.equal(await frame.locator("#card").isHidden(), true);
    await frame.locator("#all").click();
    assert.deepEqual([await at(), await scale()], [first, whole]);
    const marks = await frame.locator(".mark").count();
    await pressMark(host, (count) => count > 1);
    assert.ok((await frame.locator(".mark").count()) > marks);
    await frame.locator("#all").click();
    await pressMark(host, (count) => count === 1);
    assert.equal(await frame.locator("#card").isVisible(), true);
    assert.equal(await frame.locator(".halo").count(), 1);
    await close(host);
  });

  test("hostile names, links and messages of others do nothing", async () => {
    const spoil = async (uri: string): Promise<unknown> => {
      const { contents } = await read(uri);
      const body = JSON.parse(contents[0]!.text) as Stored;
      const { stations, vehicles } = body.results;
      for (const [n, one] of stations.entries()) {
        one.name = HOSTILE[n % HOSTILE.length]!;
        one.network.name = one.name;
        one.rental_uris = { web: LINKS[n % LINKS.length] };
      }
      for (const [n, { source }] of vehicles.entries()) {
        source.name = HOSTILE[n % HOSTILE.length]!;
        source.brand = source.name;
        source.rental_uris = { web: LINKS[n % LINKS.length] };
      }
      return { contents: [{ text: JSON.stringify(body) }] };
    };
    const host = await open({ read: spoil });
    const answer = structuredClone(resultOf(result)) as unknown as Record<string, unknown>;
    answer["message"] = HOSTILE[0];
    answer["attribution"] = resultOf(result).attribution.map((each, n) => ({
      ...each,
      attribution: HOSTILE[n % HOSTILE.length],
      licence: HOSTILE[0],
    }));
    await host.send({ method: RESULT, params: { structuredContent: answer } });
    await untilState(host.frame, "found within");
    await host.frame.locator("#list summary").click();
    const rows = host.frame.locator("ol li button");
    for (let n = 0; n < 12; n += 1) {
      await rows.nth(n).click();
      assert.equal(await host.frame.locator("#card .link").count(), 0);
    }
    const names = await host.frame.locator("ol .name").allTextContents();
    assert.ok(names.filter((name) => HOSTILE.includes(name)).length > 100);
    const strange = "img, iframe, a, object, embed, link, base, style:not(head style)";
    assert.equal(await host.frame.locator(strange).count(), 0);
    // A message of its own window is none of the host's.
    await host.frame.evaluate(() =>
      window.postMessage(
        { jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: {} },
        "*",
      ),
    );
    await host.frame.evaluate(() => new Promise((resolve) => void setTimeout(resolve)));
    assert.match((await host.frame.locator("#state").textContent()) ?? "", /found within/);
    await close(host);
  });

  for (const width of [360, 800])
    test(`it follows the theme, and has no barriers, at ${width} pixels`, async () => {
      const safeAreaInsets = { top: 7, right: 0, bottom: 0, left: 0 };
      const host = await open({ width, context: { theme: "dark", safeAreaInsets } });
      await host.send({ method: RESULT, params: result });
      await untilState(host.frame, "found within");
      await host.frame.locator("#list").evaluate((list) => list.toggleAttribute("open", true));
      await host.frame.locator("ol li button").first().click();
      const ground = (): Promise<string> =>
        host.frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(await ground(), "rgb(27, 32, 38)");
      assert.equal(
        await host.frame.evaluate(() => getComputedStyle(document.body).paddingTop),
        "7px",
      );
      assert.deepEqual(await findBarriersIn(host.frame), []);
      await host.send({ method: CONTEXT_CHANGED, params: { theme: "light" } });
      await host.frame.locator("[data-theme=light]").waitFor();
      assert.equal(await ground(), "rgb(255, 255, 255)");
      // What was not stated again stays.
      assert.equal(
        await host.frame.evaluate(() => getComputedStyle(document.body).paddingTop),
        "7px",
      );
      assert.deepEqual(await findBarriersIn(host.frame), []);
      const wide = await host.frame.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(wide, width);
      // A height that the host fixes is filled, and everything can be reached.
      const containerDimensions = { width, height: 640 };
      await host.send({ method: CONTEXT_CHANGED, params: { containerDimensions } });
      await host.page.locator("iframe").evaluate((box) => (box.style.height = "640px"));
      await host.frame.locator("[data-filled] ol li button").nth(4).click();
      const high = await host.frame.evaluate(() => document.querySelector("#stage")!.clientHeight);
      assert.ok(high >= 250, String(high));
      await close(host);
    });
});

/** How many things the marks of the map have. */
function countDrawn(frame: Frame): Promise<number> {
  return frame.evaluate(() =>
    [...document.querySelectorAll<SVGElement>(".mark")].reduce(
      (sum, mark) => sum + Number(mark.dataset["count"]),
      0,
    ),
  );
}

async function untilState(frame: Frame, text: string): Promise<void> {
  await frame.locator("#state", { hasText: text }).waitFor();
}

/** Presses a mark that lies uppermost where it is drawn. */
async function pressMark(
  { frame, page }: AgentHost & Watched,
  wanted: (count: number) => boolean,
): Promise<void> {
  const marks = await frame.evaluate(() =>
    [...document.querySelectorAll<SVGElement>(".mark")].flatMap((mark) => {
      const { left, top, width, height } = mark.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const isAbove = document.elementFromPoint(x, y)?.closest(".mark") === mark;
      return isAbove ? [{ count: Number(mark.dataset["count"]), x, y }] : [];
    }),
  );
  const match = marks.find(({ count }) => wanted(count));
  assert.ok(match);
  await page.mouse.click(match.x, match.y);
}
