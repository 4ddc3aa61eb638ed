/**
 * Charging (contract 2.5): counts that agree with each other, and an availability that somebody
 * reported. One that is not supplied is absent, never zero.
 */
type Counted = {
  available_count?: number;
  out_of_service_count?: number;
  availability_updated_at?: string;
};
type Charging = Counted & {
  connector_count?: number;
  connectors: readonly (Counted & { count?: number })[];
};

export function findChargingProblem(
  attributes: Record<string, unknown>,
  reported: boolean,
): string | null {
  const charging = attributes["charging"] as Charging;
  const { connectors, connector_count } = charging;
  for (const one of [charging, ...connectors]) {
    const count = one === charging ? connector_count : (one as { count?: number }).count;
    const problem = inventedProblem(one, reported) ?? excessProblem(one, count);
    if (problem !== null) return problem;
  }
  return (
    sumProblem(charging, "available_count") ??
    sumProblem(charging, "out_of_service_count") ??
    oldestProblem(charging)
  );
}

function inventedProblem(one: Counted, reported: boolean): string | null {
  const told = one.available_count ?? one.out_of_service_count ?? one.availability_updated_at;
  return told !== undefined && !reported ? `${told} of a station that nobody reports` : null;
}

function excessProblem(one: Counted, count: number | undefined): string | null {
  const used = (one.available_count ?? 0) + (one.out_of_service_count ?? 0);
  return count !== undefined && used > count ? `${used} of ${count} plugs are accounted for` : null;
}

/** A sum over some of the connectors would be read as one over all. */
function sumProblem(
  charging: Charging,
  name: "available_count" | "out_of_service_count",
): string | null {
  const told = charging[name];
  const parts = charging.connectors.map((one) => one[name]);
  const known = parts.filter((part) => part !== undefined);
  const complete = known.length === parts.length && parts.length > 0;
  const sum = complete ? known.reduce((all, one) => all + one, 0) : undefined;
  return told === sum ? null : `${name} is ${told}, its connectors say ${parts.join(", ")}`;
}

/** As old as the oldest of what it was made of. */
function oldestProblem({ availability_updated_at: told, connectors }: Charging): string | null {
  const times = connectors.flatMap((one) => one.availability_updated_at ?? []);
  const oldest = times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
  if (told === undefined && oldest === undefined) return null;
  return Date.parse(told ?? "") === Date.parse(oldest ?? "")
    ? null
    : `availability_updated_at is ${told}, the oldest of its connectors ${oldest}`;
}
