/** Colours: only on a terminal, and never with NO_COLOR (https://no-color.org). */
import { styleText } from "node:util";
import type { Output } from "#cli/io.ts";

const STYLES = ["bold", "dim", "green", "yellow", "red", "cyan"] as const;
export type Paint = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>;

export function createPaint(out: Output, settings: { no_color: boolean }): Paint {
  const coloured = out.isTTY === true && !settings.no_color;
  const brush = (style: (typeof STYLES)[number]) => (text: string) =>
    coloured ? styleText(style, text, { validateStream: false }) : text;
  return Object.fromEntries(STYLES.map((style) => [style, brush(style)])) as Paint;
}
