import { SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";

type Options = object | boolean | undefined;

/**
 * Checks the name and version of a client or server, and its number options. Peers reject an implementation without them.
 * @throws SdkError `INVALID_CONFIGURATION` when one is invalid
 */
export function assertImplementation(info: unknown, ...given: readonly Options[]): void {
  if (!isObject(info) || typeof info["name"] !== "string" || typeof info["version"] !== "string")
    throw new SdkError(
      "INVALID_CONFIGURATION",
      'name and version must be strings: { name: "orders", version: "1.0.0" }',
    );
  assertNumberOptions(...given);
}

/**
 * Checks the number options: each is an amount, a count or a duration, with `Infinity` for no limit.
 * @throws SdkError `INVALID_CONFIGURATION` when one is negative or NaN
 */
export function assertNumberOptions(...given: readonly Options[]): void {
  for (const options of given)
    for (const [name, value] of Object.entries(options ?? {}))
      if (typeof value === "number" && !(value >= 0))
        throw new SdkError("INVALID_CONFIGURATION", `${name} must be 0 or more, not ${value}`);
}
