/** NOTICE: whose work is in an installation of the service, and under which licence. */
import { SHIPPED_DATA } from "./data.ts";
import { listPackages, type Package } from "./packages.ts";

export function noticeText(): string {
  const packages = listPackages();
  return [
    "Vicinity",
    "Licensed under the Apache License, Version 2.0 (LICENSE).",
    "",
    "This file is generated (npm run generate) and checked by npm run check.",
    "",
    ...section("DATA"),
    "What is shipped with the program. Data that a running service reads belong to their publishers:",
    "GET /v1/sources states the licence and the attribution of each.",
    "",
    ...SHIPPED_DATA.flatMap(({ what, publisher, licence, url, where }) => [
      `${publisher}: ${what}`,
      `  ${licence}, ${url}`,
      ...where.map((each) => `  ${each}`),
      "",
    ]),
    ...section("PACKAGES"),
    `${packages.length} packages that npm installs for the service. The text of each licence is in the folder of its`,
    "package, where the package has one. The runtime is Node.js (MIT, https://github.com/nodejs/node/blob/main/LICENSE).",
    "",
    ...packages.flatMap(toLines),
  ].join("\n");
}

function section(title: string): string[] {
  return [title, "=".repeat(title.length), ""];
}

function toLines({ name, version, licence, copyright }: Package): string[] {
  return [`${name} ${version}`, `  ${licence}`, ...copyright.map((line) => `  ${line}`), ""];
}
