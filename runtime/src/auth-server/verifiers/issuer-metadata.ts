import { newestRules } from "../../auth/discovery/newest-rules.js";
import { describeUrl, parseSecureUrl, shorten } from "../../auth/discovery/secure-url.js";
import { serverMetadataUrls } from "../../auth/discovery/well-known.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { fetchIssuerDocument, IssuerDocumentError, type IssuerRequest } from "./issuer-document.js";

/** The metadata of an authorization server (RFC 8414, section 2). */
export interface IssuerMetadata {
  /** Where it was found. */
  readonly url: URL;
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * Finds the metadata of an issuer (RFC 8414, section 3; OpenID Connect Discovery 1.0, section 4): the first valid document that
 * names the issuer, byte for byte.
 * @throws IssuerDocumentError; the abort reason of the signal
 */
export async function findIssuerMetadata(issuer: string, request: IssuerRequest): Promise<IssuerMetadata> {
  const urls = serverMetadataUrls(new URL(issuer), newestRules(true));
  const problems: string[] = [];
  for (const url of urls)
    try {
      const members = await fetchIssuerDocument(url, request);
      const { issuer: named } = members;
      if (named === issuer) return { url, members };
      problems.push(
        `the metadata ${describeUrl(url)} belongs to ${typeof named === "string" ? `the issuer ${shorten(named)}` : "no issuer"}: both must be spelled identically (RFC 8414, section 3.3)`,
      );
    } catch (error) {
      if (!(error instanceof IssuerDocumentError) || !error.isMissing) throw error;
      problems.push(error.message);
    }
  throw new IssuerDocumentError(problems.join("; "), true);
}

/**
 * Reads the URL of an endpoint or document from the metadata.
 * @throws IssuerDocumentError when it is missing, or neither https nor on this machine like the issuer
 */
export function metadataUrl({ url, members }: IssuerMetadata, name: string): URL {
  const { [name]: value } = members;
  const where = `${name} in the metadata ${describeUrl(url)}`;
  if (value === undefined) throw new IssuerDocumentError(`${where} is missing`, true);
  try {
    return parseSecureUrl(value, where, url);
  } catch (error) {
    throw new IssuerDocumentError((error as Error).message, true);
  }
}

/**
 * Checks the option `issuer`.
 * @throws SdkError `INVALID_CONFIGURATION` when one is not a URL with https (or http on this machine), or has a query or fragment
 */
export function issuersOption(given: string | readonly string[]): readonly string[] {
  const issuers = typeof given === "string" ? [given] : [...given];
  if (issuers.length === 0) throw new SdkError("INVALID_CONFIGURATION", "issuer must name at least one issuer");
  for (const issuer of issuers) {
    urlOption(issuer, "issuer");
    if (/[?#]/.test(issuer))
      throw new SdkError("INVALID_CONFIGURATION", "issuer must have neither query nor fragment (RFC 8414, section 2)");
  }
  return issuers;
}

/** Parses an option that is a URL with https, or http on this machine. @throws SdkError `INVALID_CONFIGURATION` */
export function urlOption(given: string, name: string): URL {
  const url = typeof given === "string" ? parseUrl(given) : undefined;
  if (!url) throw new SdkError("INVALID_CONFIGURATION", `${name} must be a URL`);
  try {
    return parseSecureUrl(given, name, url);
  } catch (error) {
    throw new SdkError("INVALID_CONFIGURATION", (error as Error).message);
  }
}
