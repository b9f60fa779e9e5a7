import { letSignalsIn } from "../shared/files/defer-signals.js";
import { run } from "./run.js";
import { completeWrites } from "./complete-writes.js";

const unwritten = (error: NodeJS.ErrnoException): void => {
  // `| head` closes the pipe early; that is not an error.
  if (error.code === "EPIPE") return;
  process.exitCode = 1;
  process.stderr.write(`error: cannot write the output: ${error.message}\n`);
};
process.stdout.on("error", unwritten);
// An error of stderr cannot be reported.
process.stderr.on("error", () => undefined);

// A handler never runs during a write. Commands that must clean up register their own handlers.
for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(code);
  });
}

const code = await run(process.argv.slice(2), completeWrites(process.stdout, unwritten), process.stderr);
process.exitCode ??= code;
// The next poll of the event loop delivers signals that arrived during synchronous work.
await letSignalsIn();
await letSignalsIn();
