/**
 * The map of a stored search inside the host of an agent (docs/agents.md, Map): it draws what the
 * tool's result shows, and then the whole dataset, which it reads through the host.
 */
import { byId, fill } from "../page/dom.js";
import { readCredits, showCredits, showKinds, toState } from "./about.js";
import { showAge, showCard } from "./card.js";
import { createChart } from "./chart.js";
import { applyContext, watchSize } from "./context.js";
import { createHost } from "./host.js";
import { createList } from "./list.js";
import { readShown, readStored } from "./things.js";
import { cut } from "./words.js";

/** @typedef {import("./things.js").Thing} Thing @typedef {import("./things.js").Found} Found */

const PROTOCOL = "2026-01-26";
const RESULT = "ui/notifications/tool-result";
/** Milliseconds between two looks at the ages on a card. */
const AGES_MS = 10_000;
const WIDE = matchMedia("(min-width: 640px)");

const card = byId("card");
const chart = createChart({ map: byId("map"), scale: byId("scale") }, choose);
const list = createList(byId("list"), choose);
/** @type {Thing | null} */
let chosen = null;
/** What is shown at the moment; `serial` counts results, so that a late dataset is not mistaken. */
let shown = { answer: /** @type {any} */ (null), received_ms: 0, serial: 0 };
/** @type {ReadonlyMap<string, string>} */
let credits = new Map();
let can = { read: false, open: false };
let stopSizes = () => {};

const host = createHost({
  answers: {
    ping: () => ({}),
    "ui/resource-teardown": () => {
      end();
      return {};
    },
  },
  notices: {
    [RESULT]: (params) => void show(params),
    "ui/notifications/tool-cancelled": () => say("The search was cancelled."),
    "ui/notifications/host-context-changed": apply,
  },
});

const ages = setInterval(() => showAge(card, chosen, readTimes()), AGES_MS);
byId("closer").addEventListener("click", chart.closer);
byId("farther").addEventListener("click", chart.farther);
byId("all").addEventListener("click", chart.reset);
byId("list").open = WIDE.matches;
await begin().catch(() => say("The host of this map does not speak its protocol."));

async function begin() {
  const { hostCapabilities, hostContext } = await host.request("ui/initialize", {
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    appInfo: { name: "vicinity-map", title: "Vicinity", version: toVersion() },
    protocolVersion: PROTOCOL,
  });
  can = {
    read: hostCapabilities?.serverResources !== undefined,
    open: hostCapabilities?.openLinks !== undefined,
  };
  apply(hostContext);
  host.notify("ui/notifications/initialized");
  stopSizes = watchSize((size) => host.notify("ui/notifications/size-changed", size));
}

function toVersion() {
  return document.querySelector("meta[name=version]")?.getAttribute("content") || "unknown";
}

function end() {
  clearInterval(ages);
  stopSizes();
  host.end();
}

/** @param {any} context */
function apply(context) {
  const dark = applyContext(context);
  if (dark !== null) chart.setDark(dark);
}

/** @param {string} text */
function say(text) {
  fill(byId("state"), text);
}

/** @param {any} result of the tool */
async function show(result) {
  const answer = toAnswer(result);
  if (answer?.query_origin === undefined) return say(toRefusal(result, answer));
  const { serial } = shown;
  shown = { answer, received_ms: Date.now(), serial: serial + 1 };
  credits = readCredits(answer.attribution);
  const { lat, lon } = answer.query_origin;
  fill(byId("title"), `Around ${lat.toFixed(4)}, ${lon.toFixed(4)}`);
  const notice = byId("notice");
  notice.hidden = typeof answer.message !== "string";
  fill(notice, cut(answer.message));
  const brief = readShown(answer);
  if (!can.read) return draw(brief, "no");
  draw(brief, "reading");
  const stored = await readDataset(answer);
  if (shown.serial !== serial + 1) return;
  if (stored === null) draw(brief, "failed");
  else draw(stored, "yes");
}

/** The JSON of a result; hosts that pass no structured content on pass its text. @param {any} result */
function toAnswer({ structuredContent, content }) {
  if (structuredContent) return structuredContent;
  return parse(content?.[0]?.text);
}

/** @param {unknown} text @returns {any} */
function parse(text) {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** @param {any} result @param {any} answer */
function toRefusal({ isError }, answer) {
  const why = cut(answer?.error?.message);
  return isError
    ? `There is no map: ${why || "the search cannot be read."}`
    : "There is nothing to draw.";
}

/** null: it cannot be read. @param {any} answer @returns {Promise<Found | null>} */
async function readDataset({ dataset, intent }) {
  try {
    const { contents } = await host.request("resources/read", { uri: dataset.uri });
    const body = parse(contents?.[0]?.text);
    const credited = [...credits.keys()];
    return body === null ? null : readStored(body, { intent: intent ?? null, credited });
  } catch {
    return null;
  }
}

/** @param {Found} found @param {"yes" | "reading" | "no" | "failed"} whole */
function draw({ things, unplaced }, whole) {
  const { query_origin: origin, radius: radius_m, total, dataset, intent } = shown.answer;
  chart.show({ origin, radius_m, things });
  list.show(things);
  showKinds(byId("kinds"), things, intent);
  showCredits(byId("credits"), credits, things);
  const read = things.length + unplaced;
  say(
    toState({
      ...{ total: dataset?.found ?? total, kept: dataset?.entity_count ?? read },
      ...{ read, drawn: things.length, radius_m, whole },
    }),
  );
  choose(things.find(({ id }) => id === chosen?.id) ?? null);
}

/** @param {Thing | null} thing */
function choose(thing) {
  chosen = thing;
  showCard(card, thing, {
    ...readTimes(),
    nameOf: (id) => credits.get(id) ?? cut(id),
    open: can.open ? open : null,
    close: () => choose(null),
  });
  chart.choose(thing);
  list.mark(thing);
}

/** A host may show an old conversation again: what is older by either clock is as old as that. */
function readTimes() {
  const { answered_at, received_at } = shown.answer?.freshness ?? {};
  const answered_ms = Date.parse(answered_at);
  const read_ms = Date.parse(received_at);
  const passed_ms = Date.now() - shown.received_ms;
  const by_service_ms = Number.isNaN(answered_ms) ? 0 : answered_ms + passed_ms;
  return {
    now_ms: Math.max(Date.now(), by_service_ms),
    read_ms: Number.isNaN(read_ms) ? null : read_ms,
  };
}

/** A link that the host does not open is no fault of the map. @param {string} url */
function open(url) {
  host.request("ui/open-link", { url }).catch(() => say("The host did not open the link."));
}
