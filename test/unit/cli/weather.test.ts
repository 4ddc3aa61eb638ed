/** `vicinity weather`: what is asked, and the picture of the days. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { displayWidth } from "#cli/print/wrap.ts";
import { FORECAST_EXAMPLE, type ForecastBodyValue, WEATHER_EXAMPLE } from "#api/weather.ts";
import { answering, run, terminal } from "./support.ts";

type Step = ForecastBodyValue["list"][number];
const PARIS = ["weather", "48.8566,2.3522"];
const [FIRST] = FORECAST_EXAMPLE.list as [Step];
/** Both questions are asked at once, the weather first. */
const both = (weather: unknown, forecast: unknown) => answering([weather, forecast]);

const at = (dt: number, change: Partial<Step> = {}): Step => ({ ...FIRST, dt, ...change });
const day_s = Date.UTC(2026, 10, 21) / 1000;

test("one line of now, one of its details, one a day of the place's own calendar", async () => {
  const light = { ...FIRST.weather[0]!, description: "light rain" };
  const list = [
    // 23:00 in Paris is the same day there, 00:00 the next one.
    at(day_s + 15 * 3600, { rain: { "3h": 1.25 }, weather: [light], pop: 0.4 }),
    at(day_s + 18 * 3600, { rain: { "3h": 0.5 }, sys: { pod: "n" }, pop: 0.9 }),
    at(day_s + 24 * 3600, { main: { temp: -3.6 }, wind: {}, weather: [], snow: { "3h": 2 } }),
  ];
  const { pop: _, rain: __, ...last } = list[2]!;
  const forecast = { ...FORECAST_EXAMPLE, list: [list[0], list[1], last] };
  const ran = await run(PARIS, { fetch: both(WEATHER_EXAMPLE, forecast) });
  assert.equal(ran.code, 0, ran.err);
  assert.deepEqual(ran.out.split("\n"), [
    "Paris, FR · 9 °C · broken clouds",
    "feels like 7 °C · wind 4.1 m/s SW · humidity 81 % · 1016 hPa · visibility 10.0 km · sun 08:09 to 17:04 (UTC+01:00)",
    "",
    "day           low   high    rain    snow  chance        wind  weather",
    "Sat 21 Nov   7 °C  10 °C  1.8 mm       –    90 %  5.2 m/s SW  light rain",
    "Sun 22 Nov  -4 °C  -4 °C       –  2.0 mm       –           –  –",
    "",
  ]);
});

test("the words of a day name what falls in it, though most hours are dry or it falls by night", async () => {
  const say = (id: number, description: string) => [{ ...FIRST.weather[0]!, id, description }];
  const noon = day_s + 12 * 3600;
  const list = [
    at(noon - 3600 * 3, { weather: say(802, "scattered clouds") }),
    at(noon, { weather: say(803, "broken clouds") }),
    at(noon + 3600 * 3, { weather: say(803, "broken clouds") }),
    at(noon + 3600 * 4, { weather: say(500, "light rain"), rain: { "3h": 0.2 } }),
    at(noon + 3600 * 5, { weather: say(500, "light rain"), rain: { "3h": 0.2 } }),
    at(noon + 3600 * 6, { weather: say(502, "heavy rain"), rain: { "3h": 9 }, sys: { pod: "n" } }),
    at(noon + 3600 * 24, { weather: say(600, "light snow") }),
    at(noon + 3600 * 48, { weather: say(741, "fog") }),
    at(noon + 3600 * 72, { weather: say(701, "mist"), sys: { pod: "n" } }),
  ];
  const fetch = both(WEATHER_EXAMPLE, { ...FORECAST_EXAMPLE, list });
  const words = (await run(PARIS, { fetch })).out.split("\n").slice(4, 8);
  assert.match(words[0]!, / heavy rain, broken clouds$/);
  assert.match(words[1]!, / light snow$/);
  assert.match(words[2]!, / fog$/);
  assert.match(words[3]!, / mist$/);
});

