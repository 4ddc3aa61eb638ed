import { join } from "node:path";
import { print } from "#cli/ask.ts";
import { EXIT, textOption } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { type BaseRow, formatBases } from "#cli/print/print-bases.ts";
import { isSandbox, refuseCommand, SANDBOX_OPTION, withStore } from "#cli/store.ts";
import { openPagedHead } from "#osm/pages/paged-head.ts";
import { guard } from "#kit/guard.ts";
import type { AdminStorage } from "#storage/open-storage.ts";

export const bases: Command = {
  name: "bases",
  summary:
    "list the bases of the data folder: where, how old, what they hold; or remove one (those that the configuration names are in /v1/sources)",
  positionals: [],
  options: {
    remove: { value: "ID", help: "remove this one; a running service notices" },
    sandbox: SANDBOX_OPTION,
  },
  examples: ["vicinity bases", "vicinity bases --json", "vicinity bases --remove ch"],
  run(parsed, context) {
    const id = textOption(parsed, "remove");
    const folder = join(context.env.data_dir, isSandbox(parsed) ? "sandbox" : "live");
    const act = async ({ bases: store }: AdminStorage): Promise<number> => {
      if (id !== undefined) {
        if (!(await store.remove(id)))
          return refuseCommand(context, `there is no base ${shown(id)}`);
        return print(parsed, context, { json: { removed: id }, table: () => `removed ${id}\n` });
      }
      const files = await store.list();
      const rows = await Promise.all(files.map((file) => describe(store, file)));
      print(parsed, context, {
        json: { bases: rows },
        table: (on) => formatBases(rows, folder, on),
      });
      return rows.every(({ readable }) => readable) ? EXIT.ok : EXIT.failed;
    };
    return withStore(parsed, context, act, { reads: true, uses_folder: true });
  },
};

type BaseStore = AdminStorage["bases"];
type BaseFile = Awaited<ReturnType<BaseStore["list"]>>[number];

async function describe(store: BaseStore, { id, bytes }: BaseFile): Promise<BaseRow> {
  const ranges = await store.open(id);
  if (ranges === null) return { id, bytes, readable: false };
  // One that cannot be read is one line of the table.
  const head = await guard(
    () => openPagedHead(ranges),
    () => null,
  );
  await ranges.close();
  if (head === null || "reason" in head) return { id, bytes, readable: false };
  const { meta } = head;
  const { region, data_at_s, imported_at_ms, box, counts, section_counts } = meta;
  return {
    id,
    bytes,
    readable: true,
    region,
    data_at: data_at_s === null ? null : new Date(data_at_s * 1000).toISOString(),
    imported_at: new Date(imported_at_ms).toISOString(),
    bbox: box,
    objects: counts,
    holds: section_counts,
  };
}

function shown(id: string): string {
  return JSON.stringify(id.slice(0, 40));
}
