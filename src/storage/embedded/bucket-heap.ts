/** Buckets by key, and in order of the time at which they are full again: a map and a binary heap. */

export type BucketHeap = {
  size(): number;
  /** null: there is none. */
  find(key: string): number | null;
  set(key: string, full_us: number): void;
  /** When the first bucket is full again; Infinity: there is none. */
  first_us(): number;
  dropFirst(): void;
};

type Node = { key: string; full_us: number; place: number };

/** An empty one; every change costs a logarithm of its size. */
export function createBucketHeap(): BucketHeap {
  const nodes = new Map<string, Node>();
  const heap: Node[] = [];
  return {
    size: () => heap.length,
    find: (key) => nodes.get(key)?.full_us ?? null,
    set: (key, full_us) => {
      const known = nodes.get(key);
      const node = known ?? { key, full_us, place: heap.length };
      if (!known) {
        nodes.set(key, node);
        heap.push(node);
      }
      node.full_us = full_us;
      rise(heap, node);
      sink(heap, node);
    },
    first_us: () => heap[0]?.full_us ?? Infinity,
    dropFirst: () => {
      const [first, last] = [heap[0], heap.pop()];
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
    if (parent.full_us <= node.full_us) break;
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
    const least = right < heap.length && heap[right]!.full_us < heap[left]!.full_us ? right : left;
    const child = heap[least]!;
    if (child.full_us >= node.full_us) break;
    put(heap, child, place);
    place = least;
  }
  put(heap, node, place);
}

function put(heap: Node[], node: Node, place: number): void {
  heap[place] = node;
  node.place = place;
}
