#!/usr/bin/env node
// No other import and no newer syntax in this file: an unsupported version of Node must be able to run it this far.
import { nodeProblem } from "./cli/node-version.js";

const problem = nodeProblem(process.versions.node);
if (problem === undefined) await import("./cli/main.js");
else {
  process.stderr.write(problem);
  process.exitCode = 2;
}
