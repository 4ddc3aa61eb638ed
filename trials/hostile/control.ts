/** Entry of a process that does nothing: its event loop is late only when the machine is. */
process.on("disconnect", () => process.exit());
setInterval(() => undefined, 1_000);
