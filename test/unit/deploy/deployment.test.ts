/** What image, compose file, manifests and balancer say of the program is so. */
import assert from "node:assert/strict";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type Document, parseAllDocuments } from "yaml";
import { COMMANDS } from "#cli/commands.ts";
import { readEnv, VARIABLES } from "#config/env.ts";
import { type Config, loadConfig } from "#config/load.ts";
import { parseIp } from "#core/ip.ts";
import { createTrust } from "#http/client-address.ts";
import { buildAdmin } from "#http/admin.ts";
import { createDrainState } from "#http/drain.ts";
import { createMetrics } from "#http/metrics.ts";
import { call } from "../../support/call.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const FILES = globSync(["compose.yaml", "deploy/**/*.yaml"], { cwd: ROOT }).toSorted();

type Json = { [name: string]: Json } & Json[] & string & number & boolean;
type Manifest = { kind: string; metadata: { name: string }; spec: Json; data: Json };

const documentsOf = (path: string): Document[] =>
  parseAllDocuments(read(path), { merge: true, uniqueKeys: true }) as Document[];
const compose = documentsOf("compose.yaml")[0]!.toJS() as Json;
const manifests = globSync("deploy/kubernetes/*.yaml", { cwd: ROOT })
  .filter((path) => !path.includes("kustomization"))
  .flatMap((path) => documentsOf(path).map((each) => each.toJS() as Manifest));
const dockerfile = read("Dockerfile");
const haproxy = read("deploy/haproxy/haproxy.cfg");

function manifest(kind: string): Manifest {
  return manifests.find((each) => each.kind === kind) ?? assert.fail(kind);
}
const pod = manifest("StatefulSet").spec["template"]["spec"];
const container = pod["containers"][0];

test("every YAML file parses, without a warning", () => {
  assert.ok(FILES.length >= 10, FILES.join());
  for (const path of FILES)
    for (const { errors, warnings } of documentsOf(path))
      assert.deepEqual([...errors, ...warnings], [], path);
});

/** Variables by who sets them; `null`: the value comes from a secret. */
function variablesSet(): [where: string, name: string, value: string | null][] {
  const [, block = ""] = /^ENV ((?:.*\\\n)*.*)/m.exec(dockerfile) ?? [];
  const image = [...block.matchAll(/(\w+)=(\S+)/g)].map(
    ([, name, value]): [string, string, string | null] => [
      "Dockerfile",
      name!,
      value!.startsWith("$") ? null : value!,
    ],
  );
  const service = compose["services"]["vicinity-a"]["environment"];
  const composed = Object.entries<string>(service).map(
    ([name, value]): [string, string, string | null] => [
      "compose.yaml",
      name,
      value.includes("${") ? null : value,
    ],
  );
  const kubernetes = [...container["env"]].map(
    ({ name, value }): [string, string, string | null] => ["statefulset", name, value ?? null],
  );
  return [...image, ...composed, ...kubernetes];
}

/** Read by Node, the launcher or a driver, and not by the program. */
const OTHERS = new Set(["NODE_ENV", "NODE_COMPILE_CACHE"]);

test("every variable that is set is one the program reads, with a value that it takes", () => {
  const set = variablesSet();
  assert.ok(set.length >= 20, `${set.length} variables`);
  for (const [where, name, value] of set) {
    if (OTHERS.has(name)) continue;
    const rule = (VARIABLES as Record<string, { read(text: string): unknown }>)[name];
    assert.ok(rule, `${where}: ${name}`);
    if (value !== null) assert.notEqual(rule.read(value), undefined, `${where}: ${name}`);
  }
});

test("each secret that the pod reads from a file is mounted there", () => {
  const files = [...container["env"]].flatMap(({ name, value }) =>
    String(name).endsWith("_FILE") ? [String(value)] : [],
  );
  const volume = [...pod["volumes"]].find((each) => each["name"] === "secrets");
  const mounted = [...volume!["secret"]["items"]].map(
    ({ path }) => `/run/secrets/vicinity/${String(path)}`,
  );
  assert.equal(files.length, 3);
  assert.deepEqual(files.toSorted(), mounted.toSorted());
});

