/** What was metered in a month, by key, operation and day. */
import { Type } from "typebox";
import { toUsageJson } from "#app/admin/shapes.ts";
import { MONTH, monthOf } from "#core/metering/metering-periods.ts";
import { unknownIdRefusal } from "./admin-answer.ts";
import { readMember } from "./admin-check.ts";
import { type AdminApiDeps, type AdminRoute, members, toRoute } from "./route.ts";

export function usageRoute({ accounts, usage, clock }: AdminApiDeps): AdminRoute {
  return toRoute({
    method: "GET",
    path: "/usage",
    action: null,
    takes: members({ month: Type.Optional(Type.String()), key: Type.Optional(Type.String()) }),
    run: async ({ month: stated = monthOf(clock.now()), key }) => {
      const month = readMember("month", stated, MONTH);
      if (!month.ok) return month;
      // A key that is mistyped has not used nothing.
      if (key !== undefined && !(await accounts.findKey(key))) return unknownIdRefusal("key", key);
      const rows = await usage.listUsage({
        month: month.value,
        ...(key === undefined ? {} : { key_id: key }),
      });
      return { ok: true, status: 200, body: toUsageJson(month.value, rows) };
    },
  });
}
