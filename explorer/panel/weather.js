/** The weather of the point, in a corner; pressed, it opens the forecast. */
import { byId, fill, h } from "../page/dom.js";
import { withCommas } from "../page/format.js";
import { t } from "../page/texts.js";
import { createForecast } from "./forecast.js";
import { degrees, windSpeed } from "./weather-words.js";

/** @param {Parameters<typeof createForecast>[0]} given */
export function createWeather(given) {
  const { units } = given.settings;
  const box = byId("weather");
  const forecast = createForecast(given);
  const opener = h("button", {
    ...{ type: "button", popovertarget: "forecast", "aria-haspopup": "dialog" },
    title: t("forecast.title"),
  });
  return {
    /** @param {import("../data/api.js").Call} done */
    show({ body, problem }) {
      const main = body?.main;
      const isFailed = problem !== null || main === undefined;
      box.hidden = false;
      box.classList.toggle("failed", isFailed);
      forecast.changed();
      if (isFailed) return void fill(box, h("span", { title: problem ?? "" }, t("weather.failed")));
      const speed = windSpeed(body.wind, units);
      const wind = speed === null ? null : t("weather.wind", { speed });
      fill(
        opener,
        h("strong", { dir: "ltr" }, degrees(main.temp, units)),
        h("span", {}, withCommas([body.weather?.[0]?.description, wind].filter(Boolean))),
      );
      // One that stays keeps the focus.
      if (!box.contains(opener)) fill(box, opener);
    },
  };
}