test("probes ask the admin port for what is there", async (t) => {
  const metrics = createMetrics();
  t.after(metrics.close);
  const drain = createDrainState();
  const host = "0.0.0.0";
  const admin = buildAdmin({ metrics, drain, ready: () => true, api: null, host });
  t.after(() => admin.close());
  const ports = new Map(variablesSet().map(([where, name, value]) => [`${where} ${name}`, value]));
  const port = ports.get("Dockerfile ADMIN_PORT")!;
  assert.equal(ports.get("statefulset ADMIN_PORT"), port);
  const byName = new Map<string, number>(
    [...container["ports"]].map((each) => [String(each["name"]), Number(each["containerPort"])]),
  );
  assert.equal(byName.get("admin"), Number(port));
  assert.equal(byName.get("http"), Number(ports.get("statefulset PORT")));
  const probes = ["startupProbe", "livenessProbe", "readinessProbe"].map(
    (name) => container[name]["httpGet"],
  );
  for (const probe of probes) assert.equal(probe["port"], "admin");
  const paths = [
    ...probes.map((probe) => String(probe["path"])),
    /127\.0\.0\.1:\$\{process\.env\.ADMIN_PORT\}(\/\w+)/.exec(dockerfile)?.[1],
    /uri (\/\w+)/.exec(haproxy)?.[1],
    "/metrics",
  ];
  assert.deepEqual(paths.slice(3), ["/livez", "/readyz", "/metrics"]);
  for (const path of paths)
    assert.equal((await call(admin, { url: String(path) })).statusCode, 200, String(path));
  assert.match(haproxy, new RegExp(`check port ${port} `));
  assert.match(dockerfile, new RegExp(`^EXPOSE ${ports.get("Dockerfile PORT")} ${port}$`, "m"));
  assert.match(read("deploy/prometheus/scrape.yaml"), new RegExp(`vicinity-a:${port}`));
});

function load(t: TestContext, text: string): Config {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-deploy-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "vicinity.json");
  writeFileSync(file, text);
  const env = readEnv({ VICINITY_CONTACT: "ops@example.org" });
  assert.ok(env.ok);
  const loaded = loadConfig({ mode: "live", env: env.value, file });
  return loaded.ok ? loaded.value : assert.fail(loaded.message);
}

test("the configuration files are sound, and a drain ends within the platform's grace period", (t) => {
  const composed = load(t, read("deploy/vicinity.json"));
  const kubernetes = load(t, String(manifest("ConfigMap").data["vicinity.json"]));
  const [, grace_ms = ""] = /GRACE_MS = ([\d_]+)/.exec(read("src/process/until-closed.ts")) ?? [];
  const program_s = Number(grace_ms.replaceAll("_", "")) / 1000;
  const platforms: [Config, number][] = [
    [composed, Number.parseInt(String(compose["services"]["vicinity-a"]["stop_grace_period"]))],
    [kubernetes, Number(pod["terminationGracePeriodSeconds"])],
  ];
  for (const [{ server }, allowed_s] of platforms) {
    const drain_s = (server.drain_delay_ms + server.drain_timeout_ms) / 1000;
    assert.ok(drain_s < program_s && program_s < allowed_s, `${drain_s} ${allowed_s}`);
  }
  const { periodSeconds, failureThreshold } = container["readinessProbe"];
  assert.ok(periodSeconds * failureThreshold * 1000 < kubernetes.server.drain_delay_ms);
  const [, inter = "", fall = ""] = /inter (\d+)ms fall (\d+)/.exec(haproxy) ?? [];
  assert.ok(Number(inter) * (Number(fall) + 1) < composed.server.drain_delay_ms);
});

test("the balancer alone is trusted, by an address that nothing else gets", (t) => {
  const composed = load(t, read("deploy/vicinity.json"));
  const address = String(compose["services"]["balancer"]["networks"]["front"]["ipv4_address"]);
  assert.deepEqual(composed.server.trusted_proxies, [`${address}/32`]);
  const { subnet, ip_range } = compose["networks"]["front"]["ipam"]["config"][0];
  const within = (block: string): boolean => createTrust([block])(parseIp(address)!);
  assert.deepEqual([within(String(subnet)), within(String(ip_range))], [true, false]);
  const kubernetes = load(t, String(manifest("ConfigMap").data["vicinity.json"]));
  assert.deepEqual(kubernetes.server.trusted_proxies, []);
});

