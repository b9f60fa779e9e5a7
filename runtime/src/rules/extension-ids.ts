import { SdkError } from "../jsonrpc/errors.js";
import { parseMetaKey } from "./meta-key.js";

/**
 * Checks the ids of the extensions that a side declares: `prefix/name`, like `_meta` keys (MCP 2026-07-28, versioning).
 * @throws SdkError `INVALID_CONFIGURATION` for an id without a prefix or a name
 */
export function assertExtensionIds({ extensions }: { readonly extensions?: object }): void {
  for (const id of Object.keys(extensions ?? {})) {
    const { prefix, name } = parseMetaKey(id) ?? {};
    if (prefix === undefined || !name)
      throw new SdkError("INVALID_CONFIGURATION", `capabilities.extensions: "${id}" must be like "com.example/name"`);
  }
}
