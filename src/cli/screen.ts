/** A terminal on which a text is drawn again in its place; what was there before comes back at the end. */
import type { Output } from "#cli/io.ts";

const ENTER = "\u001B[?1049h\u001B[?25l";
const LEAVE = "\u001B[?25h\u001B[?1049l";
const HOME = "\u001B[H";
const REST_OF_LINE = "\u001B[K";
const REST_OF_SCREEN = "\u001B[J";

const USUAL_HEIGHT = 24;

export class Screen {
  readonly #out: Output;
  #is_open = false;

  constructor(out: Output) {
    this.#out = out;
  }

  /** Lines of the terminal now. */
  get height(): number {
    return this.#out.rows || USUAL_HEIGHT;
  }

  /** Draws over what was drawn before, in one write, so that nothing flickers. */
  draw(text: string): void {
    const lines = text.replace(/\n$/, "").split("\n");
    const frame = HOME + lines.map((line) => line + REST_OF_LINE).join("\n") + REST_OF_SCREEN;
    this.#out.write(this.#is_open ? frame : ENTER + frame);
    this.#is_open = true;
  }

  /** Gives the terminal back with its cursor; to be called however the drawing ends. */
  close(): void {
    if (this.#is_open) this.#out.write(LEAVE);
    this.#is_open = false;
  }
}
