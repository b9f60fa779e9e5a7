/** Makes calls on the parent's command. Arguments: the server's script, the client's revision, arguments of the script. */
import { Client } from "@mcpwright/runtime/client";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { booking, driveClient, info, revision, server } from "../../stdio/clients/driver.js";

const client = new Client(info);
const transport = new StdioClientTransport({ command: process.execPath, args: [server, ...process.argv.slice(4)] });
await client.connect(transport, { era: revision === "2026-07-28" ? "stateless" : "handshake" });
if (client.getNegotiatedProtocolVersion() !== revision) throw new Error("another revision was agreed on");
await driveClient(() => client.callTool(booking));
