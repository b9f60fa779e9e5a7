import {
  Client,
  type ClientOptions,
  type DiscoverResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { failure, see, seeAll } from "../transcript.js";
import { eras, guarded, problems, serveNotes } from "./server.js";

const notes = await serveNotes();

function transportOf(token: string): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(notes.url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}

async function connect(token: string, options: ClientOptions, prior?: DiscoverResult): Promise<Client> {
  const client = new Client({ name: "reader", version: "1.0.0" }, options);
  await client.connect(transportOf(token), prior && { prior: { kind: "modern", discover: prior } });
  return client;
}

const lists: unknown[] = [];
const ada = await connect("token-of-ada", {
  capabilities: { elicitation: { form: {} } },
  versionNegotiation: { mode: "auto", probe: { timeoutMs: 5_000 } },
  listChanged: {
    resources: { debounceMs: 0, onChanged: (_error, resources) => lists.push(resources?.map(({ name }) => name)) },
  },
});
see("negotiated", [ada.getProtocolEra(), ada.getNegotiatedProtocolVersion(), ada.getInstructions()]);
const discovered = ada.getDiscoverResult();
see("discovered", [discovered?.supportedVersions, discovered?.capabilities]);
see("who", await ada.callTool({ name: "whoami" }));

const updated: unknown[] = [];
ada.setNotificationHandler("notifications/resources/updated", ({ method, params }) => {
  updated.push([method, params.uri]);
});
const changes = await ada.listen({ resourceSubscriptions: ["note:///groceries"] });
see("honored", changes.honoredFilter);
see("read", await ada.readResource({ uri: "note:///groceries" }));
see("written", await ada.callTool({ name: "write", arguments: { name: "groceries", text: "tea and milk" } }));
await seeAll("updates", updated, 1);
for (const cacheMode of ["use", "refresh", "bypass"] as const)
  see(`read, ${cacheMode}`, (await ada.readResource({ uri: "note:///groceries" }, { cacheMode })).contents);
see("new", await ada.callTool({ name: "write", arguments: { name: "games", text: "go" } }));
await seeAll("lists", lists, 1);
await changes.close();
see("closed", await changes.closed);

see("templates", (await ada.listResourceTemplates()).resourceTemplates);
see("words", (await ada.readResource({ uri: "words:///groceries" })).contents);
see("invalid", await ada.callTool({ name: "write", arguments: { name: "" } }));
ada.setRequestHandler("elicitation/create", ({ method, params }) => {
  see("asked", [method, params.message]);
  return { action: "accept", content: { sure: true } };
});
see("deleted", await ada.callTool({ name: "delete", arguments: { name: "games" } }));
const ref = { type: "ref/prompt" as const, name: "summarize" };
see("completed", await ada.complete({ ref, argument: { name: "name", value: "gr" } }));
see("prompt", await ada.getPrompt({ name: "summarize", arguments: { name: "groceries" } }));
await ada.close();

const again = await connect("token-of-alan", {}, discovered);
see("resumed", [again.getProtocolEra(), again.getServerVersion(), await again.callTool({ name: "whoami" })]);
await again.close();

const old = await connect("token-of-alan", { versionNegotiation: { mode: "legacy" } });
see("legacy", [old.getProtocolEra(), old.getDiscoverResult(), await old.callTool({ name: "whoami" })]);
await old.close();

const pinned = await connect("token-of-ada", { versionNegotiation: { mode: { pin: "2026-07-28" } } });
see("pinned", [pinned.getProtocolEra(), (await pinned.listTools()).tools.map(({ name }) => name)]);
await pinned.close();

see(
  "refused",
  await connect("token-of-nobody", { versionNegotiation: { mode: "legacy" } }).then(() => "accepted", failure),
);
const foreign = await fetch(notes.url, { method: "POST", headers: { origin: "https://other.example" }, body: "{}" });
see("foreign page", foreign.status);
for (const headers of [
  { host: "notes.example" },
  { host: "other.example" },
  { host: "notes.example", origin: "https://other.example" },
])
  see("guarded", [headers, (await guarded().request("/", { headers: headers as Record<string, string> })).status]);
see("eras", [...new Set(eras)].sort());
see("problems", problems);
await notes.close();
