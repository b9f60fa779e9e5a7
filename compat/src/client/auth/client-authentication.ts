import type { OAuthClientInformationMixed } from "../../shared/oauth-types.js";

/** How a client authenticates to the token endpoint (RFC 6749, section 2.3). */
export type ClientAuthMethod = "client_secret_basic" | "client_secret_post" | "none";

const methods: readonly string[] = ["client_secret_basic", "client_secret_post", "none"];

/** @param supportedMethods empty when the server does not say */
export function selectClientAuthMethod(
  clientInformation: OAuthClientInformationMixed,
  supportedMethods: string[],
): ClientAuthMethod {
  const hasSecret = clientInformation.client_secret !== undefined;
  const isSupported = (method: string): boolean => supportedMethods.length === 0 || supportedMethods.includes(method);
  const registered = (clientInformation as { readonly token_endpoint_auth_method?: string }).token_endpoint_auth_method;
  if (registered && methods.includes(registered) && isSupported(registered)) return registered as ClientAuthMethod;
  if (hasSecret && isSupported("client_secret_basic")) return "client_secret_basic";
  if (hasSecret && isSupported("client_secret_post")) return "client_secret_post";
  if (isSupported("none")) return "none";
  return hasSecret ? "client_secret_post" : "none";
}

/** @throws Error for `client_secret_basic` without a secret */
export function authenticateClient(
  method: ClientAuthMethod,
  { client_id: id, client_secret: secret }: OAuthClientInformationMixed,
  headers: Headers,
  params: URLSearchParams,
): void {
  if (method === "client_secret_basic") {
    if (!secret) throw new Error("client_secret_basic authentication requires a client_secret");
    headers.set("Authorization", `Basic ${btoa(`${id}:${secret}`)}`);
    return;
  }
  params.set("client_id", id);
  if (method === "client_secret_post" && secret) params.set("client_secret", secret);
}
