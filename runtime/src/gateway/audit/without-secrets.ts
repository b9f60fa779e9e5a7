import { sliceWhole } from "../review/escape-hidden.js";
import { isSecretParameter } from "./secret-names.js";

export const redacted = "[redacted]";

/** Characters of a text that are searched. The others are not logged. */
const maxRead = 4_000;

/** Each form of a secret has a part of it; most names have none, which saves the search for each form. */
const maybeSecret = /[:=@]|[\w-]{10}|(?:bearer|basic|dpop)\s/i;
/** Texts that are secret, by their form. They also match if the end is missing. */
const secrets = [
  // JSON Web Tokens (RFC 7519).
  /\beyJ[\w-]{8,}(?:\.[\w-]+){0,4}/g,
  // Tokens and keys of providers, by their prefixes.
  /\b(?:gh[opusr]_|github_pat_|glpat-|xox[a-z]-|npm_|hf_|ya29\.|AIza|AKIA|ASIA)[\w-]{8,}/g,
  /\b[spr]k[-_][\w-]{12,}/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*/g,
] as const;
const scheme = /\b(Bearer|Basic|DPoP)\s{1,10}[\w.~+/=-]{6,}/gi;
const userInfo = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@]{1,500}@/gi;
const parameter = /([?&#;])([\w.%~[\]-]{1,100})=[^&#;\s"'<>]*/g;
/** A header, whose credentials may have several words. */
const header = /\b(authorization(?:\\{0,3}["'])?\s{0,10}[:=]\s{0,10})(?:(\\{0,3}["'])[^"'\\\r\n]+|[^"'\\\s][^\r\n]*)/gi;
const assignment =
  /\b([\w-]{0,40}(?:password|passwd|secret|api[_-]?key|token))((?:\\{0,3}["'])?\s{0,10}[:=]\s{0,10}(?:\\{0,3}["'])?)(?!\[redacted\])[^\s"'\\,;&}]+/gi;

/** The start of a text, in which secrets are replaced that their form reveals: tokens, keys, credentials in URLs. */
export function withoutSecrets(text: string): string {
  let safe = text.length > maxRead ? `${sliceWhole(text, 0, maxRead)}…` : text;
  if (!maybeSecret.test(safe)) return safe;
  for (const secret of secrets) safe = safe.replace(secret, redacted);
  return safe
    .replace(scheme, `$1 ${redacted}`)
    .replace(userInfo, `$1${redacted}@`)
    .replace(parameter, (found, sign: string, name: string) =>
      isSecretParameter(name) ? `${sign}${name}=${redacted}` : found,
    )
    .replace(header, `$1$2${redacted}`)
    .replace(assignment, `$1$2${redacted}`);
}
