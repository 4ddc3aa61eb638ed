import { join } from "node:path";
import { toJsonText } from "#cli/ask.ts";
import { atPath, EXIT, textOption } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatJudgement } from "#cli/print/changelog.ts";
import { findLastRelease, PACKAGE_ROOT, readJsonFile, RELEASE_FILES } from "#cli/releases.ts";
import { judgeRelease, versionOf } from "#release/changelog/gate.ts";

export const changelogCheck: Command = {
  name: "changelog check",
  summary:
    "check the changelog before it is published, and the description against the last release",
  positionals: ["[FILE]"],
  options: {
    root: { value: "DIR", help: "whose openapi.json and releases (default: this package)" },
  },
  examples: ["vicinity changelog check", "vicinity changelog check draft.json --json"],
  run: async (parsed, { io }) => {
    const root = textOption(parsed, "root") ?? PACKAGE_ROOT;
    const [given] = parsed.positionals;
    const file = given ?? join(root, RELEASE_FILES.entries);
    const name = given === undefined ? "--root" : "FILE";
    const changelog = await atPath({ name, path: file }, "read", () => readJsonFile(file));
    if (changelog === undefined) {
      io.err.write(`vicinity: ${file}: not JSON\n`);
      return EXIT.failed;
    }
    const path = join(root, RELEASE_FILES.description);
    const { description, released } = await atPath({ name: "--root", path }, "read", () => ({
      description: readJsonFile(path),
      released: findLastRelease(root),
    }));
    const judgement = judgeRelease({ changelog, description, released, now_ms: io.now() });
    const { entries } = changelog as { entries?: unknown };
    const about = {
      released,
      api_version: String(versionOf(description)),
      entries: Array.isArray(entries) ? entries.length : 0,
    };
    const text = parsed.options["json"] ? toJsonText(judgement) : formatJudgement(judgement, about);
    io.out.write(text);
    return judgement.ok ? EXIT.ok : EXIT.failed;
  },
};