test("the balancer bounds connections of an address as the service does", (t) => {
  const { server } = load(t, read("deploy/vicinity.json"));
  const [, most = ""] = /sc0_conn_cur gt (\d+)/.exec(haproxy) ?? [];
  assert.equal(Number(most), server.max_connections_per_address);
});

test("the image brings the pinned runtime, and what the program reads", () => {
  const { dependencies } = JSON.parse(read("package.json")) as {
    dependencies: { node: string };
  };
  assert.match(dockerfile, new RegExp(`^ARG NODE_VERSION=${dependencies.node}$`, "m"));
  const [major = ""] = dependencies.node.split(".");
  assert.match(read("bin/vicinity"), new RegExp(`\\bv${major}\\.\\*\\)`));
  const let_through = read(".dockerignore")
    .match(/^!.+$/gm)!
    .map((line) => line.slice(1));
  for (const path of let_through) assert.ok(existsSync(join(ROOT, path)), path);
  for (const path of ["src", "packages", "bin", "sandbox", "explorer", "vicinity.live.json"])
    assert.ok(let_through.includes(path), path);
  assert.match(dockerfile, /^USER 1000:1000$/m);
  const [, command = ""] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  for (const [word] of [JSON.parse(command), [...container["args"]]] as string[][])
    assert.ok(
      COMMANDS.some(({ name }) => name === word),
      String(word),
    );
});

test("every image is named by its digest", () => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!);
  assert.equal(bases.length, 2);
  for (const image of bases) assert.equal(image, "node:${NODE_VERSION}-slim@${NODE_DIGEST}");
  assert.match(dockerfile, /^ARG NODE_DIGEST=sha256:[0-9a-f]{64}$/m);
  const services = Object.entries<Json>(compose["services"]);
  const images = services.flatMap(([, { image, build }]) => (build ? [] : [String(image)]));
  assert.equal(images.length, 3);
  for (const image of images) assert.match(image, /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});

test("logs and memory of every container have bounds", () => {
  for (const [name, service] of Object.entries<Json>(compose["services"])) {
    const { driver, options } = service["logging"] ?? assert.fail(name);
    assert.equal(driver, "json-file", name);
    assert.match(String(options["max-size"]), /^\d+m$/, name);
    assert.ok(Number(options["max-file"]) > 1, name);
    assert.match(String(service["mem_limit"]), /\d+[mg]\}?$/, name);
  }
});

test("nothing runs as root or writes where it need not, and no secret is in a file", () => {
  const services = Object.entries<Json>(compose["services"]);
  assert.equal(services.length, 5);
  for (const [name, service] of services) {
    assert.deepEqual(service["security_opt"], ["no-new-privileges:true"], name);
    if (name !== "postgres") assert.equal(service["read_only"], true, name);
  }
  const { securityContext: own_security_context } = container;
  assert.equal(own_security_context["readOnlyRootFilesystem"], true);
  assert.equal(own_security_context["allowPrivilegeEscalation"], false);
  assert.equal(pod["securityContext"]["runAsNonRoot"], true);
  const secret = read("deploy/kubernetes/secret.example.yaml");
  const keys = [...secret.matchAll(/^ {2}([a-z-]+): (.*)$/gm)].filter(([, key]) => key !== "name");
  assert.ok(keys.length === 4 && keys.every(([, , value]) => value!.includes("REPLACE")), secret);
  const requests = JSON.stringify(pod).matchAll(/"key":"([a-z-]+)"/g);
  for (const [, key] of requests)
    assert.ok(
      keys.some(([, each]) => each === key),
      String(key),
    );
  // Real ones are put there, and git does not see them.
  assert.match(read("deploy/secrets/.gitignore"), /^\*$/m);
});
