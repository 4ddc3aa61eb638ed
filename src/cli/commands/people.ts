/** What is stored about one account: handed over whole, or erased (docs/data.md). */
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeRecords } from "#app/admin/admin-records.ts";
import { print } from "#cli/ask.ts";
import { atPath, EXIT, textOption, UsageError } from "#cli/command.ts";
import type { Command, CommandContext, Parsed } from "#cli/command.ts";
import { count } from "#cli/print/print-words.ts";
import { refuseCommand, SANDBOX_OPTION, unknownId, withStore } from "#cli/store.ts";
import { guard } from "#kit/guard.ts";
import type { AdminStorage } from "#storage/open-storage.ts";

type People = AdminStorage["people"];
type Erased = { keys: number } & Awaited<ReturnType<People["forget"]>>;

/**
 * A running service notices within 5 s that the keys are gone, and has moved what it answered before
 * from its journal a second later.
 */
const NOTICED_MS = 7_000;

const exportAccount: Command = {
  name: "accounts export",
  summary:
    "write all that is stored about an account as JSON: keys, usage, searches with coordinates",
  positionals: ["ID"],
  options: {
    out: { value: "FILE", help: "a new file, which only this user can read (default: the output)" },
    sandbox: SANDBOX_OPTION,
  },
  examples: ["vicinity accounts export acc_4fJq2Wb8Zt1XyR0 --out account.json"],
  run(parsed, context) {
    const id = parsed.positionals[0] ?? "";
    const { io } = context;
    const write = async ({ people }: { people: People }): Promise<number> => {
      const records = await people.read(id);
      if (records === null) return refuseCommand(context, unknownId("account", id));
      await writeAll(writeRecords(records, io.now()), parsed, context);
      return EXIT.ok;
    };
    return withStore(parsed, context, write, { reads: true });
  },
};

/** The file is not replaced, and read by no other user. Each part waits until the one before is taken. */
async function writeAll(
  texts: AsyncIterable<string>,
  parsed: Parsed,
  { io }: CommandContext,
): Promise<void> {
  const path = textOption(parsed, "out");
  if (path === undefined) return await writeOut(texts, io);
  await atPath({ name: "--out", path }, "create", async () => {
    await using file = await open(path, "wx", 0o600);
    for await (const text of texts) await file.writeFile(text);
  });
}

/** Who reads the output may stop early, as `head` does. */
async function writeOut(
  texts: AsyncIterable<string>,
  { out }: CommandContext["io"],
): Promise<void> {
  await guard(
    () => pipeline(Readable.from(texts), out, { end: false }),
    (error) => {
      if (!STOPPED.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    },
  );
}

const STOPPED = new Set(["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_PREMATURE_CLOSE"]);

const erase: Command = {
  name: "accounts erase",
  summary: "erase an account: keys and searches are deleted, its usage becomes anonymous totals",
  positionals: ["ID"],
  options: {
    yes: { help: "do it: it cannot be undone" },
    sandbox: SANDBOX_OPTION,
  },
  examples: ["vicinity accounts erase acc_4fJq2Wb8Zt1XyR0 --yes"],
  run(parsed, context) {
    const id = parsed.positionals[0] ?? "";
    if (parsed.options["yes"] !== true)
      throw new UsageError("accounts erase cannot be undone: add --yes, after accounts export");
    return withStore(parsed, context, ({ people }) => eraseWith(people, { id, parsed, context }));
  },
};

type Erasing = { id: string; parsed: Parsed; context: CommandContext };

async function eraseWith(people: People, { id, parsed, context }: Erasing): Promise<number> {
  const { io } = context;
  // Not by its row alone: an erasure that was interrupted has deleted that already.
  if ((await people.read(id)) === null) return refuseCommand(context, unknownId("account", id));
  const keys = await people.end(id);
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  await io.sleep(NOTICED_MS, stop.signal);
  forget();
  if (stop.signal.aborted)
    return refuseCommand(context, `erased in part: run accounts erase ${id} again`);
  const erased: Erased = { keys, ...(await people.forget(id)) };
  audit({ id, erased }, context);
  print(parsed, context, { json: { account_id: id, ...erased }, table: () => say(id, erased) });
  return erased.waiting === 0 ? EXIT.ok : EXIT.failed;
}

function say(id: string, { keys, events, units, datasets, waiting }: Erased): string {
  const what = `${count(keys)} keys, ${count(events)} metered replies, ${count(datasets)} searches`;
  const done = `${id} is erased: ${what}; ${count(units)} units are in the anonymous totals\n`;
  if (waiting === 0) return done;
  return `${done}${count(waiting)} metered replies wait in the journal: run it again once the service has started\n`;
}

/** A line as the log of the admin API has it, for who collects the errors of commands. */
function audit({ id, erased }: { id: string; erased: Erased }, { io }: CommandContext): void {
  const outcome = erased.waiting === 0 ? "done" : "in part";
  const line = { time: io.now(), action: "account.erase", account_id: id, ...erased, outcome };
  io.err.write(`${JSON.stringify({ ...line, msg: "audit" })}\n`);
}

/** Commands about what is stored about one account. */
export const PEOPLE_COMMANDS: readonly Command[] = [exportAccount, erase];
