/** The listener for operators: probes, the names of metrics, accounts, keys and usage. */
import type { Step } from "../recording.ts";
import { aliasOf } from "../aliases.ts";
import { ADMIN_TOKEN } from "../program.ts";
import { named, request, withLabels } from "./step.ts";

const AUTHORIZED = { authorization: `Bearer ${ADMIN_TOKEN}` };

export function admin(
  method: string,
  path: string,
  body?: string | object,
  headers: object = {},
): Step {
  const part = `admin ${method} ${path.replace(/\?.*/, "").replaceAll(/<<[^<>]*>>|acc_x|key_x|x{20,}/g, ":id")}`;
  return request(part, `/admin${path}`, {
    ...{ to: "admin", method, headers: { ...AUTHORIZED, ...headers } },
    ...(body !== undefined && { body }),
  });
}

const NEW_ACCOUNT = "a new account";
const NEW_KEY = "a new key";
const NARROW_KEY = "a key of one scope";
const ROTATED = "a successor";
const ACCOUNT = aliasOf("account", NEW_ACCOUNT);
const KEY = aliasOf("key_id", NEW_KEY);

export function adminSteps(): Step[] {
  const asNewKey = { authorization: `Bearer ${aliasOf("key", NEW_KEY)}` };
  const nearby = "/v1/nearby?lat=48.8566&lon=2.3522&limit=3";
  const me = (): Step => request("getMe", "/v1/me", { headers: asNewKey });
  return withLabels([
    ...probeSteps(),
    ...guardSteps(),
    admin("GET", "/accounts"),
    admin("GET", "/keys"),
    ...["/usage", "/usage?month=2026-03", "/usage?month=2026-13"].map((path) => admin("GET", path)),
    named(NEW_ACCOUNT, admin("POST", "/accounts", { name: "Trial", plan: "developer" })),
    ...[{}, { name: "", plan: "free" }, { name: "a\nb", plan: "free" }, { name: "x", plan: "none" }]
      .concat([{ name: "x".repeat(101), plan: "free" }])
      .map((body) => admin("POST", "/accounts", body)),
    admin("POST", "/accounts", { name: "x", plan: "free", more: 1 }),
    ...["", "{", "[]", "5", "\u00e4", " ".repeat(16_385)].map((body) =>
      admin("POST", "/accounts", body),
    ),
    named(NEW_KEY, admin("POST", "/keys", { account_id: ACCOUNT, name: "first" })),
    named(
      NARROW_KEY,
      admin("POST", "/keys", { plan: "developer", scopes: ["journey:read"], expires_at: "30d" }),
    ),
    ...[
      ...[{}, { account_id: "acc_x" }, { account_id: ACCOUNT, plan: "free" }, { plan: "none" }],
      ...[
        { plan: "free", scopes: [] },
        { plan: "free", scopes: ["x"] },
      ],
      ...[
        { plan: "free", expires_at: "2001-01-01" },
        { plan: "free", expires_at: "x" },
      ],
    ].map((body) => admin("POST", "/keys", body)),
    admin("GET", `/keys?account=${ACCOUNT}`),
    ...["/keys?account=acc_x", "/keys?more=1", "/keys?account=a&account=b"].map((path) =>
      admin("GET", path),
    ),
    me(),
    request("getNearby", nearby, { headers: asNewKey }),
    request("getNearby", nearby, {
      headers: { authorization: `Bearer ${aliasOf("key", NARROW_KEY)}` },
    }),
    ...[{ standing: "past_due" }, { standing: "suspended" }, { plan: "business" }].flatMap(
      (body) => [
        admin("PATCH", `/accounts/${ACCOUNT}`, body),
        me(),
        request("getNearby", nearby, { headers: asNewKey }),
      ],
    ),
    admin("PATCH", `/accounts/${ACCOUNT}`, { standing: "active" }),
    ...[{}, { standing: "none" }, { plan: "none" }].map((body) =>
      admin("PATCH", `/accounts/${ACCOUNT}`, body),
    ),
    admin("PATCH", "/accounts/acc_x", { plan: "free" }),
    admin("PATCH", `/accounts/${"x".repeat(300)}`, { plan: "free" }),
    named(ROTATED, admin("POST", `/keys/${KEY}/rotate`, { overlap_s: 60 })),
    ...[{ overlap_s: -1 }, { overlap_s: 2_592_001 }, { overlap_s: 0.5 }, { expires_at: 5 }].map(
      (body) => admin("POST", `/keys/${KEY}/rotate`, body),
    ),
    admin("POST", "/keys/key_x/rotate", {}),
    me(),
    admin("POST", `/keys/${aliasOf("key_id", ROTATED)}/revoke`, {}),
    admin("POST", `/keys/${aliasOf("key_id", ROTATED)}/revoke`, ""),
    admin("POST", `/keys/${aliasOf("key_id", ROTATED)}/rotate`, {}),
    admin("POST", "/keys/key_x/revoke", {}),
    // Several new keys are listed in the order of their ids, which are random.
    ...[`/usage?key=${KEY}`, "/usage?key=x"].map((path) => admin("GET", path)),
    admin("GET", "/usage?month=x&more=1"),
  ]);
}

function probeSteps(): Step[] {
  const probe = (path: string, method = "GET", headers = {}): Step =>
    request(`admin ${path}`, path, { to: "admin", method, headers });
  const foreign = { host: "evil.example" };
  return ["/livez", "/readyz", "/metrics"].flatMap((path) => [
    probe(path),
    probe(path, "HEAD"),
    probe(path, "POST"),
    probe(path, "GET", foreign),
    probe(`${path}/`),
  ]);
}

function guardSteps(): Step[] {
  const ask = (headers: Readonly<Record<string, string>>): Step =>
    request("admin guard", "/admin/keys", { to: "admin", headers });
  const other = (method: string, path: string): Step =>
    request("admin guard", path, { to: "admin", method, headers: AUTHORIZED });
  const noType = { ...AUTHORIZED, "content-type": "text/plain" };
  return [
    ask({}),
    ...["Bearer wrong", "bearer x y", "Basic eDp5", "", `Token ${ADMIN_TOKEN}`].map(
      (authorization) => ask({ authorization }),
    ),
    ask({ ...AUTHORIZED, host: "evil.example" }),
    ask({ authorization: `BEARER  ${ADMIN_TOKEN}` }),
    ...["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"].map((method) => other(method, "/admin/keys")),
    ...["/admin", "/admin/", "/admin/none", "/admin/keys/", "/admin/keys/%ff/revoke"].map((path) =>
      other("GET", path),
    ),
    request("admin guard", "/admin/keys", { to: "admin", body: {}, headers: noType }),
    ...Array.from({ length: 12 }, () => ask({ authorization: "Bearer wrong" })),
    ask(AUTHORIZED),
  ];
}
