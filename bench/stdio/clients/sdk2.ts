import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { booking, driveClient, info, revision, server } from "./driver.js";

const stateless = revision === "2026-07-28";
const client = new Client(info, stateless ? { versionNegotiation: { mode: { pin: revision } } } : {});
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, "1", revision] }));
await driveClient(() => client.callTool(booking));
