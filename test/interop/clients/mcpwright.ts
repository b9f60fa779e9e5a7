import { open } from "../drivers/mcpwright.js";
import { run, targetOf } from "../run.js";
import { suites } from "../suites.js";

const target = targetOf(process.argv[2]);
await run(open, suites[target.suite], target);
