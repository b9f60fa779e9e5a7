/** Our client logs in to a protected server. Argument: the target without a suite, as JSON. Prints the outcomes of the features. */
import { clientSides } from "@mcpwright/protocol/client-sides";
import { AuthorizationCodeProvider, ClientCredentialsProvider } from "@mcpwright/runtime/auth";
import { Client } from "@mcpwright/runtime/client";
import { type AuthProvider, StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { FormUser } from "../../auth-server/form-user.js";
import { expect, same, textOf } from "../feature.js";
import { serviceClient } from "../log-in/parties.js";
import { type LogInFeature, report } from "../log-in/outcomes.js";
import { targetOf } from "../run.js";

const { url = "", revision, findOut } = targetOf(process.argv[2]);
const redirectUri = "http://127.0.0.1:9/callback";
const user = new FormUser();
const provider = new AuthorizationCodeProvider({
  clientName: "Desk",
  redirectUri,
  interaction: {
    begin: () => Promise.resolve({ redirectUri, authorize: (page: URL) => user.authorize(page), end: () => undefined }),
  },
});

async function connect(authProvider: AuthProvider): Promise<Client> {
  const revisions = findOut ? clientSides : clientSides.filter((side) => side.revision === revision);
  const client = new Client({ name: "mcpwright", version: "1.0.0" }, { revisions });
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
  same("the revision", client.getNegotiatedProtocolVersion(), revision);
  return client;
}

const call = async (client: Client, name: string): Promise<string> => textOf(await client.callTool({ name }));

/** What the authorization server has done since the last call. */
let known = 0;
async function newEvents(): Promise<readonly string[]> {
  const events = (await (await fetch(new URL("/events", url))).json()) as readonly string[];
  const since = events.slice(known);
  known = events.length;
  return since;
}

let client: Client | undefined;
const opened = (): Client => {
  if (!client) throw new Error("the log-in failed");
  return client;
};

const features: readonly LogInFeature[] = [
  [
    "log-in",
    async () => {
      await newEvents();
      client = await connect(provider);
      same("the result", await call(client, "read"), "read by ada");
      same("the events", await newEvents(), ["register", "page", "granted authorization_code"]);
    },
  ],
  [
    "refresh",
    async () => {
      await fetch(new URL("/expire", url), { method: "POST" });
      same("the result", await call(opened(), "read"), "read by ada");
      same("the events", await newEvents(), ["granted refresh_token"]);
    },
  ],
  [
    "step-up",
    async () => {
      same("the result", await call(opened(), "write"), "write by ada");
      same("the events", await newEvents(), ["page", "granted authorization_code"]);
      same("the next result", await call(opened(), "read"), "read by ada");
      same("the next events", await newEvents(), []);
    },
  ],
  [
    "second connection",
    async () => {
      const second = await connect(provider);
      same("the result", await call(second, "write"), "write by ada");
      await second.close();
      same("the events", await newEvents(), []);
    },
  ],
  [
    "service",
    async () => {
      const { client_id: clientId, client_secret: clientSecret } = serviceClient;
      const service = await connect(new ClientCredentialsProvider({ clientId, clientSecret }));
      same("the result", await call(service, "read"), `read by ${clientId}`);
      await service.close();
      same("the events", await newEvents(), ["granted client_credentials"]);
    },
  ],
  [
    "log-out",
    async () => {
      await provider.logout(new URL(url));
      const events = await newEvents();
      expect("no token was revoked", events.includes("revoked"), events);
      await opened().close();
    },
  ],
];

await report(features);
