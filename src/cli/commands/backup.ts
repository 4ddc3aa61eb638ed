/** Copies of the stores, their way back, and their way to the schema of this program. */
import { print } from "#cli/ask.ts";
import { textOption } from "#cli/command.ts";
import type { Command, CommandContext, Parsed } from "#cli/command.ts";
import { formatBytes } from "#cli/print/print-bases.ts";
import { type Progress, startProgress } from "#cli/print/print-progress.ts";
import { isSandbox, refuseCommand, SANDBOX_OPTION } from "#cli/store.ts";
import { readProgramVersion } from "#cli/version.ts";

/** Steps of the bar. */
const STEPS = 100;

export const backup: Command = {
  name: "backup",
  summary: "copy all that must be kept to a folder or a .tar file, also while the service runs",
  positionals: ["TARGET"],
  options: {
    config: {
      value: "FILE",
      help: "the configuration file whose digest is noted (default: VICINITY_CONFIG)",
    },
    sandbox: SANDBOX_OPTION,
  },
  examples: ["vicinity backup /backups/vicinity-2026-11-27.tar", "vicinity backup ./copy --json"],
  async run(parsed, context) {
    const { io, env } = context;
    // Loaded here, and below: other commands need no more than the store.
    const { backUp } = await import("#storage/backup/back-up.ts");
    const bars = new Bars(context);
    const made = await backUp({
      ...placeOf(parsed, context),
      target: parsed.positionals[0] ?? "",
      version: readProgramVersion(),
      config_file: textOption(parsed, "config") ?? env.config_file,
      config_name: textOption(parsed, "config") === undefined ? "VICINITY_CONFIG" : "--config",
      now: io.now,
      onPlan({ bytes, free }) {
        const sizes = `about ${formatBytes(bytes)}, ${formatBytes(free)} are free there`;
        io.err.write(`backing up to ${parsed.positionals[0]}: ${sizes}\n`);
      },
      onProgress: (step, done, total) => bars.show(step, done, total),
    });
    bars.end();
    if ("problem" in made) return refuseCommand(context, made.problem);
    const words = `${made.path}: ${made.files} files, ${formatBytes(made.bytes)}, as of ${made.made_at}, checked\n`;
    return print(parsed, context, { json: made, table: () => words });
  },
};

export const restore: Command = {
  name: "restore",
  summary: "put a backup into an empty data folder, and an empty database where it has one",
  positionals: ["SOURCE"],
  options: { sandbox: SANDBOX_OPTION },
  examples: [
    "VICINITY_DATA_DIR=./restored vicinity restore /backups/vicinity-2026-11-27.tar",
    "vicinity restore ./copy --json",
  ],
  async run(parsed, context) {
    const { restoreBackup: restoreFrom } = await import("#storage/backup/restore.ts");
    const bars = new Bars(context);
    const restored = await restoreFrom({
      ...placeOf(parsed, context),
      source: parsed.positionals[0] ?? "",
      onProgress: (step, done, total) => bars.show(step, done, total),
    });
    bars.end();
    if ("problem" in restored) return refuseCommand(context, restored.problem);
    const { folder, files, made_at, version } = restored;
    const words = `${folder}: ${files} files of ${made_at}, made by version ${version}\n`;
    return print(parsed, context, { json: restored, table: () => words });
  },
};

export const migrateCommand: Command = {
  name: "migrate",
  summary: "bring the stores to the schema of this version, as its service does when it starts",
  positionals: [],
  options: { sandbox: SANDBOX_OPTION },
  examples: ["vicinity migrate", "vicinity migrate --json"],
  async run(parsed, context) {
    const { io } = context;
    const { migrateStores } = await import("#storage/store-deployment.ts");
    const { toMigrationLine } = await import("#storage/store-schema.ts");
    const migrations: Parameters<typeof toMigrationLine>[0][] = [];
    const failed = await migrateStores(placeOf(parsed, context), (each) => {
      migrations.push(each);
      if (!parsed.options["json"]) io.out.write(`${toMigrationLine(each)}\n`);
    });
    if (failed !== null) return refuseCommand(context, failed.problem);
    const table = () => (migrations.length === 0 ? "the stores are of this version\n" : "");
    return print(parsed, context, { json: { migrations }, table });
  },
};

function placeOf(parsed: Parsed, { env }: CommandContext) {
  const mode = isSandbox(parsed) ? ("sandbox" as const) : ("live" as const);
  return { data_dir: env.data_dir, mode, store_url: env.store_url };
}

/** A bar for each step on a terminal; elsewhere nothing, since the result says all. */
class Bars {
  readonly #context: CommandContext;
  #step = "";
  #bar: Progress | null = null;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  show(step: string, done: number, total: number): void {
    const { err } = this.#context.io;
    if (!err.isTTY || total === 0) return;
    if (step !== this.#step) {
      this.end();
      this.#step = step;
      this.#bar = startProgress(err, step, STEPS);
    }
    const what = `${formatBytes(done)} of ${formatBytes(total)}`;
    this.#bar?.update(Math.floor((done / total) * STEPS), STEPS, what);
  }

  end(): void {
    this.#bar?.stop();
    this.#bar = null;
  }
}
