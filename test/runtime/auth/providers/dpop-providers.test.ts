import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  MemoryCredentialStore,
  PrivateKeyJwtProvider,
  WorkloadIdentityProvider,
} from "../../../../runtime/src/auth.js";
import type { OAuthOptions, OAuthProvider } from "../../../../runtime/src/auth.js";
import type { FakeClient } from "../fake-server-state.js";
import { createService } from "./service.js";

const clientId = "service";
const clientSecret = "s3cret";
const { publicKey, privateKey } = await generateKeyPair("ES256");
const publicJwk = { ...(await exportJWK(publicKey)), alg: "ES256" };
const assertion = (): string => `assertion-${crypto.randomUUID()}`;

type CreateProvider = (options: OAuthOptions) => OAuthProvider;

describe.each<[string, CreateProvider, Partial<FakeClient>]>([
  [
    "ClientCredentialsProvider",
    (options) => new ClientCredentialsProvider({ clientId, clientSecret, ...options }),
    { clientSecret },
  ],
  [
    "PrivateKeyJwtProvider",
    (options) => new PrivateKeyJwtProvider({ clientId, privateKey, ...options }),
    { method: "private_key_jwt", publicJwk },
  ],
  ["WorkloadIdentityProvider", (options) => new WorkloadIdentityProvider({ clientId, assertion, ...options }), {}],
  [
    "CrossAppAccessProvider",
    (options) => new CrossAppAccessProvider({ clientId, clientSecret, assertion, ...options }),
    { clientSecret },
  ],
])("%s with DPoP", (_name, createProvider, client) => {
  it.each([true, "auto"] as const)(
    "follows the nonces of both servers, and proves each request anew: %s",
    async (dpop) => {
      const store = new MemoryCredentialStore();
      const { call, mcp, network, server } = createService(({ fetch }) => createProvider({ fetch, dpop, store }));
      server.addClient({ clientId, ...client });
      server.settings.acceptsAssertion = () => true;
      server.settings.dpop = "required";
      server.dpopChecks.nonce = "n-1";
      mcp.settings.dpop = "required";
      mcp.dpopChecks.nonce = "m-1";
      expect((await call()).status).toBe(200);
      mcp.dpopChecks.nonce = "m-2";
      expect((await call()).status).toBe(200);
      server.dpopChecks.nonce = "n-2";
      server.expireAccessTokens();
      expect((await call()).status).toBe(200);
      expect([...server.accessTokens.values()].map(({ thumbprint }) => typeof thumbprint)).toEqual(["string"]);

      const restarted = createProvider({ fetch: network.fetch, dpop, store });
      const url = new URL(mcp.url);
      const request = { method: "POST", url, server: url } as const;
      const use = async (): Promise<Response> => {
        const headers = await restarted.headers((await restarted.token({ url })) ?? "", request);
        const response = await mcp.call(headers);
        restarted.onResponse(response, request);
        return response;
      };
      expect((await use()).status).toBe(200);
    },
  );
});
