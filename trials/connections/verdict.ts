/** What must hold under an attack. */
import type { Attacked } from "./attacks.ts";
import type { Measured } from "./callers.ts";
import { type Seen, SPARE_FDS } from "./watch.ts";

const KEPT_SHARE = 0.95;

export type Cell = Seen & {
  attack: string;
  measured: Measured;
  attacked?: Attacked;
  /** Goodput divided by that without an attack. */
  share: number;
  /** In words; none: it passed. */
  findings: string[];
};

export function judge(input: Omit<Cell, "share" | "findings"> & { calm: Measured }): Cell {
  const { calm, ...cell } = input;
  const rateOf = ({ good, sent }: Measured): number => good / sent;
  const share = rateOf(cell.measured) / rateOf(calm);
  const findings: string[] = [];
  const expect = (holds: boolean, finding: string): void => {
    if (!holds) findings.push(`${cell.attack}: ${finding}`);
  };
  if (cell.attack === "none") expect(rateOf(calm) >= KEPT_SHARE, "the callers fail without attack");
  expect(share >= KEPT_SHARE, `others keep ${percent(share)} of their goodput`);
  expect(cell.inflight_after === 0, `${cell.inflight_after} requests stay in flight`);
  expect(cell.unanswered === 0, `the admin listener left ${cell.unanswered} probes unanswered`);
  expect(cell.probes > 0, "the admin listener was never asked");
  const fds_most = cell.fds_before + SPARE_FDS;
  expect(cell.fds_after <= fds_most, `${cell.fds_after} descriptors, ${cell.fds_before} before`);
  if (cell.attacked) expect(cell.attacked.opened > 0, "the attacker never got a connection");
  return { ...cell, share, findings };
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
