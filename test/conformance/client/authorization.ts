import {
  type AuthorizationCodeOptions,
  AuthorizationCodeProvider,
  type AuthorizationInteraction,
  ClientCredentialsProvider,
  type CredentialStore,
  CrossAppAccessProvider,
  type OAuthProvider,
  PrivateKeyJwtProvider,
  WorkloadIdentityProvider,
} from "@mcpwright/runtime/auth";

/** The fields of the context that the suite passes to scenarios with authorization. */
type Context = Readonly<Record<string, string>>;

/** How the client of a scenario logs in. */
export interface LogIn {
  readonly provider: (context: Context, store: CredentialStore) => OAuthProvider;
  /** The reason for which the log-in has to fail. */
  readonly failure?: string;
}

/** Stands in for a browser and its user: the suite's authorization pages redirect at once. */
const browser: AuthorizationInteraction = {
  begin: () =>
    Promise.resolve({
      redirectUri: "http://localhost:3000/callback",
      authorize: async (url) => (await fetch(url, { redirect: "manual" })).headers.get("location") ?? undefined,
      end: () => undefined,
    }),
};

const anyUser: LogIn = { provider: (_context, store) => interactive(store) };

const logIns: Readonly<Record<string, LogIn>> = {
  "auth/basic-cimd": {
    provider: (_context, store) =>
      interactive(store, { clientMetadataUrl: "https://conformance-test.local/client-metadata.json" }),
  },
  "auth/pre-registration": {
    provider: ({ client_id = "", client_secret = "", issuer = "" }, store) =>
      interactive(store, { client: { clientId: client_id, clientSecret: client_secret, issuer } }),
  },
  "auth/client-credentials-basic": {
    provider: ({ client_id = "", client_secret = "" }, store) =>
      new ClientCredentialsProvider({ store, clientId: client_id, clientSecret: client_secret }),
  },
  "auth/client-credentials-jwt": {
    provider: ({ client_id = "", private_key_pem = "", signing_algorithm = "" }, store) =>
      new PrivateKeyJwtProvider({
        store,
        clientId: client_id,
        privateKey: private_key_pem,
        algorithm: signing_algorithm,
      }),
  },
  "auth/enterprise-managed-authorization": {
    provider: (context, store) =>
      new CrossAppAccessProvider({
        store,
        clientId: context["client_id"] ?? "",
        clientSecret: context["client_secret"] ?? "",
        identityProvider: {
          issuer: context["idp_issuer"] ?? "",
          clientId: context["idp_client_id"] ?? "",
          tokenEndpoint: context["idp_token_endpoint"] ?? "",
          subjectToken: () => context["idp_id_token"] ?? "",
        },
      }),
  },
  "auth/wif-jwt-bearer": {
    provider: ({ client_id = "", valid_jwt = "" }, store) =>
      new WorkloadIdentityProvider({ store, clientId: client_id, assertion: () => valid_jwt }),
  },
  "auth/scope-retry-limit": failing("INSUFFICIENT_SCOPE"),
  "auth/resource-mismatch": failing("resource-mismatch"),
  "auth/metadata-issuer-mismatch": failing("issuer-mismatch"),
  "auth/iss-supported-missing": failing("issuer-mismatch"),
  "auth/iss-wrong-issuer": failing("issuer-mismatch"),
  "auth/iss-unexpected": failing("issuer-mismatch"),
  "auth/iss-normalized": failing("issuer-mismatch"),
};

/** Returns how the client logs in; undefined for scenarios without authorization. */
export function logInOf(scenario: string): LogIn | undefined {
  return logIns[scenario] ?? (scenario.startsWith("auth/") ? anyUser : undefined);
}

/** Whether an error states the reason: as the code of the error, or of the failed authorization. */
export function isFailure(error: unknown, reason: string): boolean {
  const { code, reason: given } = error as { readonly code?: unknown; readonly reason?: unknown };
  return code === reason || given === reason;
}

function interactive(
  store: CredentialStore,
  options: Partial<AuthorizationCodeOptions> = {},
): AuthorizationCodeProvider {
  return new AuthorizationCodeProvider({
    clientName: "mcpwright conformance client",
    interaction: browser,
    store,
    ...options,
  });
}

function failing(failure: string): LogIn {
  return { ...anyUser, failure };
}
