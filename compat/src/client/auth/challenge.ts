/** The members of a `WWW-Authenticate` header that say which token is needed (RFC 6750, RFC 9728). */
export interface ChallengeParams {
  resourceMetadataUrl?: URL;
  scope?: string;
  error?: string;
  errorDescription?: string;
}

export function extractWWWAuthenticateParams(res: Response): ChallengeParams {
  return challengeParams(res.headers.get("www-authenticate") ?? undefined);
}

export function challengeParams(header: string | undefined): ChallengeParams {
  if (!header || !/^\s*(bearer|dpop)\s+\S/i.test(header)) return {};
  const value = (name: string): string | undefined => {
    const found = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, "i").exec(header);
    const text = found?.[1] ?? found?.[2];
    return text === "" ? undefined : text;
  };
  const metadata = value("resource_metadata");
  const [scope, error, errorDescription] = [value("scope"), value("error"), value("error_description")];
  return {
    ...(metadata !== undefined && URL.canParse(metadata) && { resourceMetadataUrl: new URL(metadata) }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
    ...(errorDescription !== undefined && { errorDescription }),
  };
}

/** @deprecated use `extractWWWAuthenticateParams` */
export function extractResourceMetadataUrl(res: Response): URL | undefined {
  return extractWWWAuthenticateParams(res).resourceMetadataUrl;
}
