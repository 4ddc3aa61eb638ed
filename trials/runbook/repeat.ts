/** Something that goes on during a case, from its fault until its cure. */
export class Repeat {
  readonly #loops: Promise<void>[] = [];
  #going = false;

  /** Repeats the task, as many at a time as stated. */
  start(task: (turn: number) => Promise<unknown>, at_once = 1): void {
    this.#going = true;
    for (let i = 0; i < at_once; i++) this.#loops.push(this.#run(task));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#loops.splice(0));
  }

  async #run(task: (turn: number) => Promise<unknown>): Promise<void> {
    let turn = 0;
    while (this.#going) await task(turn++);
  }
}
