import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import * as z from "zod/v4";
import { failure, see, seeAll } from "../transcript.js";
import { seenByServer, serveDesk } from "./server.js";

const desk = await serveDesk();
const bare = await fetch(desk.url, { method: "POST" });
const challenge = (bare.headers.get("www-authenticate") ?? "").replaceAll(desk.url.host, "desk.example");
see("without a token", [bare.status, challenge]);
const wellKnown = new URL("/.well-known/oauth-protected-resource/mcp", desk.url);
const metadata = (await (await fetch(wellKnown)).json()) as Record<string, unknown>;
see("metadata", { ...metadata, resource: String(metadata["resource"]).replace(desk.url.host, "desk.example") });
const narrow = await fetch(desk.url, { method: "POST", headers: { authorization: "Bearer other" } });
see("without the scope", [narrow.status, ((await narrow.json()) as { error: unknown }).error]);

const client = new Client(
  { name: "agent", version: "1.0.0" },
  {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
    supportedProtocolVersions: ["2025-11-25"],
  },
);
client.onerror = (error) => see("error of the client", error.message);
client.setRequestHandler("elicitation/create", (request: ElicitRequest): ElicitResult => {
  see("asked", [request.method, request.params.mode, request.params.message]);
  return request.params.mode === "url" ? { action: "accept" } : { action: "accept", content: { problem: "No paper" } };
});
client.setRequestHandler("sampling/createMessage", ({ method, params }) => {
  see("sampled", [method, params.maxTokens, params.messages]);
  return { model: "small", role: "assistant", content: { type: "text", text: "Extinguish it" } };
});
client.setRequestHandler("roots/list", (request, ctx) => {
  see("roots", [request.method, typeof ctx.mcpReq.id]);
  return { roots: [{ uri: "file:///desk", name: "desk" }] };
});
const [logs, updates, paid]: unknown[][] = [[], [], []];
client.setNotificationHandler("notifications/message", ({ params }) => void logs?.push(params));
client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updates?.push(params));
client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => void paid?.push(params));
const transport = new StreamableHTTPClientTransport(desk.url, {
  requestInit: { headers: { authorization: "Bearer desk" } },
});
await client.connect(transport);
see("connected", [client.getProtocolEra(), client.getNegotiatedProtocolVersion(), client.getServerCapabilities()]);

const progress: unknown[] = [];
see(
  "worked",
  await client.callTool({ name: "work", arguments: { steps: 2 } }, { onprogress: (one) => progress.push(one) }),
);
await seeAll("progress", progress, 2);
await seeAll("logs", logs ?? [], 1);
const search = { method: "desk/search", params: { text: "fire" } };
see("found", await client.request(search, z.object({ found: z.array(z.string()) })));
see("found nothing", await client.request({ method: "desk/search", params: {} }, z.object({})).catch(failure));
see("subscribed", await client.subscribeResource({ uri: "ticket:///1" }));
see("edited", await client.callTool({ name: "edit", arguments: { uri: "ticket:///1" } }));
await seeAll("updates", updates ?? [], 1);
see("read", await client.readResource({ uri: "ticket:///1" }));
see("unsubscribed", await client.unsubscribeResource({ uri: "ticket:///1" }));
see("suggested", await client.callTool({ name: "suggest" }));
see("folders", await client.callTool({ name: "folders" }));
see("paid", await client.callTool({ name: "pay" }));
await seeAll("completed", paid ?? [], 1);
see("owes", await client.callTool({ name: "owe" }).catch(failure));
see("refused", await client.callTool({ name: "refuse" }).catch(failure));
see("late", await client.callTool({ name: "wait" }, { timeout: 100 }).catch(failure));
await client.sendRootsListChanged();
await seeAll("server", seenByServer, 2);
await transport.terminateSession();
await client.close();
await seeAll("server, in the end", seenByServer, 3);
see("after the end", await client.callTool({ name: "work" }).catch(failure));
desk.close();
