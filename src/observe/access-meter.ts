/** What is counted of callers: decisions about rates and quotas, and events of usage. */
import type { Decision, Decisions, Policy } from "#http/gate.ts";
import type { Metrics } from "#http/metrics.ts";
import type { Usage } from "#ports.ts";

export function countDecisions({ cell }: Pick<Metrics, "cell">): Decisions {
  const of = (policy: Policy) => {
    const each = (decision: Decision) => cell("svc_ratelimit_total", { policy, decision });
    return {
      ...{ admitted: each("admitted"), refused: each("refused"), unenforced: each("unenforced") },
    };
  };
  return { burst: of("burst"), quota: of("quota"), bad_keys: of("bad_keys") };
}

/**
 * The same usage, counted. What is taken and neither durable nor refused is on its way, which is the
 * depth of the spool until somebody who has a longer one says otherwise (`watch`).
 */
export function countUsage<U extends Pick<Usage, "record">>(
  usage: U,
  { cell, watch }: Pick<Metrics, "cell" | "watch">,
): U {
  const of = (state: string) => cell("svc_usage_events_total", { state });
  const [taken, durable, refused] = [of("taken"), of("durable"), of("refused")];
  let lost = 0;
  watch("svc_usage_spool_depth", () => [
    { labels: {}, value: taken.count - durable.count - refused.count - lost },
  ]);
  const settled = (result: "durable" | "full"): void => {
    if (result === "durable") durable.count++;
    else refused.count++;
  };
  return {
    ...usage,
    record(event) {
      taken.count++;
      const recorded = usage.record(event);
      recorded.then(settled, () => void lost++);
      return recorded;
    },
  };
}
