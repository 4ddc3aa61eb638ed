/**
 * The bill of materials of a release as CycloneDX 1.6: the service, the packages that npm installs for
 * it with their hashes, the runtime, and the data that is shipped. It has neither a time nor a serial
 * number, so that the same release always has the same text.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SHIPPED_DATA } from "./data.ts";
import { listPackages, type Package, ROOT } from "./packages.ts";

type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

export function sbomText(): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const packages = listPackages();
  const own = toPurl(manifest.name, manifest.version);
  const direct = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": own,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        purl: own,
      },
    },
    components: [
      ...packages.map(toComponent),
      toRuntime(manifest.dependencies["node"]!),
      ...SHIPPED_DATA.map(toData),
    ],
    dependencies: [
      {
        ref: own,
        dependsOn: packages
          .filter(({ name, version }) => direct[name] === version)
          .map(({ name, version }) => toPurl(name, version)),
      },
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Of the package URL specification: the `@` of a scope is escaped. */
function toPurl(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}

function toComponent({ name, version, licence, copyright, sha512 }: Package): object {
  const purl = toPurl(name, version);
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    // An expression such as (MIT OR Apache-2.0) is no id.
    licenses: /[()\s]/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }],
    ...(copyright.length > 0 && { copyright: copyright.join("\n") }),
    hashes: [{ alg: "SHA-512", content: sha512 }],
    purl,
  };
}

function toRuntime(version: string): object {
  const purl = `pkg:generic/nodejs/node@${version}`;
  const licenses = [{ license: { id: "MIT" } }];
  return { type: "platform", "bom-ref": purl, name: "node", version, licenses, purl };
}

function toData({ what, publisher, licence, url }: (typeof SHIPPED_DATA)[number]): object {
  return {
    type: "data",
    "bom-ref": `data:${url}:${what}`,
    name: what,
    publisher,
    licenses: [{ license: { name: licence, url } }],
    externalReferences: [{ type: "website", url }],
  };
}
