/** A thread that serves, in which the code of a country that there is not throws in the middle of an answer. */
const toUpper = String.prototype.toUpperCase;
// oxlint-disable-next-line no-extend-native -- a fault of ours in the middle of an answer
String.prototype.toUpperCase = function upper(this: string): string {
  if (toUpper.call(this) === "QZ") throw new TypeError("planted");
  return toUpper.call(this);
};
await import("../../src/main/workers/serve.ts");
