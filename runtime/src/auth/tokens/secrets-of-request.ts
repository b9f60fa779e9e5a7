/** The parameters of token and revocation requests that may be shown. All others count as secrets, also unknown ones. */
const publicParameters: ReadonlySet<string> = new Set([
  "grant_type",
  "client_id",
  "client_assertion_type",
  "scope",
  "resource",
  "audience",
  "redirect_uri",
  "requested_token_type",
  "subject_token_type",
  "token_type_hint",
]);

/** Returns what an error response may repeat of a request and no message may show: passwords, tokens, codes, assertions. */
export function secretsOfRequest(body: URLSearchParams, headers: Readonly<Record<string, string>>): readonly string[] {
  const secrets = [...body].filter(([name]) => !publicParameters.has(name)).map(([, value]) => value);
  const { authorization, dpop } = headers;
  if (dpop !== undefined) secrets.push(dpop);
  if (authorization !== undefined) secrets.push(...basicSecrets(authorization));
  return secrets.filter((secret) => secret !== "");
}

/** Returns the credentials of HTTP Basic authentication, and the password alone, encoded (RFC 6749, section 2.3.1) and decoded. */
function basicSecrets(authorization: string): readonly string[] {
  const [scheme = "", credentials = ""] = authorization.split(" ");
  if (scheme !== "Basic") return [authorization, credentials];
  const pair = atob(credentials);
  const password = pair.slice(pair.indexOf(":") + 1);
  return [credentials, pair, password, new URLSearchParams(`p=${password}`).get("p") ?? ""];
}
