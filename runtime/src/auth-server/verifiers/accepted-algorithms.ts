import { SdkError } from "../../jsonrpc/errors.js";
import { signatureAlgorithms } from "../signature-algorithms.js";

/**
 * Checks the option `algorithms`.
 * @throws SdkError `INVALID_CONFIGURATION` for an algorithm without public keys, such as `HS256` or `none`
 */
export function acceptedAlgorithms(given?: readonly string[]): ReadonlySet<string> {
  const accepted = new Set(given ?? signatureAlgorithms.keys());
  const wrong = [...accepted].find((name) => !signatureAlgorithms.has(name));
  if (wrong === undefined && accepted.size > 0) return accepted;
  throw new SdkError(
    "INVALID_CONFIGURATION",
    `algorithms must be a list of signature algorithms with public keys${wrong === undefined ? "" : `, which ${wrong} is not`}: ${[...signatureAlgorithms.keys()].join(", ")}`,
  );
}
