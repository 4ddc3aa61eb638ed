/** Imports that replicas share, the way in from outside, and what watches the pods: manifests that fit one another. */
import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { COMMANDS } from "#cli/commands.ts";
import { findCommand, parseCommand } from "#cli/parse.ts";
import { readEnv, VARIABLES } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { BASE_END } from "#osm/base/base-layout.ts";
import { baseFolder } from "#storage/base-files.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const KUBERNETES = "deploy/kubernetes";

type Json = { [name: string]: Json } & Json[] & string & number & boolean;

const parse = (path: string): Json[] =>
  parseAllDocuments(read(path), { merge: true, uniqueKeys: true }).map((each) => {
    assert.deepEqual([...each.errors, ...each.warnings], [], path);
    return each.toJS() as Json;
  });
const one = (path: string): Json => parse(path)[0] ?? assert.fail(path);

const importOf = (name: string): Json => one(`${KUBERNETES}/imports/${name}.yaml`);
const mount = importOf("mount")["spec"]["template"]["spec"];
const pod = importOf("import")["spec"]["template"]["spec"];
const job = pod["containers"][0];
const compose = one("deploy/compose.imports.yaml");

/** The base that a call of the command line makes, in this data folder. */
function madeBy(args: readonly string[], data_dir: string): string {
  const { command, args: rest } = findCommand(COMMANDS, args);
  assert.equal(command.name, "import");
  const { positionals, options } = parseCommand(command, rest);
  assert.equal(positionals[0], "osm");
  return posix.join(
    baseFolder(posix.join(data_dir, "live")),
    `${String(options["id"])}${BASE_END}`,
  );
}

function sourcesOf(t: TestContext, text: string) {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-imports-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "vicinity.json"), text);
  const env = readEnv({ VICINITY_CONTACT: "ops@example.org" });
  assert.ok(env.ok);
  const file = join(folder, "vicinity.json");
  const loaded = loadConfig({ mode: "live", env: env.value, file });
  return loaded.ok ? loaded.value.sources : assert.fail(loaded.message);
}

test("in Kubernetes an import writes what the replicas read", (t) => {
  const claim = importOf("volume");
  const shared = (spec: Json): Json =>
    [...spec["volumes"]].find(({ name }) => name === "imports")!["persistentVolumeClaim"];
  const [written, served] = [shared(pod), shared(mount)];
  assert.equal(claim["kind"], "PersistentVolumeClaim");
  assert.deepEqual([...claim["spec"]["accessModes"]], ["ReadWriteMany"]);
  for (const each of [written, served]) assert.equal(each["claimName"], claim["metadata"]["name"]);
  assert.equal(served["readOnly"], true);
  const pathIn = (container: Json): Json =>
    [...container["volumeMounts"]].find(({ name }) => name === "imports")!;
  const reader = pathIn(mount["containers"][0]);
  assert.equal(reader["readOnly"], true);
  for (const container of [job, pod["initContainers"][0]])
    assert.equal(pathIn(container)["mountPath"], reader["mountPath"]);

  const variable = job["env"][0];
  assert.equal(variable["name"], "VICINITY_DATA_DIR");
  const { openbase, gtfs } = sourcesOf(t, String(importOf("config")["data"]["vicinity.json"]));
  assert.deepEqual(openbase.files, [
    madeBy([...job["args"]].map(String), String(variable["value"])),
  ]);
  const timetables = gtfs.feeds.map(({ path = "" }) => path);
  for (const path of [...openbase.files, ...timetables])
    assert.ok(path.startsWith(`${String(reader["mountPath"])}/`), path);
  // What is fetched is what is read.
  const script = String(pod["initContainers"][0]["args"][0]);
  const fetched = [...script.matchAll(/^fetch https:\S+ (\S+)$/gm)].map(([, name]) => name);
  const read_files = [String(job["args"][2]), ...timetables];
  assert.deepEqual(
    fetched,
    read_files.map((path) => path.replace("/imports/incoming/", "")),
  );
});

test("the pod of an import has the user of the replicas, and is none of them", () => {
  const [set] = parse(`${KUBERNETES}/statefulset.yaml`);
  const replicas = set!["spec"]["template"];
  assert.deepEqual(pod["securityContext"], replicas["spec"]["securityContext"]);
  const container = replicas["spec"]["containers"][0];
  for (const each of [job, pod["initContainers"][0]])
    assert.deepEqual(each["securityContext"], container["securityContext"]);
  const { app } = importOf("import")["spec"]["template"]["metadata"]["labels"];
  assert.notEqual(app, replicas["metadata"]["labels"]["app"]);
  for (const { name } of [...job["env"]]) assert.ok(String(name) in VARIABLES, String(name));
  // What the overlay changes is what the base has.
  assert.equal(importOf("mount")["metadata"]["name"], set!["metadata"]["name"]);
  assert.equal(mount["containers"][0]["name"], container["name"]);
  assert.equal(importOf("config")["metadata"]["name"], "vicinity");
});

