import { toUsageJson } from "#app/admin/shapes.ts";
import { print } from "#cli/ask.ts";
import { optionBy, textOption } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatUsage } from "#cli/print/print-usage.ts";
import { refuseCommand, SANDBOX_OPTION, unknownId, withStore } from "#cli/store.ts";
import { MONTH, monthOf } from "#core/metering/metering-periods.ts";
import type { AdminStorage } from "#storage/open-storage.ts";

export const usage: Command = {
  name: "usage",
  summary: "what was metered in a month, by key, operation and day",
  positionals: [],
  options: {
    key: { value: "ID", help: "of this key alone" },
    month: { value: "2026-11", help: "the month, UTC (default: the present one)" },
    sandbox: SANDBOX_OPTION,
  },
  examples: ["vicinity usage", "vicinity usage --key key_4fJq2Wb8Zt1XyR0 --month 2026-11 --json"],
  run(parsed, context) {
    const month = optionBy(parsed, "month", MONTH) ?? monthOf(context.io.now());
    const key_id = textOption(parsed, "key");
    const show = async ({ usage: store, accounts }: AdminStorage): Promise<number> => {
      // A key that is mistyped has not used nothing.
      if (key_id !== undefined && !(await accounts.findKey(key_id)))
        return refuseCommand(context, unknownId("key", key_id));
      const rows = await store.listUsage({ month, ...(key_id === undefined ? {} : { key_id }) });
      const names = {
        keys: new Map((await accounts.listKeys()).map(({ id, name }) => [id, name])),
        accounts: new Map((await accounts.listAccounts()).map(({ id, name }) => [id, name])),
      };
      return print(parsed, context, {
        json: toUsageJson(month, rows),
        table: (on) => formatUsage({ month, rows, names }, on),
      });
    };
    return withStore(parsed, context, show, { reads: true });
  },
};
