/** A message of the program itself, on the output for errors: between words where a terminal is narrow. */
import type { Output } from "#cli/io.ts";
import { wrapText } from "#cli/print/wrap.ts";

export function printMessage(output: Output, message: string): void {
  const { isTTY, columns } = output;
  const line = `vicinity: ${message}\n`;
  output.write(isTTY && columns ? wrapText(line, columns) : line);
}
