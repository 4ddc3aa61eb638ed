/** The commands, in the order in which the help lists them. Nothing else lists them. */
import type { Command } from "#cli/command.ts";
import { ACCOUNT_COMMANDS } from "#cli/commands/accounts.ts";
import { backup, migrateCommand, restore } from "#cli/commands/backup.ts";
import { changelogCheck } from "#cli/commands/changelog.ts";
import { doctor } from "#cli/commands/doctor.ts";
import { geocode, reverse } from "#cli/commands/places-by-name.ts";
import { bases } from "#cli/commands/bases.ts";
import { importFile } from "#cli/commands/import.ts";
import { KEY_COMMANDS } from "#cli/commands/keys.ts";
import { explain, nearby } from "#cli/commands/nearby.ts";
import { openapi } from "#cli/commands/openapi.ts";
import { departures } from "#cli/commands/departures.ts";
import { charging, parking, places, services, stations } from "#cli/commands/places.ts";
import { reach, walk } from "#cli/commands/on-foot.ts";
import { quality } from "#cli/commands/quality.ts";
import { mcp, sandbox, serve } from "#cli/commands/run.ts";
import { watch } from "#cli/commands/watch.ts";
import { weather } from "#cli/commands/weather.ts";
import { usage } from "#cli/commands/usage.ts";

export const COMMANDS: readonly Command[] = [
  ...[serve, sandbox],
  ...[...ACCOUNT_COMMANDS, ...KEY_COMMANDS, usage],
  ...[backup, restore, migrateCommand],
  ...[
    nearby,
    watch,
    geocode,
    reverse,
    services,
    places,
    parking,
    charging,
    stations,
    departures,
    walk,
    reach,
  ],
  ...[weather, quality],
  ...[importFile, bases, explain, doctor, changelogCheck, openapi, mcp],
];
