/** Where the events of a box are shown: a table on a terminal, else lines. */
import type { CommandContext, Parsed } from "#cli/command.ts";
import type { LiveView } from "#cli/live-view.ts";
import { toOn } from "#cli/print/print-answer.ts";
import { changeLine, formatLive, interruptionWords } from "#cli/print/print-live.ts";
import { Screen } from "#cli/screen.ts";
import type { LiveEvent } from "#api/client/live-event.ts";

/** A table is drawn four times a second at most, and once a second where only ages change. */
const DRAW_MS = 250;
const AGES_MS = 1_000;

type Face = { show(event: LiveEvent): Promise<void>; close(): Promise<void> };

type Showing = {
  parsed: Parsed;
  context: CommandContext;
  view: LiveView;
  /** What is watched, in words. */
  where: string;
  /** Aborts when it ends. */
  signal: AbortSignal;
};

export function openFace(showing: Showing): Face {
  const { parsed, context, view } = showing;
  const { io } = context;
  if (parsed.options["json"]) return openLines(showing, toLine);
  if (io.out.isTTY === true) return openTable(showing);
  return openLines(showing, (event) => {
    const now_ms = io.now();
    const at = "body" in event && "at" in event.body ? event.body.at : "";
    const lines = view.note(event, now_ms).map((change) => changeLine(change, at));
    if (view.interruption) io.err.write(`${interruptionWords(view.interruption, now_ms)}\n`);
    return lines.join("");
  });
}

export function toLine(event: object): string {
  return `${JSON.stringify(event)}\n`;
}

/** Writes no faster than it is read. */
function openLines({ context, signal }: Showing, toLines: (event: LiveEvent) => string): Face {
  const { out } = context.io;
  return {
    async show(event) {
      const text = toLines(event);
      if (text === "" || out.write(text) || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          out.off("drain", go);
          signal.removeEventListener("abort", go);
          resolve();
        };
        out.once("drain", go);
        signal.addEventListener("abort", go, { once: true });
      });
    },
    close: () => Promise.resolve(),
  };
}

function openTable({ context: { io, env }, view, where, signal }: Showing): Face {
  const screen = new Screen(io.out);
  let is_drawn = false;
  const spoil = (): void => void (is_drawn = false);
  const toText = (height: number): string => formatLive(view, { ...toOn(io, env), height, where });
  io.out.on("resize", spoil);
  const drawing = drawUntilOver();
  return {
    show(event) {
      view.note(event, io.now());
      spoil();
      return Promise.resolve();
    },
    async close() {
      await drawing;
      io.out.off("resize", spoil);
      screen.close();
      if (view.has_begun) io.out.write(toText(Infinity));
    },
  };

  async function drawUntilOver(): Promise<void> {
    let drawn_ms = 0;
    while (!signal.aborted) {
      const is_due = !is_drawn || io.now() - drawn_ms >= AGES_MS;
      if (is_due && (view.has_begun || view.interruption)) {
        screen.draw(toText(screen.height));
        drawn_ms = io.now();
        is_drawn = true;
      }
      await io.sleep(DRAW_MS, signal);
    }
  }
}
