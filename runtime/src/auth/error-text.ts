const maxLength = 300;
/** Runs of characters that may be (part of) a token. Shorter parts reveal too little of one. */
const words = /[\w\-.~+/=%]{8,}/g;
const jwt = /\bey[\w-]{6,}\.[\w-]+(?:\.[\w-]*)*/g;

/**
 * Makes a text of an authorization server fit for messages and logs: one line, short, without control characters, JWTs, and
 * the secrets that the server may have repeated.
 * @param secrets what was sent to the server and must not be shown; empty ones do not count
 * @returns undefined for an empty text, and for other types
 */
export function cleanErrorText(text: unknown, secrets: readonly string[] = []): string | undefined {
  if (typeof text !== "string") return undefined;
  let clean = text.slice(0, 10 * maxLength);
  for (const secret of secrets) if (secret !== "") clean = clean.replaceAll(secret, "[hidden]");
  clean = clean
    .replace(jwt, "[hidden]")
    .replace(words, (word) => (secrets.some((secret) => secret.includes(word)) ? "[hidden]" : word))
    // Control characters, also those that change the direction or end the line of a text.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .trim();
  if (clean === "") return undefined;
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
}

/** Codes that applications and this client react to (RFC 6749, 7009, 7591, 8628, 8707 and 9449; OpenID Connect Core 1.0). */
const codes: ReadonlySet<string> = new Set([
  "access_denied",
  "authorization_pending",
  "consent_required",
  "expired_token",
  "interaction_required",
  "invalid_client",
  "invalid_client_metadata",
  "invalid_dpop_proof",
  "invalid_grant",
  "invalid_redirect_uri",
  "invalid_request",
  "invalid_scope",
  "invalid_software_statement",
  "invalid_target",
  "invalid_token",
  "login_required",
  "server_error",
  "slow_down",
  "temporarily_unavailable",
  "unapproved_software_statement",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "unsupported_token_type",
  "use_dpop_nonce",
]);

/** Makes an error code fit for messages, like `cleanErrorText`. Known codes stay as they are, even as a part of a secret. */
export function cleanErrorCode(code: unknown, secrets: readonly string[] = []): string | undefined {
  return typeof code === "string" && codes.has(code) ? code : cleanErrorText(code, secrets);
}
