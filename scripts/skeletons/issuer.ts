import { serve } from "./command.js";
import { freePort } from "../free-port.js";

/** What a protected server and its caller need. */
export interface Access {
  /** The port of the server. */
  readonly port: string;
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** The options with which the Inspector sends a token. */
  readonly inspectorOptions: readonly string[];
  /** Stops the authorization server. */
  readonly end: () => Promise<void>;
}

/** Starts the authorization server of a project, as `npm run issuer` does, and gets a token as a service. */
export async function accessTo(folder: string): Promise<Access> {
  const [issuerPort, port] = [await freePort(), String(await freePort())];
  const env = { ISSUER: `http://127.0.0.1:${issuerPort}`, RESOURCE_URL: `http://127.0.0.1:${port}/mcp` };
  const { end } = await serve([process.execPath, "--import", "tsx", "test/issuer/main.ts"], folder, env);
  try {
    const token = await tokenOf(env.ISSUER, env.RESOURCE_URL);
    return { port, env, inspectorOptions: ["--header", `Authorization: Bearer ${token}`], end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function tokenOf(issuer: string, resource: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: "service",
    client_secret: "secret-of-the-service",
    scope: "notes:read notes:write",
    resource,
  });
  const response = await fetch(`${issuer}/token`, { method: "POST", body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${issuer} issued no token: ${text}`);
  return (JSON.parse(text) as { readonly access_token: string }).access_token;
}
