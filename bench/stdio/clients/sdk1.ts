import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { booking, driveClient, info, revision, server } from "./driver.js";

const client = new Client(info);
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, "1", revision] }));
await driveClient(() => client.callTool(booking));
