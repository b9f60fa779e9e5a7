import type { BackplaneBehaviour } from "./backplane/backplane-behaviour.js";
import { channels } from "./backplane/channels.js";
import { logs } from "./backplane/logs.js";
import { values } from "./backplane/values.js";

/**
 * The requirements of `Backplane` that every implementation must meet. Run each with your test framework:
 * `test.each(backplaneBehaviours)("$name", ({ run }) => run(harness))`. What subscribers throw must not fail the test: the suite has one
 * that throws.
 */
export const backplaneBehaviours: readonly BackplaneBehaviour[] = [...values, ...logs, ...channels];
