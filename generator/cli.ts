#!/usr/bin/env node
// Nothing else is imported here, and nothing is written in newer syntax: a Node that is too old has to get this far.
import { nodeProblem } from "./cli/node-version.js";

const problem = nodeProblem(process.versions.node);
if (problem === undefined) await import("./cli/main.js");
else {
  process.stderr.write(problem);
  process.exitCode = 2;
}