test("kustomizations name files that are there, and templates are no part of them", () => {
  for (const path of globSync(`${KUBERNETES}/**/kustomization.yaml`, { cwd: ROOT })) {
    const { resources, patches = [] as unknown as Json } = one(path);
    const names = [...resources, ...[...patches].map((each) => each["path"])].map(String);
    for (const name of names.filter((each) => each !== ".."))
      assert.doesNotMatch(read(join(dirname(path), name)), /REPLACE_WITH/, name);
  }
});

test("in compose an import writes what both replicas read", (t) => {
  const services = compose["services"];
  const { import: importer } = services;
  const readers = ["vicinity-a", "vicinity-b"].map((name) => [...services[name]["volumes"]]);
  const own = [...importer["volumes"]].map(String);
  for (const volumes of readers)
    assert.deepEqual(volumes.map(String), [`${own[0]}:ro`, "./deploy/incoming:/incoming:ro"]);
  assert.equal(own[1], "./deploy/incoming:/incoming:ro");
  const [volume = "", folder = ""] = own[0]!.split(":");
  assert.ok(volume in compose["volumes"]);
  assert.equal(importer["environment"]["VICINITY_DATA_DIR"], folder);
  const [launcher, ...words] = [...importer["entrypoint"]].map(String);
  assert.equal(launcher, "/app/bin/vicinity");
  // The call that the head of the file shows.
  const [, shown = ""] =
    /run --rm import \\\n# +(.+)\n/.exec(read("deploy/compose.imports.yaml")) ?? [];
  const made = madeBy([...words, ...shown.split(" ")], folder);
  const file = String(compose["configs"]["vicinity"]["file"]);
  const { openbase, gtfs } = sourcesOf(t, read(file));
  assert.deepEqual(openbase.files, [made]);
  for (const { path = "" } of gtfs.feeds) assert.match(path, /^\/incoming\/[\w.-]+\.zip$/);
  // A new volume takes its owner from the image.
  assert.match(read("Dockerfile"), new RegExp(`install", "-d", "-o", "1000".*"${folder}"`));
});

test("the import of compose has bounds, no network and no rights", () => {
  const { import: importer } = compose["services"];
  assert.deepEqual(
    [importer["read_only"], importer["network_mode"], [...importer["cap_drop"]].join()],
    [true, "none", "ALL"],
  );
  assert.deepEqual([...importer["security_opt"]], ["no-new-privileges:true"]);
  assert.match(String(importer["mem_limit"]), /\dg\}$/);
  assert.ok(Number(importer["logging"]["options"]["max-file"]) > 1);
  assert.deepEqual([...importer["profiles"]], ["import"], "it runs when it is called");
});

test("the ingress leads to a port of the service, by TLS", () => {
  const { spec, metadata } = one(`${KUBERNETES}/ingress.example.yaml`);
  const rule = spec["rules"][0];
  const { service } = rule["http"]["paths"][0]["backend"];
  const named = parse(`${KUBERNETES}/services.yaml`).find(
    (each) => each["metadata"]["name"] === service["name"],
  );
  const ports = [...named!["spec"]["ports"]].map(({ name }) => name);
  assert.ok(ports.includes(service["port"]["name"]));
  assert.deepEqual([...spec["tls"][0]["hosts"]], [rule["host"]]);
  // A stream says something every 15 s.
  const timeout = metadata["annotations"]["nginx.ingress.kubernetes.io/proxy-read-timeout"];
  assert.ok(Number(timeout) > 15);
});

test("a replica that is down is noticed by whichever discovery it was found", () => {
  const alerts = read("deploy/prometheus/alerts.yaml");
  const [, expr = ""] =
    /alert: VicinityReplicaDown\n\s+expr: >-\n((?: {10}.+\n)+)/.exec(alerts) ?? [];
  const jobs = ["scrape", "scrape.kubernetes"].map(
    (name) => one(`deploy/prometheus/${name}.yaml`)["scrape_configs"][0],
  );
  for (const scrape of jobs)
    assert.match(expr, new RegExp(`up\\{job="${String(scrape["job_name"])}"\\} == 0`));
  const { template } = parse(`${KUBERNETES}/statefulset.yaml`)[0]!["spec"];
  const { app } = template["metadata"]["labels"];
  assert.match(expr, new RegExp(`up\\{app="${String(app)}"\\} == 0`));
  assert.match(
    expr,
    /up == 0 and on \(job, instance\)\s+group by \(job, instance\) \(last_over_time\(svc_build_info\[/,
  );
  const admin = [...template["spec"]["containers"][0]["ports"]].find(
    ({ name }) => name === "admin",
  );
  assert.equal(
    template["metadata"]["annotations"]["prometheus.io/port"],
    String(admin!["containerPort"]),
  );
  const keep = jobs[1]!["relabel_configs"][0];
  assert.equal(keep["regex"], [app, admin!["name"]].map(String).join(";"));
  // No other rule or panel needs a job.
  for (const text of [
    alerts.replace(expr, "").replaceAll(/^#.*$/gm, ""),
    read("deploy/grafana/vicinity.json"),
  ])
    assert.doesNotMatch(text, /job=\\?"/);
});
