/** Sorted lists as one: the list whose next entry comes first is on top. */
export class MergeHeap<Head> {
  readonly #heads: Head[] = [];
  readonly #isBefore: (a: Head, b: Head) => boolean;

  constructor(isBefore: (a: Head, b: Head) => boolean) {
    this.#isBefore = isBefore;
  }

  get top(): Head | undefined {
    return this.#heads[0];
  }

  push(head: Head): void {
    const heads = this.#heads;
    let at = heads.push(head) - 1;
    for (
      let above = (at - 1) >> 1;
      at > 0 && this.#isBefore(head, heads[above]!);
      above = (at - 1) >> 1
    ) {
      heads[at] = heads[above]!;
      at = above;
    }
    heads[at] = head;
  }

  /** Puts another one in the place of the top. */
  replace(head: Head): void {
    const heads = this.#heads;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heads.length) break;
      if (child + 1 < heads.length && this.#isBefore(heads[child + 1]!, heads[child]!)) child++;
      if (!this.#isBefore(heads[child]!, head)) break;
      heads[at] = heads[child]!;
      at = child;
    }
    heads[at] = head;
  }

  pop(): void {
    const last = this.#heads.pop();
    if (last !== undefined && this.#heads.length > 0) this.replace(last);
  }
}
