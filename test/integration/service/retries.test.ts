/**
 * Retries across the end of the process (decisions, Capabilities): within two minutes the same body
 * gives the same bytes and costs nothing, however the process ended; killed while searches are under
 * way, each is executed and charged at most once.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Program, startProgram } from "../../../trials/program.ts";
import { post, toSearch, unitsOf } from "./capabilities.ts";
import { advance, createClient } from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522, limit: 5 };
/** Searches under way when the process is killed. */
const AT_ONCE = 40;
const UNITS = 2;

describe("retries across the end of the process", () => {
  const client = createClient();
  let program: Program;
  let who: { key: string };
  before(async () => {
    program = await startProgram();
    who = { key: program.keys.find(({ plan }) => plan === "developer")!.key };
  });
  after(async () => {
    client.close();
    await program.close();
  });

  const search = async (of: { url: string }, body: object): Promise<string> => {
    const reply = await post(client, of, body, who);
    assert.equal(reply.status, 200, reply.text);
    return reply.text;
  };

  test("after SIGINT and after SIGKILL: the same bytes, free, until two minutes have passed", async () => {
    const body = toSearch(PARIS, null, { request_id: "retried" });
    const first = await search(program.ready, body);
    const used = await unitsOf(client, program.ready, who);
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const of = await program.restart(signal);
      assert.equal(await search(of, body), first, signal);
      assert.equal(await search(of, body), first, "and again");
      assert.equal(await unitsOf(client, of, who), used, signal);
      if (signal === "SIGINT") continue;
      await advance(client, of.sandbox_url!, 120);
      assert.notEqual(await search(of, body), first, "two minutes later");
      assert.equal(await unitsOf(client, of, who), used + UNITS);
    }
  });

  test("killed while searches are under way: none is charged twice, and what was answered is repeated", async (t) => {
    const of = await program.restart("SIGINT");
    const used = await unitsOf(client, of, who);
    const bodies = Array.from({ length: AT_ONCE }, (_, i) =>
      toSearch({ ...PARIS, lat: PARIS.lat + i / 1e4 }, null, { request_id: `under way ${i}` }),
    );
    const killed = Promise.withResolvers<Program["ready"]>();
    let answered = 0;
    const first = await Promise.all(
      bodies.map(async (body) => {
        const text = await search(of, body).catch(() => null);
        // The rest is under way: some are stored and not yet answered.
        if (text !== null && ++answered === 3) killed.resolve(program.restart("SIGKILL"));
        return text;
      }),
    );
    const again = await killed.promise;
    const second = await Promise.all(bodies.map((body) => search(again, body)));
    for (const [i, text] of first.entries())
      if (text !== null) assert.equal(second[i], text, `search ${i}`);
    const lost = first.filter((text) => text === null).length;
    const charged = (await unitsOf(client, again, who)) - used;
    t.diagnostic(`${lost} of ${AT_ONCE} lost, ${charged} units charged`);
    const least = UNITS * (AT_ONCE - lost);
    assert.ok(charged >= least && charged <= UNITS * AT_ONCE, `${charged} units, ${lost} lost`);
    assert.deepEqual(await Promise.all(bodies.map((body) => search(again, body))), second);
    assert.equal(await unitsOf(client, again, who), used + charged, "repeats cost nothing");
  });
});
