/**
 * Buckets by key, and in order of the time at which they are full again: a map and a binary heap. A
 * bucket that is charged again and again is full ever later: it keeps its place in the heap until it
 * comes to the top, and only then moves down to where it belongs.
 */

/** `full_us`: when it is full again. */
type HeldBucket = { readonly full_us: number };

export type BucketHeap = {
  size(): number;
  /** null: there is none. */
  find(key: string): HeldBucket | null;
  /** `known`: what `find` has given for this key, just now. */
  set(key: string, full_us: number, known: HeldBucket | null): void;
  /** When the first bucket is full again; Infinity: there is none. */
  first_us(): number;
  dropFirst(): void;
};

/** `rank_us`: by which it stands in the heap; never after `full_us`. */
type Node = { key: string; full_us: number; rank_us: number; place: number };

/** An empty one; a change costs a logarithm of its size at most. */
export function createBucketHeap(): BucketHeap {
  const nodes = new Map<string, Node>();
  const heap: Node[] = [];
  /** The top is the first by its time as well. */
  const settle = (): Node | undefined => {
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (top.rank_us === top.full_us) return top;
      top.rank_us = top.full_us;
      sink(heap, top);
    }
    return undefined;
  };
  return {
    size: () => heap.length,
    find: (key) => nodes.get(key) ?? null,
    set(key, full_us, known) {
      const node = known as Node | null;
      if (node === null) {
        const added = { key, full_us, rank_us: full_us, place: heap.length };
        nodes.set(key, added);
        heap.push(added);
        return rise(heap, added);
      }
      node.full_us = full_us;
      if (full_us >= node.rank_us) return;
      node.rank_us = full_us;
      rise(heap, node);
    },
    first_us: () => settle()?.full_us ?? Infinity,
    dropFirst() {
      const first = settle();
      const last = heap.pop();
      if (!first || !last) return;
      nodes.delete(first.key);
      if (first === last) return;
      put(heap, last, 0);
      sink(heap, last);
    },
  };
}

function rise(heap: Node[], node: Node): void {
  let place = node.place;
  while (place > 0) {
    const parent = heap[(place - 1) >> 1]!;
    if (parent.rank_us <= node.rank_us) break;
    put(heap, parent, place);
    place = (place - 1) >> 1;
  }
  put(heap, node, place);
}

function sink(heap: Node[], node: Node): void {
  let place = node.place;
  for (;;) {
    const left = 2 * place + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const least = right < heap.length && heap[right]!.rank_us < heap[left]!.rank_us ? right : left;
    const child = heap[least]!;
    if (child.rank_us >= node.rank_us) break;
    put(heap, child, place);
    place = least;
  }
  put(heap, node, place);
}

function put(heap: Node[], node: Node, place: number): void {
  heap[place] = node;
  node.place = place;
}
