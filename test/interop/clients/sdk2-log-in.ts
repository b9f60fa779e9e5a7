/** SDK 2.x logs in to a protected server. Argument: the target without a suite, as JSON. Prints the outcomes of the features. */
import {
  Client,
  DpopSession,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { textOf } from "../feature.js";
import { MemoryProvider } from "../log-in/memory-provider.js";
import { type Connect, officialFeatures } from "../log-in/official-features.js";
import { report } from "../log-in/outcomes.js";
import { targetOf } from "../run.js";
import type { ToolResult } from "../driver.js";

const { url = "", revision, dpop } = targetOf(process.argv[2]);
const session = dpop === true ? await DpopSession.create() : undefined;
const provider = Object.assign(new MemoryProvider<OAuthDiscoveryState>(), session && { dpop: () => session });

const connect: Connect = async () => {
  const open = async (): Promise<[Client, StreamableHTTPClientTransport, unknown]> => {
    const client = new Client({ name: "sdk2", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      authProvider: provider,
      fetch: provider.fetch,
    });
    const error: unknown = await client.connect(transport).then(
      () => undefined,
      (error: unknown) => error,
    );
    return [client, transport, error];
  };
  let [client, transport, error] = await open();
  if (error instanceof UnauthorizedError) {
    await transport.finishAuth(await provider.answer());
    await client.close();
    [client, transport, error] = await open();
  }
  if (error !== undefined) throw error;
  return {
    revision: client.getNegotiatedProtocolVersion(),
    call: async (name) => textOf((await client.callTool({ name })) as ToolResult),
    finish: (answer) => transport.finishAuth(answer),
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
