/** What was metered in a month, by key, operation and day. */
import { Type } from "typebox";
import { toUsageJson } from "#app/admin/shapes.ts";
import { isMonth, monthOf } from "#core/metering/periods.ts";
import { unknownId } from "./answer.ts";
import { wrong } from "./check.ts";
import { type AdminApiDeps, type AdminRoute, members, toRoute } from "./route.ts";

export function usageRoute({ accounts, usage, clock }: AdminApiDeps): AdminRoute {
  return toRoute({
    method: "GET",
    path: "/usage",
    action: null,
    takes: members({ month: Type.Optional(Type.String()), key: Type.Optional(Type.String()) }),
    run: async ({ month = monthOf(clock.now()), key }) => {
      if (!isMonth(month)) return wrong("month", "expected a month such as 2026-11");
      // A key that is mistyped has not used nothing.
      if (key !== undefined && !(await accounts.findKey(key))) return unknownId("key", key);
      const rows = await usage.listUsage({ month, ...(key === undefined ? {} : { key_id: key }) });
      return { ok: true, status: 200, body: toUsageJson(month, rows) };
    },
  });
}
