import { AskError, URL_OPTION, bodyOf, clientFor, print, serverUrl } from "#cli/ask.ts";
import { textOption, toPoint } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatWeather } from "#cli/print/print-weather.ts";

export const weather: Command = {
  name: "weather",
  summary: "show the weather now and on the next days, in the server's units",
  positionals: ["LAT,LON"],
  options: {
    lang: { value: "CODE", help: "of the descriptions, such as fr, zh_cn or cz (default: en)" },
    url: URL_OPTION,
  },
  examples: ["vicinity weather 48.8566,2.3522", "vicinity weather -33.9249,18.4241 --lang nl"],
  run: async (parsed, context) => {
    const query = { ...toPoint(parsed), language: textOption(parsed, "lang") ?? "en" };
    const client = clientFor(parsed, context);
    const url = serverUrl(parsed, context);
    const [now, next] = await Promise.all([client.weather(query), client.forecast(query)]);
    const [current, forecast] = [bodyOf(now, url), bodyOf(next, url)];
    if (!Array.isArray(current.weather) || !Array.isArray(forecast.list))
      throw new AskError("the answer has no weather");
    return print(parsed, context, {
      json: { weather: current, forecast },
      table: (on) => formatWeather(current, forecast, on),
    });
  },
};
