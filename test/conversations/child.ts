// The program of a child process: node child.mjs serve <server> <setup>, fake <name>, or noisy
import { serveStdio, StdioServerTransport } from "../../runtime/src/stdio.js";
import { runConversation } from "../../runtime/src/testing.js";
import { fakeCalled } from "./fakes/index.js";
import { playNoisy } from "./fakes/noisy.js";
import { type ServerName, servers, type ServerSetup } from "./servers/index.js";

const [what, name = "", setup = "{}"] = process.argv.slice(2);

if (what === "serve") serveStdio(servers[name as ServerName](JSON.parse(setup) as ServerSetup), { graceMs: 20_000 });
else if (what === "noisy") await playNoisy();
else await runConversation(fakeCalled(name), new StdioServerTransport(), { as: "server" });
