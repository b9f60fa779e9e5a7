/** The parameters of a challenge. Members that are undefined are left out. */
export interface ChallengeParameters {
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  readonly scope?: string | undefined;
  /** Of a DPoP challenge: the algorithms of proofs, separated by spaces (RFC 9449, section 7.1). */
  readonly algs?: string | undefined;
  readonly resource_metadata?: string | undefined;
}

/** Returns one challenge of a `WWW-Authenticate` header (RFC 9110, section 11.6.1; RFC 6750, section 3). */
export function formatChallenge(scheme: "Bearer" | "DPoP", parameters: ChallengeParameters): string {
  const texts = Object.entries(parameters).flatMap(([name, value]: [string, string | undefined]) =>
    value === undefined || value === "" ? [] : `${name}=${quote(value)}`,
  );
  return texts.length === 0 ? scheme : `${scheme} ${texts.join(", ")}`;
}

/** A quoted string (RFC 9110, section 5.6.4). Control characters and those outside ASCII cannot be sent in a header. */
function quote(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "\\$&")}"`;
}

/** Returns a text with the characters that `error_description` may have (RFC 6750, section 3). */
export function descriptionText(text: string): string {
  return text
    .replaceAll('"', "'")
    .replaceAll("\\", "/")
    .replace(/[^\x20-\x7e]/g, "?");
}
