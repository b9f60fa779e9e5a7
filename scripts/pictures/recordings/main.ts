/** Runs the commands of the recordings, and keeps their output: `npm run docs:recordings`, then `npm run docs:pictures`. */
import { writeFileSync } from "node:fs";
import { recordingFile } from "./recording-file.js";
import { recordings } from "./recording.js";
import { record } from "./run.js";

for (const { name } of recordings) writeFileSync(recordingFile(name), await record(name));
