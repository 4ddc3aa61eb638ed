/** A thread that takes memory until it is ended. */
const taken: object[] = [];
for (;;) taken.push(Array.from({ length: 1_000 }, (_, i) => ({ i })));
