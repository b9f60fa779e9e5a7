import type { AuthorizationRules } from "@mcpwright/protocol/authorization";
import type { AuthorizationServer } from "oauth4webapi";
import { AuthorizationError } from "../auth-errors.js";
import { checkServerMetadata } from "./check-server-metadata.js";
import { fetchExisting } from "./resource-metadata.js";
import type { DocumentRequest } from "./fetch-document.js";
import { describeUrl } from "./secure-url.js";
import { serverMetadataUrls } from "./well-known.js";

/**
 * Finds the metadata of an authorization server (RFC 8414, section 3; OpenID Connect Discovery 1.0, section 4): the first
 * document, in the order of the rules, that is valid and names the issuer.
 * @param issuers the accepted spellings of the issuer, of which the document must have one byte for byte
 * @param base the URL from which the well-known URLs are made
 * @returns undefined when there is none: the server has only responded with 4xx or web pages
 * @throws AuthorizationError `issuer-mismatch`, `metadata-invalid`, `insecure-url`, `unreachable`: of the first document
 */
export async function findServerMetadata(
  issuers: readonly string[],
  base: URL,
  rules: AuthorizationRules,
  request: DocumentRequest,
): Promise<AuthorizationServer | undefined> {
  let failure: AuthorizationError | undefined;
  for (const url of serverMetadataUrls(base, rules)) {
    try {
      const found = await fetchExisting(url, request);
      if (found) return checkServerMetadata(found.body, issuers, found.url);
    } catch (error) {
      if (!(error instanceof AuthorizationError) || !mayHaveOther(error)) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return undefined;
}

/** Finds the metadata of an issuer that a document names. @throws AuthorizationError also `metadata-not-found` */
export async function requireServerMetadata(
  issuer: string,
  base: URL,
  rules: AuthorizationRules,
  request: DocumentRequest,
): Promise<AuthorizationServer> {
  const found = await findServerMetadata([issuer], base, rules, request);
  if (found) return found;
  throw new AuthorizationError(
    "metadata-not-found",
    `the authorization server ${describeUrl(base)} has no metadata at its well-known URLs: ${serverMetadataUrls(base, rules).map(describeUrl).join(", ")}`,
    { issuer },
  );
}

/** Whether another well-known URL may still have a valid document. A server that is down need not be asked again. */
function mayHaveOther({ reason, data }: AuthorizationError): boolean {
  return (
    reason === "metadata-invalid" ||
    reason === "issuer-mismatch" ||
    (reason === "unreachable" && data.status !== undefined)
  );
}
