/** A reader that throws in a running service: its source is named, and the next question is answered. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import openweathermap from "#providers/openweathermap/index.ts";
import refuge from "#providers/refuge_restrooms.ts";
import {
  closeAll,
  createClient,
  createFolder,
  type LogLine,
  start,
  type Started,
} from "./support.ts";

type Thrower = { read: (...args: never[]) => unknown };
type Answer = { status: string; message: string };

describe("readers that throw", () => {
  const client = createClient();
  const lines: LogLine[] = [];
  const restore: (() => void)[] = [];
  let planted = true;
  let started: Started;

  /** Opened sources keep the functions of their readers: they are planted before the start. */
  function plantIn(reader: object, name: string): void {
    const thrower = reader as Thrower;
    const { read } = thrower;
    restore.push(() => void (thrower.read = read));
    thrower.read = (...args) => {
      if (planted) throw new TypeError(`planted in ${name}`);
      return read(...args);
    };
  }
  const stacksOf = (name: string): LogLine[] =>
    lines.filter(({ err }) => err?.stack.includes(`planted in ${name}`));

  before(async () => {
    for (const { reader } of refuge.around!) plantIn(reader, "toilets");
    for (const reader of Object.values(openweathermap.weather!)) plantIn(reader, "weather");
    const data_dir = await createFolder();
    const onLine = (line: LogLine): void => void lines.push(line);
    started = await start({ data_dir, timetables: false, onLine });
  });
  after(async () => {
    for (const each of restore) each();
    await closeAll(client, started);
  });

  test("three questions are partial and name it, its stack is logged once, the fourth is whole", async () => {
    const { url } = started.service;
    const ask = `${url}/v1/services/nearby?lat=48.8566&lon=2.3522&types=toilets&radius=1000`;
    for (let i = 0; i < 3; i++) {
      const { status, message } = await client.json<Answer>(ask);
      assert.equal(status, "partial");
      assert.match(message, /Refuge Restrooms is unreadable/);
    }
    const stacks = stacksOf("toilets");
    assert.deepEqual(
      stacks.map(({ part, msg }) => ({ part, msg })),
      [{ part: `source refuge_restrooms.${refuge.around![0]!.reader.operation}`, msg: "defect" }],
    );
    planted = false;
    const { status } = await client.json<Answer>(ask);
    assert.notEqual(status, "partial");
    planted = true;
  });

  test("a weather that cannot be read is a failure of its answer alone", async () => {
    const { url } = started.service;
    const ask = `${url}/realtime/48.8566,2.3522/weather/en`;
    for (let i = 0; i < 2; i++) assert.equal((await client.call(ask)).status, 502);
    assert.equal(stacksOf("weather").length, 1);
    assert.equal((await client.call(`${url}/health`)).status, 200);
    planted = false;
    assert.equal((await client.call(ask)).status, 200);
    planted = true;
  });
});
