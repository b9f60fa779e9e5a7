import { SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";

type Options = object | boolean | undefined;

/**
 * What a client or server is made of: peers refuse one that has no name or no version.
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function assertImplementation(info: unknown, ...given: readonly Options[]): void {
  if (!isObject(info) || typeof info["name"] !== "string" || typeof info["version"] !== "string")
    throw new SdkError("INVALID_CONFIGURATION", 'say who this is: { name: "orders", version: "1.0.0" }, both texts');
  assertNumberOptions(...given);
}

/**
 * Numbers among options say how much, how often or how long: `Infinity` for no bound.
 * @throws SdkError `INVALID_CONFIGURATION` for one that is negative or NaN
 */
export function assertNumberOptions(...given: readonly Options[]): void {
  for (const options of given)
    for (const [name, value] of Object.entries(options ?? {}))
      if (typeof value === "number" && !(value >= 0))
        throw new SdkError("INVALID_CONFIGURATION", `${name} must be 0 or more, not ${value}`);
}
