import { SdkError } from "./errors.js";

/**
 * Numbers among options say how much, how often or how long: `Infinity` for no bound.
 * @throws SdkError `INVALID_CONFIGURATION` for one that is negative or NaN
 */
export function checkNumbers(...given: readonly (object | boolean | undefined)[]): void {
  for (const options of given)
    for (const [name, value] of Object.entries(options ?? {}))
      if (typeof value === "number" && !(value >= 0))
        throw new SdkError("INVALID_CONFIGURATION", `${name} must be 0 or more, not ${value}`);
}
