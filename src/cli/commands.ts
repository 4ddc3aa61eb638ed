/** The commands, in the order in which the help lists them. Nothing else lists them. */
import type { Command } from "#cli/command.ts";
import { doctor } from "#cli/commands/doctor.ts";
import { explain } from "#cli/commands/explain.ts";
import { nearby } from "#cli/commands/nearby.ts";
import { openapi } from "#cli/commands/openapi.ts";
import { sandbox } from "#cli/commands/sandbox.ts";
import { serve } from "#cli/commands/serve.ts";

export const COMMANDS: readonly Command[] = [serve, sandbox, nearby, explain, doctor, openapi];
