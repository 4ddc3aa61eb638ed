/** Runs a command until a signal ends it, or an exception that nothing has caught. */
import closeWithGrace from "close-with-grace";

/** A second Ctrl-C, or this long, ends the process whatever is still open. */
const GRACE_MS = 60_000;

/** Resolves with the exit code once the command has been closed. */
export function untilClosed(
  close: (signal: string | undefined) => Promise<void>,
  onFault: (error: unknown) => void = () => undefined,
  ignored: readonly "SIGHUP"[] = [],
): Promise<number> {
  return new Promise((resolve) => {
    const options = { delay: GRACE_MS, skip: ["unhandledRejection" as const, ...ignored] };
    closeWithGrace(options, async ({ signal, err }) => {
      if (err) {
        onFault(err);
        process.stderr.write(`${err.stack ?? err.message}\n`);
      }
      await close(signal);
      resolve(err ? 1 : 0);
    });
  });
}
