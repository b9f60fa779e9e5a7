import { SdkError } from "../../jsonrpc/errors.js";
import { readJsonSegment } from "../json-segment.js";
import { matchAudience } from "../match-audience.js";
import { InvalidTokenError } from "../token-errors.js";

/**
 * Checks the audience of a token as far as it can be known without its authorization server: that of a JWT, and the resource that the
 * function of the program returned.
 * @param accepted the audiences that tokens may have; undefined when nothing says what they are
 * @throws InvalidTokenError `audience`
 * @throws SdkError `INVALID_CONFIGURATION` for an audience that nothing can be compared with
 */
export function checkAudience(token: string, known: readonly string[], accepted: readonly string[] | undefined): void {
  const stated = [audienceOf(token), known.length > 0 ? known : undefined].filter((one) => one !== undefined);
  if (stated.length > 0 && !accepted)
    throw new SdkError(
      "INVALID_CONFIGURATION",
      "requireOwnTokens got a token with an audience: pass resource, the URL of this server, or audiences, so that tokens for other servers are rejected",
    );
  if (accepted && !stated.every((audience) => matchAudience(audience, accepted)))
    throw new InvalidTokenError("audience", "The token was issued for another resource");
}

/** The `aud` of a JWT (RFC 7519, section 4.1.3), of which nothing else is checked; undefined for other tokens. */
function audienceOf(token: string): readonly string[] | undefined {
  const [, claims, , ...rest] = token.split(".");
  if (claims === undefined || rest.length > 0) return undefined;
  const audience: unknown = readJsonSegment(claims)?.["aud"];
  if (audience === undefined) return undefined;
  return [audience].flat().filter((one) => typeof one === "string");
}
