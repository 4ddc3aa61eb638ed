/** Parts of the guide that are data: prices, the caller's limits, codes of errors. */
import { byId, fill, h } from "../page/dom.js";
import { toInline } from "./markdown.js";
import { toJson } from "./offers.js";
import { send } from "./request.js";

/** Units by operation, those without a price together. @param {import("./spec.js").Operation[]} operations */
export function showCosts(operations) {
  const paid = operations.filter(({ units }) => units !== "0");
  const free = operations.filter(({ units }) => units === "0");
  fill(
    byId("costs"),
    h(
      "thead",
      {},
      h("tr", {}, h("th", { scope: "col" }, "Operation"), h("th", { scope: "col" }, "Units")),
    ),
    h(
      "tbody",
      {},
      paid.map((one) => h("tr", {}, h("td", {}, toLink(one)), h("td", {}, toInline(one.units)))),
      h(
        "tr",
        {},
        h(
          "td",
          {},
          free.flatMap((one, n) => [n === 0 ? null : ", ", toLink(one)]),
        ),
        h("td", {}, "0"),
      ),
    ),
  );
}

/** @param {import("./spec.js").Operation} operation */
function toLink({ id, path }) {
  return h("a", { href: `#${id}` }, h("code", {}, path));
}

/** What the caller has, of /v1/me. @param {string | null} key */
export async function showLimits(key) {
  const reply = await send({ method: "GET", target: "/v1/me", body: null, key });
  const me = typeof reply === "string" ? null : toJson(reply.text);
  if (!me?.plan) {
    const problem = typeof reply === "string" ? reply : (me?.error?.message ?? reply.status);
    return void fill(byId("limits"), h("dt", {}, "Not known"), h("dd", {}, problem));
  }
  const { plan, usage } = me;
  const rows = [
    ["Plan", `${plan.name}, ${me.kind === "keyed" ? "with a key" : "without a key"}`],
    [
      "Requests",
      plan.rate_per_s === null
        ? "not limited"
        : `${plan.rate_per_s} per second, ${plan.burst} at once`,
    ],
    ["Units", plan.units === null ? "not limited" : `${count(plan.units)} per ${plan.period}`],
    [
      "Left",
      usage.remaining === null
        ? "not limited"
        : `${count(usage.remaining)} until ${toMinute(usage.ends_at)}`,
    ],
    ["Page of /v1/nearby", toPage(plan)],
  ];
  fill(
    byId("limits"),
    rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

/** @param {{ nearby_limit_max: number, nearby_offset_max: number | null }} plan */
function toPage({ nearby_limit_max, nearby_offset_max }) {
  const offset =
    nearby_offset_max === null ? "any offset" : `offsets up to ${count(nearby_offset_max)}`;
  return `up to ${nearby_limit_max} results, ${offset}`;
}

/** @param {number} n */
const count = (n) => n.toLocaleString("en");

/** @param {string} time */
const toMinute = (time) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/** Every code with its meaning and what to do, each with an anchor. @param {string} assets */
export async function showCodes(assets) {
  const reply = await send({
    method: "GET",
    target: `${assets}/docs/errors.json`,
    body: null,
    key: null,
  });
  const rows = typeof reply === "string" ? null : toJson(reply.text);
  if (rows === null)
    return void fill(byId("codes"), h("dt", {}, "The list of codes cannot be read."));
  fill(
    byId("codes"),
    rows.flatMap((/** @type {any} */ { code, statuses, when, remedy }) => [
      h(
        "dt",
        { id: `error-${code}` },
        h("code", {}, code),
        h("span", { class: "note" }, statuses.join(" or ")),
      ),
      h("dd", {}, when, h("span", { class: "said" }, remedy)),
    ]),
  );
}
