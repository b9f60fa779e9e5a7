import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { recordingFile } from "../../scripts/pictures/recordings/recording-file.js";
import { recordings } from "../../scripts/pictures/recordings/recording.js";
import { record } from "../../scripts/pictures/recordings/run.js";

test.each(recordings)(
  "$command prints what the documentation shows",
  async ({ name }) => {
    const shown = readFileSync(recordingFile(name), "utf8");
    expect(await record(name), "run npm run docs:recordings").toBe(shown);
  },
  120_000,
);
