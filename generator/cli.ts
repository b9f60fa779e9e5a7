#!/usr/bin/env node
import { run } from "./cli/run.js";

// `| head` closes the pipe early; that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await run(process.argv.slice(2), process.stdout, process.stderr);
