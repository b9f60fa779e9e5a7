import { SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import { assertMethods } from "./assert-methods.js";

type Options = object | boolean | undefined;

/**
 * Checks the name and version of a client or server, its number options, and `telemetry`. Peers reject an implementation without name
 * and version.
 * @throws SdkError `INVALID_CONFIGURATION` when one is invalid
 */
export function assertImplementation(
  info: unknown,
  options: { readonly telemetry?: object | undefined },
  ...more: readonly Options[]
): void {
  if (!isObject(info) || typeof info["name"] !== "string" || typeof info["version"] !== "string")
    throw new SdkError(
      "INVALID_CONFIGURATION",
      'name and version must be strings: { name: "orders", version: "1.0.0" }',
    );
  if (options.telemetry)
    assertMethods(options.telemetry, ["observe"], "telemetry must be what openTelemetry() returns");
  assertNumberOptions(options, ...more);
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
