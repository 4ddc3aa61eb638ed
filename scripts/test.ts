/**
 * `npm test`, and `npm test -- unit` for some suites (test-run.ts): on the pinned Node, or not at all.
 * Its imports would fail on another one with a stack.
 */
const [major] = process.versions.node.split(".");

if (major === "26") await import("./test-run.ts");
else {
  console.error(
    `this is Node ${process.versions.node}: run npm test -- SUITE…, which takes the Node 26 that npm ci installs`,
  );
  process.exitCode = 1;
}
