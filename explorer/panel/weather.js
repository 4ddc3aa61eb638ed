/** The weather of the point, in a corner. */
import { byId, fill, h } from "../page/dom.js";
import { UNKNOWN } from "../page/format.js";

export function createWeather() {
  const box = byId("weather");
  return {
    /** @param {import("../data/api.js").Call} done */
    show({ body, problem }) {
      const main = body?.main;
      box.hidden = problem !== null || main === undefined;
      if (box.hidden) return;
      const degrees = typeof main.temp === "number" ? `${Math.round(main.temp)} °C` : UNKNOWN;
      const wind =
        typeof body.wind?.speed === "number"
          ? `wind ${Math.round(body.wind.speed * 3.6)} km/h`
          : null;
      fill(
        box,
        h("strong", {}, degrees),
        h("span", {}, [body.weather?.[0]?.description, wind].filter(Boolean).join(", ")),
      );
    },
  };
}
