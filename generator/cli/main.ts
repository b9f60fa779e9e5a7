import { letSignalsIn } from "../shared/files/defer-signals.js";
import { run } from "./run.js";
import { completeWrites } from "./complete-writes.js";

const unwritten = (error: NodeJS.ErrnoException): void => {
  // `| head` closes the pipe early; that is no error.
  if (error.code === "EPIPE") return;
  process.exitCode = 1;
  process.stderr.write(`error: the output could not be written: ${error.message}\n`);
};
process.stdout.on("error", unwritten);
// There is nobody left to tell.
process.stderr.on("error", () => undefined);

// A handler never runs in the middle of a write. Commands that have something to end listen themselves.
for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(code);
  });
}

const code = await run(process.argv.slice(2), completeWrites(process.stdout, unwritten), process.stderr);
process.exitCode ??= code;
// A signal that came during synchronous work is delivered by the next poll of the event loop.
await letSignalsIn();
await letSignalsIn();
