/** SDK 1.x logs in to a protected server. Argument: the target without a suite, as JSON. Prints the outcomes of the features. */
import { type OAuthDiscoveryState, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { textOf } from "../feature.js";
import { MemoryProvider } from "../log-in/memory-provider.js";
import { type Connect, officialFeatures } from "../log-in/official-features.js";
import { report } from "../log-in/outcomes.js";
import { targetOf } from "../run.js";
import type { ToolResult } from "../driver.js";

const { url = "", revision } = targetOf(process.argv[2]);
const provider = new MemoryProvider<OAuthDiscoveryState>();

const connect: Connect = async () => {
  const open = async (): Promise<[Client, StreamableHTTPClientTransport, unknown]> => {
    const client = new Client({ name: "sdk1", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      authProvider: provider,
      fetch: provider.fetch,
    });
    const error: unknown = await client.connect(transport as Transport).then(
      () => undefined,
      (error: unknown) => error,
    );
    return [client, transport, error];
  };
  const finish = async (to: StreamableHTTPClientTransport, answer: URLSearchParams): Promise<void> =>
    to.finishAuth(answer.get("code") ?? "");
  let [client, transport, error] = await open();
  if (error instanceof UnauthorizedError) {
    await finish(transport, await provider.answer());
    await client.close();
    [client, transport, error] = await open();
  }
  if (error !== undefined) throw error;
  return {
    revision: transport.protocolVersion,
    call: async (name) => textOf((await client.callTool({ name })) as ToolResult),
    finish: (answer) => finish(transport, answer),
    close: () => client.close(),
  };
};

await report(
  officialFeatures(connect, (error) => error instanceof UnauthorizedError, {
    provider,
    revision,
    expire: async () => void (await fetch(new URL("/expire", url), { method: "POST" })),
  }),
);
