import { open } from "../drivers/sdk1.js";
import { runCells, targetsOf } from "../gateway/run-cells.js";

await runCells(open, targetsOf(process.argv[2]));
