/** Data folders that released versions have left (scripts/old-data-folder.ts), unpacked. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { gunzipSync } from "node:zlib";
import { OLD_FOLDERS, type OldFolder } from "../../scripts/old-data-folder.ts";
import { createFolder, removeFolder } from "../integration/service/support.ts";

export async function unpackOld(t: TestContext, commit: string) {
  const packed = readFileSync(new URL(`${commit}.json.gz`, OLD_FOLDERS));
  const old = JSON.parse(gunzipSync(packed).toString()) as OldFolder;
  const data_dir = await createFolder();
  t.after(() => removeFolder(data_dir));
  for (const [path, content] of Object.entries(old.files)) {
    mkdirSync(dirname(join(data_dir, path)), { recursive: true });
    writeFileSync(join(data_dir, path), Buffer.from(content, "base64"));
  }
  return { old, data_dir };
}
