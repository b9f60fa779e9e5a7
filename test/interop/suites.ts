import type { Feature } from "./feature.js";
import { features } from "./features.js";
import { everything } from "./known/everything.js";
import { filesystem } from "./known/filesystem.js";
import { memory } from "./known/memory.js";
import type { Target } from "./target.js";

/** The features of each server, by the suite of a target. */
export const suites: Readonly<Record<Target["suite"], readonly Feature[]>> = {
  fixture: features,
  everything,
  filesystem,
  memory,
};