test("the units are those of the answer; without them numbers have none", async () => {
  const ask = async (units: "standard" | "imperial" | undefined) => {
    const [now, next] = [WEATHER_EXAMPLE, FORECAST_EXAMPLE].map((body) => ({ ...body, units }));
    return (await run(PARIS, { fetch: both(now, next) })).out;
  };
  assert.match(await ask("standard"), / 9 K .*wind 4\.1 m\/s SW.* 10 K .*5\.2 m\/s SW/s);
  assert.match(await ask("imperial"), / 9 °F .*wind 4\.1 mph SW.* 10 °F .*5\.2 mph SW/s);
  assert.match(await ask(undefined), / 9° .*wind 4\.1 SW.* 10° .*5\.2 SW/s);
});

test("unknown values are left out", async () => {
  const { name: _, units: __, ...nameless } = WEATHER_EXAMPLE;
  const bare = {
    ...nameless,
    weather: [],
    wind: {},
    sys: {},
    main: { temp: -0.2 },
    visibility: undefined,
  };
  const ran = await run(PARIS, { fetch: both(bare, { ...FORECAST_EXAMPLE, list: [] }) });
  assert.equal(ran.out, "48.8566, 2.3522 · 0° · –\n");
});

test("both routes are asked, in the language that was named, else in English", async () => {
  const requested: Request[] = [];
  const fetch = answering([WEATHER_EXAMPLE, FORECAST_EXAMPLE], { requested });
  await run([...PARIS, "--lang", "zh_tw"], { fetch });
  await run(["weather", "-33.9,18.4"], { fetch });
  assert.deepEqual(
    requested.map(({ url }) => new URL(url).pathname),
    [
      ...["/realtime/48.8566,2.3522/weather/zh_tw", "/realtime/48.8566,2.3522/forecast/zh_tw"],
      ...["/realtime/-33.9,18.4/weather/en", "/realtime/-33.9,18.4/forecast/en"],
    ],
  );
  const odd = answering([WEATHER_EXAMPLE, FORECAST_EXAMPLE], { requested });
  await run([...PARIS, "--lang", "../v1"], { fetch: odd });
  assert.equal(new URL(requested[4]!.url).pathname, "/realtime/48.8566,2.3522/weather/..%2Fv1");
});

test("a refusal is one line, and so is an answer that is not Vicinity's", async () => {
  const error = { error: { code: "provider_timeout", message: "The source was too slow." } };
  const refused = await run(PARIS, { fetch: answering([error], { status: 504 }) });
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.match(refused.err, /504 provider_timeout: The source was too slow\./);
  const strange = await run(PARIS, { fetch: both({}, {}) });
  assert.match(strange.err, /the answer has no weather/);
});

test("colours on a terminal alone, and nothing of a publisher moves the cursor", async () => {
  const wet = at(day_s, { rain: { "3h": 1 } });
  const forecast = { ...FORECAST_EXAMPLE, list: [wet] };
  const evil = { ...WEATHER_EXAMPLE, name: "A\u001B[2JB\n\u202EC" };
  const plain = await run(PARIS, { fetch: both(evil, forecast) });
  for (const control of ["\u001B", "\u202E"]) assert.ok(!plain.out.includes(control));
  const coloured = await run(PARIS, { fetch: both(WEATHER_EXAMPLE, forecast), out: terminal(80) });
  assert.ok(coloured.out.includes("\u001B[36m1.0 mm"), coloured.out);
});

test("every line of the table fits its terminal", async () => {
  const long = { ...FIRST.weather[0]!, description: "lluvia y tormenta ".repeat(9) };
  const forecast = { ...FORECAST_EXAMPLE, list: [at(day_s, { weather: [long] })] };
  const ran = await run(PARIS, { fetch: both(WEATHER_EXAMPLE, forecast), out: terminal(70) });
  const rows = ran.out.split("\n").slice(3);
  assert.ok(rows.every((row) => displayWidth(row) <= 70) && rows.length > 2, ran.out);
  assert.match(ran.out, /lluvia y\n +tormenta\n +lluvia y t…\n/, "it goes on between words");
});

test("--json prints both answers as they came; --help covers every option", async () => {
  const ran = await run([...PARIS, "--json"], { fetch: both(WEATHER_EXAMPLE, FORECAST_EXAMPLE) });
  assert.deepEqual(JSON.parse(ran.out), { weather: WEATHER_EXAMPLE, forecast: FORECAST_EXAMPLE });
  const { out, code } = await run(["weather", "--help"]);
  assert.equal(code, 0);
  for (const option of ["lang", "url", "json"]) assert.match(out, new RegExp(`--${option}\\b`));
});
