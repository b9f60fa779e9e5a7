import { expect } from "vitest";
import { InvalidTokenError, TokenVerificationError } from "../../../../runtime/src/auth-server/token-errors.js";
import type { OAuthTokenVerifier } from "../../../../runtime/src/auth-server/token-verifier.js";
import { resource } from "./fake-issuer.js";

/**
 * Verifies a token. Returns `valid`, the reason of an `InvalidTokenError`, or `unavailable`; and checks that the error shows nothing
 * of the token and can be sent as `error_description` (RFC 6750, section 3).
 */
export async function outcomeOf(verifier: OAuthTokenVerifier<object>, token: string): Promise<string> {
  return (await failureOf(verifier, token)).outcome;
}

/** Returns the message of the error, too. */
export async function failureOf(
  verifier: OAuthTokenVerifier<object>,
  token: string,
): Promise<{ readonly outcome: string; readonly message: string }> {
  try {
    await verifier.verifyAccessToken(token, { resource });
    return { outcome: "valid", message: "" };
  } catch (error) {
    if (!(error instanceof InvalidTokenError || error instanceof TokenVerificationError)) throw error;
    expectNothingOf(token, error);
    const { message } = error;
    if (error instanceof TokenVerificationError) return { outcome: "unavailable", message };
    expect(message).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,300}$/);
    return { outcome: error.reason, message };
  }
}

function expectNothingOf(token: string, error: Error): void {
  const shown: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    shown.push(at.message, at.stack ?? "", JSON.stringify(Object.entries(at)));
  const text = shown.join("\n");
  for (const part of token.split(".")) if (part.length >= 8) expect(text).not.toContain(part.slice(0, 64));
  for (const secret of ["user-1", "client-1", "secret-"]) expect(text).not.toContain(secret);
}
