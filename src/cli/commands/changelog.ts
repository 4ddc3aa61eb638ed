import { join } from "node:path";
import { print } from "#cli/ask.ts";
import { atPath, EXIT, textOption } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatJudgement } from "#cli/print/print-changelog.ts";
import { refuseCommand } from "#cli/store.ts";
import { findLastRelease, PACKAGE_ROOT, readJsonFile, RELEASE_FILES } from "#cli/releases.ts";
import { judgeRelease, versionOf } from "#release/changelog/release-gate.ts";

export const changelogCheck: Command = {
  name: "changelog check",
  summary:
    "check the changelog before it is published, and the description against the last release",
  positionals: ["[FILE]"],
  options: {
    root: { value: "DIR", help: "whose openapi.json and releases (default: this package)" },
  },
  examples: ["vicinity changelog check", "vicinity changelog check draft.json --json"],
  run: async (parsed, context) => {
    const root = textOption(parsed, "root") ?? PACKAGE_ROOT;
    const [input] = parsed.positionals;
    const file = input ?? join(root, RELEASE_FILES.entries);
    const name = input === undefined ? "--root" : "FILE";
    const changelog = await atPath({ name, path: file }, "read", () => readJsonFile(file));
    if (changelog === undefined) return refuseCommand(context, `${file}: not JSON`);
    const path = join(root, RELEASE_FILES.description);
    const { description, released } = await atPath({ name: "--root", path }, "read", () => ({
      description: readJsonFile(path),
      released: findLastRelease(root),
    }));
    const judgement = judgeRelease({ changelog, description, released, now_ms: context.io.now() });
    const { entries } = changelog as { entries?: unknown };
    const about = {
      released,
      api_version: String(versionOf(description)),
      entries: Array.isArray(entries) ? entries.length : 0,
    };
    print(parsed, context, { json: judgement, table: () => formatJudgement(judgement, about) });
    return judgement.ok ? EXIT.ok : EXIT.failed;
  },
};
