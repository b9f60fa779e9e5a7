import type { AuthorizationServer } from "oauth4webapi";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { AuthorizationError } from "../auth-errors.js";
import { assertSecureUrl } from "../discovery/secure-url.js";

/**
 * Returns the URL of an endpoint that receives credentials; undefined when the authorization server has none.
 * @throws AuthorizationError `insecure-url` when it is neither https nor loopback, `metadata-invalid` when it is not a URL
 */
export function endpointUrl(
  metadata: AuthorizationServer,
  name: "token_endpoint" | "revocation_endpoint",
): URL | undefined {
  const text: unknown = metadata[name];
  if (text === undefined || text === null) return undefined;
  const url = typeof text === "string" ? parseUrl(text) : undefined;
  if (!url)
    throw new AuthorizationError("metadata-invalid", `${name} in the metadata of ${metadata.issuer} is not a URL`, {
      issuer: metadata.issuer,
    });
  assertSecureUrl(url, `the ${name} of ${metadata.issuer},`, parseUrl(metadata.issuer));
  return url;
}
