import { exportPKCS8, generateKeyPair, exportJWK } from "jose";
import { AuthorizationCodeProvider } from "../../../../runtime/src/auth/providers/authorization-code-provider.js";
import { ClientCredentialsProvider } from "../../../../runtime/src/auth/providers/client-credentials-provider.js";
import { CrossAppAccessProvider } from "../../../../runtime/src/auth/providers/cross-app-access-provider.js";
import type { OAuthProvider } from "../../../../runtime/src/auth/providers/oauth-provider.js";
import { PrivateKeyJwtProvider } from "../../../../runtime/src/auth/providers/private-key-jwt-provider.js";
import { WorkloadIdentityProvider } from "../../../../runtime/src/auth/providers/workload-identity-provider.js";
import type { Scene } from "./scene.js";

export type Flow = (scene: Scene) => Promise<void>;

const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
const pem = await exportPKCS8(privateKey);
const publicJwk = await exportJWK(publicKey);

/** Calls, refreshes or logs in again, gets more scopes, and logs out. */
async function live(scene: Scene, provider: OAuthProvider): Promise<void> {
  await scene.call(provider);
  scene.authorizationServer.expireAccessTokens();
  await scene.call(provider);
  scene.mcp.settings.neededScopes = () => ["admin"];
  await scene.call(provider);
  await scene.attempt(() => provider.logout(scene.url));
}

function interactive(scene: Scene, more: object = {}): AuthorizationCodeProvider {
  return new AuthorizationCodeProvider({
    ...scene.options,
    clientName: "App",
    interaction: scene.browser(),
    ...more,
  });
}

/** All ways to log in. */
export const flows: Readonly<Record<string, Flow>> = {
  "a log-in with a registration": (scene) => live(scene, interactive(scene)),

  "a log-in with a registered secret": (scene) => {
    scene.authorizationServer.settings.authMethods = ["client_secret_post"];
    return live(scene, interactive(scene));
  },

  "a log-in with a secret": (scene) => {
    const redirectUris = ["http://127.0.0.1:4000/callback"];
    scene.authorizationServer.addClient({ clientId: "app", clientSecret: "the secret of the app", redirectUris });
    const client = { clientId: "app", clientSecret: "the secret of the app" };
    return live(scene, interactive(scene, { client }));
  },

  "a log-in with bound tokens": (scene) => {
    scene.authorizationServer.settings.dpop = "required";
    scene.authorizationServer.dpopChecks.nonce = "nonce-of-the-authorization-server";
    scene.mcp.settings.dpop = "required";
    scene.mcp.dpopChecks.nonce = "nonce-of-the-mcp-server";
    return live(scene, interactive(scene));
  },

  "a log-in whose callback arrives in another request": async (scene) => {
    const make = (): AuthorizationCodeProvider =>
      new AuthorizationCodeProvider({
        ...scene.options,
        clientName: "App",
        redirectUri: "https://app.example.com/callback",
      });
    await scene.call(make());
    await scene.attempt(async () => {
      const callback = await scene.visit((await make().start(scene.url)).url);
      const forged = new URL(callback);
      forged.searchParams.set("iss", "https://evil.example.com");
      await scene.attempt(() => make().finish(forged));
      await scene.attempt(() => make().finish(callback));
      const again = await scene.visit((await make().start(scene.url)).url);
      await make().finish(again);
      await scene.attempt(() => make().finish(again));
    });
    await live(scene, make());
  },

  "client credentials": (scene) => {
    scene.authorizationServer.addClient({ clientId: "service", clientSecret: "the secret of the service" });
    const credentials = { clientId: "service", clientSecret: "the secret of the service" };
    return live(scene, new ClientCredentialsProvider({ ...scene.options, ...credentials }));
  },

  "signed client assertions": (scene) => {
    scene.authorizationServer.addClient({ clientId: "service", method: "private_key_jwt", publicJwk });
    scene.ledger.add("private key", pem.split("\n")[1] ?? "");
    const provider = new PrivateKeyJwtProvider({ ...scene.options, clientId: "service", privateKey: pem });
    return live(scene, provider);
  },

  "an identity provider": (scene) => {
    const { authorizationServer } = scene;
    authorizationServer.settings.acceptsSubjectToken = () => true;
    authorizationServer.settings.acceptsAssertion = () => true;
    authorizationServer.addClient({ clientId: "app", clientSecret: "the secret of the app" });
    const provider = new CrossAppAccessProvider({
      ...scene.options,
      clientId: "app",
      clientSecret: "the secret of the app",
      identityProvider: {
        clientId: "app",
        clientSecret: "the secret of the app",
        tokenEndpoint: `${authorizationServer.issuer}/token`,
        subjectToken: "identity-assertion-of-the-user",
      },
    });
    return live(scene, provider);
  },

  "a workload identity": (scene) => {
    scene.authorizationServer.settings.acceptsAssertion = () => true;
    const assertion = (): string => "assertion-of-the-platform";
    return live(scene, new WorkloadIdentityProvider({ ...scene.options, clientId: "workload", assertion }));
  },
};
