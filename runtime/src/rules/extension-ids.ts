import { SdkError } from "../jsonrpc/errors.js";

const label = "[a-z](?:[a-z\\d-]*[a-z\\d])?";

/** Labels separated by dots, a slash and a name that is not empty. */
const idForm = `^${label}(?:\\.${label})*/[a-z\\d](?:[\\w.-]*[a-z\\d])?$`;

/**
 * Checks the ids of the extensions that a side declares: `prefix/name`, like `_meta` keys (MCP 2026-07-28, versioning).
 * @throws SdkError `INVALID_CONFIGURATION` for an id without a prefix or a name
 */
export function assertExtensionIds({ extensions }: { readonly extensions?: object }): void {
  for (const id of Object.keys(extensions ?? {}))
    if (!new RegExp(idForm, "i").test(id))
      throw new SdkError("INVALID_CONFIGURATION", `capabilities.extensions: "${id}" must be like "com.example/name"`);
}
