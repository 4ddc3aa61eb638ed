/**
 * The command line: finds the command, runs it, turns what goes wrong into one line and an exit
 * code (1 failed, 2 called wrongly).
 */
import { AskError } from "#cli/ask.ts";
import { EXIT, PathError, UsageError } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { COMMANDS } from "#cli/commands.ts";
import { helpOf, helpOfAll, helpOfGroup } from "#cli/help.ts";
import { completeIo } from "#cli/io.ts";
import type { GivenIo, Io } from "#cli/io.ts";
import { checkPositionals, findCommand, findGroup, parseCommand } from "#cli/parse.ts";
import { printMessage } from "#cli/print/print-message.ts";
import { readProgramVersion } from "#cli/version.ts";
import { readEnv } from "#config/env.ts";
import { pathOf, pathProblem } from "#kit/path-problem.ts";

export async function runCli(argv: readonly string[], input: GivenIo): Promise<number> {
  const io = completeIo(input);
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof UsageError) return fail(io, error.message, EXIT.usage);
    if (error instanceof AskError) return fail(io, error.message, EXIT.failed);
    if (error instanceof PathError) return fail(io, error.message, EXIT.failed);
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== undefined) return fail(io, sayOther(error as Error), EXIT.failed);
    throw error;
  }
}

/** Of a file that no option names. */
function sayOther(error: Error): string {
  const path = pathOf(error);
  const problem = path === null ? null : pathProblem(error, { name: "a file", path }, "write");
  return problem ?? error.message;
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    io.out.write(helpOfTopic(name === "help" ? args : []));
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === "--version" || name === "-v") return printVersion(io);
  if (name.startsWith("-")) throw new UsageError(`unknown option ${name}; see vicinity --help`);
  if (asksForGroup(argv)) {
    io.out.write(helpOfTopic([name]));
    return EXIT.ok;
  }
  const command = findCommand(COMMANDS, argv);
  return runCommand(command.command, command.args, io);
}

function helpOfTopic(topic: readonly string[]): string {
  const [name] = topic;
  if (name === undefined) return helpOfAll(COMMANDS);
  const group = topic.length === 1 ? findGroup(COMMANDS, name) : [];
  return group.length > 0 ? helpOfGroup(name, group) : helpOf(findCommand(COMMANDS, topic).command);
}

/** `keys --help`: the first word of several commands, and no second one. */
function asksForGroup([name = "", next]: readonly string[]): boolean {
  return (next === "--help" || next === "-h") && findGroup(COMMANDS, name).length > 0;
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<number> {
  const parsed = parseCommand(command, args);
  if (parsed.options["version"]) return printVersion(io);
  if (parsed.options["help"]) {
    io.out.write(helpOf(command));
    return EXIT.ok;
  }
  checkPositionals(command, parsed);
  const env = readEnv(io.variables);
  if (!env.ok) return fail(io, env.message, EXIT.failed);
  return command.run(parsed, { io, env: env.value });
}

function printVersion(io: Io): number {
  io.out.write(`${readProgramVersion()}\n`);
  return EXIT.ok;
}

function fail(io: Io, message: string, code: number): number {
  printMessage(io.err, message);
  return code;
}
