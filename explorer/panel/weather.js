/** The weather of the point, in a corner. */
import { byId, fill, h } from "../page/dom.js";
import { withCommas, unit, UNKNOWN } from "../page/format.js";
import { t } from "../page/texts.js";

const DEGREES = { metric: "°C", standard: "K", imperial: "°F" };
/** What makes kilometres an hour of the speed; imperial is miles already. */
const SPEED = {
  metric: [3.6, "kilometer-per-hour"],
  standard: [3.6, "kilometer-per-hour"],
  imperial: [1, "mile-per-hour"],
};

/** @param {import("../page/settings.js").Settings} settings */
export function createWeather({ units }) {
  const [factor, speed] = /** @type {[number, string]} */ (SPEED[units]);
  const box = byId("weather");
  return {
    /** @param {import("../data/api.js").Call} done */
    show({ body, problem }) {
      const main = body?.main;
      box.hidden = false;
      box.classList.toggle("failed", problem !== null);
      if (problem !== null || main === undefined)
        return void fill(box, h("span", { title: problem ?? "" }, t("weather.failed")));
      const degrees =
        typeof main.temp === "number" ? `${Math.round(main.temp)} ${DEGREES[units]}` : UNKNOWN;
      const wind =
        typeof body.wind?.speed === "number"
          ? t("weather.wind", { speed: unit(body.wind.speed * factor, speed, 0) })
          : null;
      fill(
        box,
        h("strong", { dir: "ltr" }, degrees),
        h("span", {}, withCommas([body.weather?.[0]?.description, wind].filter(Boolean))),
      );
    },
  };
}
