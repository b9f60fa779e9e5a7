import { open } from "../drivers/sdk2.js";
import { features } from "../features.js";
import { run, targetOf } from "../run.js";

await run(open, features, targetOf(process.argv[2]));
